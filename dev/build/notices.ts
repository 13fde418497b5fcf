import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Packages that the build bundles into `dist/`, so that users do not install them: they are
 * development dependencies here, and the suite depends on them like on its dependencies. The build
 * fails if it bundles any other package.
 */
export const bundledPackages: readonly string[] = [
  '@apidevtools/swagger-parser',
  'ajv',
  'ajv-formats',
  'fast-check',
  'htm',
  'js-yaml',
  'json-p3',
  'openapi-types',
  'preact',
  'preact-render-to-string',
  're2js',
  'yaml',
];

/** Licences that require only their notice, as SPDX identifiers. */
const allowedLicences = new Set(['Apache-2.0', 'BSD-3-Clause', 'ISC', 'MIT']);

/** A third-party package with bundled modules. */
interface BundledPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Names, versions and licences of the packages that modules belong to. Throws if a licence is not
 * allowed, its text is missing, or a package is neither bundled on purpose nor needed by one that is.
 *
 * @param modules paths of the bundled modules
 */
export async function renderNotices(modules: readonly string[]): Promise<string> {
  const folders = modules.flatMap(
    (path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [],
  );
  const packages = await Promise.all([...new Set(folders)].toSorted().map(loadPackage));
  const known = new Set([
    ...bundledPackages,
    ...packages.flatMap(({ dependencies = {} }) => Object.keys(dependencies)),
  ]);
  for (const { name, version, license } of packages) {
    if (!known.has(name))
      throw new Error(
        `${name} would be bundled, and bundledPackages in dev/build/notices.ts lacks it.`,
      );
    if (!allowedLicences.has(license))
      throw new Error(`${name} ${version} has the licence "${license}", which is not allowed.`);
  }
  return [heading, ...(await Promise.all(packages.map(renderNotice)))].join(
    `\n${'-'.repeat(80)}\n\n`,
  );
}

const heading = `petstore-contract contains parts of the packages below, bundled into the files of this folder.
The library in page/reference has its notices beside it.
`;

async function loadPackage(folder: string): Promise<BundledPackage> {
  const manifest: Omit<BundledPackage, 'folder'> = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  return { ...manifest, folder };
}

async function renderNotice({ folder, name, version, license }: BundledPackage): Promise<string> {
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no licence text: it cannot be bundled.`);
  const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r', '').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
