import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, type JsonValue, isJsonObject, parseJson } from '../../contract/index.ts';
import { joinedPackages } from './joined-packages.ts';

/**
 * Names, versions and licences of the packages that modules are of. Throws where one has no licence
 * file, or is neither joined on purpose nor needed by one that is.
 *
 * @param modules paths of files on this machine
 */
export async function renderNotices(modules: readonly string[]): Promise<string> {
  const folders = new Set(modules.flatMap((path) => packageFolderOf(path) ?? []));
  const notices = await Promise.all([...folders].toSorted().map(readNotice));
  refuseUnknown(notices.map(({ manifest }) => manifest));
  return [heading, ...notices.map(({ text }) => text)].join(`\n${'-'.repeat(80)}\n\n`);
}

const heading = `petstore-contract holds parts of the packages below, joined into the files of this folder.
The library in page/reference has its notices beside it.
`;

interface Notice {
  readonly manifest: JsonObject;
  readonly text: string;
}

/** The innermost folder of a package that a file is in: `/…/node_modules/@scope/name`. */
function packageFolderOf(path: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0];
}

async function readNotice(folder: string): Promise<Notice> {
  const manifest = parseJson(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  if (!isJsonObject(manifest) || file === undefined)
    throw new Error(`${folder} has no licence to be shown: it cannot be joined.`);
  const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r', '').trim();
  const [name, version, license] = ['name', 'version', 'license'].map((key) =>
    textOf(manifest[key]),
  );
  return { manifest, text: `${name} ${version} (${license})\n\n${text}\n` };
}

function refuseUnknown(manifests: readonly JsonObject[]): void {
  const needed = new Set(
    manifests.flatMap(({ dependencies }) =>
      isJsonObject(dependencies) ? Object.keys(dependencies) : [],
    ),
  );
  const unknown = manifests
    .map(({ name }) => textOf(name))
    .filter((name) => !joinedPackages.includes(name) && !needed.has(name));
  if (unknown.length > 0)
    throw new Error(`${unknown.join(', ')} would be joined: joined-packages.ts does not say so.`);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
