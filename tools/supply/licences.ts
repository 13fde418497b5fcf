import type { ShippedPackage } from './shipped-packages.ts';

/**
 * SPDX identifiers of the licences that a package may have whose code is given to users under MIT:
 * they ask for their notice, which `dist/third-party-notices.txt` has, and for nothing of our code.
 */
export const allowedLicences: readonly string[] = ['Apache-2.0', 'BSD-3-Clause', 'ISC', 'MIT'];

/** Packages under another licence, or none: `name 1.0.0 (GPL-3.0-only)`. */
export function listForeignLicences(
  packages: readonly Pick<ShippedPackage, 'name' | 'version' | 'licence'>[],
): readonly string[] {
  return packages
    .filter(({ licence }) => !allowedLicences.includes(licence))
    .map(({ name, version, licence }) => `${name} ${version} (${licence || 'no licence'})`);
}
