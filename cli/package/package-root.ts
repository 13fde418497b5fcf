import { readFile } from 'node:fs/promises';
import { packageFile } from '../../mock/package/package-file.ts';

export { packageFile };

/** The version of this package. It is part of every report, because judges change with it. */
export async function readVersion(): Promise<string> {
  const facts: unknown = JSON.parse(await readFile(packageFile('package.json'), 'utf8'));
  return typeof facts === 'object' && facts !== null && 'version' in facts
    ? String(facts.version)
    : 'unknown';
}
