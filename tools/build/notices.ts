import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from '../../cli/package/package-root.ts';
import type { ShippedPackage } from '../supply/shipped-packages.ts';
import { joinedPackages } from './joined-packages.ts';

/**
 * Names, versions and licences of the packages that are joined. Throws where one has no licence
 * file, or is neither joined on purpose nor needed by one that is.
 */
export async function renderNotices(packages: readonly ShippedPackage[]): Promise<string> {
  const joined = packages.filter(({ shipping }) => shipping === 'joined into dist');
  refuseUnknown(joined);
  const notices = await Promise.all(joined.map(renderNotice));
  return [heading, ...notices].join(`\n${'-'.repeat(80)}\n\n`);
}

const heading = `petstore-contract holds parts of the packages below, joined into the files of this folder.
The library in page/reference has its notices beside it.
`;

async function renderNotice({ name, version, licence, place }: ShippedPackage): Promise<string> {
  const folder = packageFile(place);
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined)
    throw new Error(`${place} has no licence to be shown: it cannot be joined.`);
  const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r', '').trim();
  return `${name} ${version} (${licence})\n\n${text}\n`;
}

function refuseUnknown(packages: readonly ShippedPackage[]): void {
  const known = new Set([
    ...joinedPackages,
    ...packages.flatMap(({ dependencies }) => dependencies),
  ]);
  const unknown = packages.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new Error(`${unknown.join(', ')} would be joined: joined-packages.ts does not say so.`);
}
