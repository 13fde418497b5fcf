import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJsonObject, parseJson } from '../../contract/index.ts';
import type { Suite } from '../../certificate/index.ts';
import { packageFile } from './package-root.ts';

/** The suite of this package: its name, version and build. */
export async function readSuite(): Promise<Suite> {
  const facts = parseJson(await readFile(packageFile('package.json'), 'utf8'));
  const { name, version } = isJsonObject(facts) ? facts : {};
  return { name: textOf(name), version: textOf(version), build: await readBuild() };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'unknown';
}

/** Where this very module runs: the project from source, `dist/` from the package. */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * The build of the suite: of a checkout the digest of its source; of the package the digest of the
 * source it was built from, as long as its JavaScript is what that build wrote, else the digest of
 * the JavaScript.
 */
async function readBuild(): Promise<string> {
  const extension = extname(import.meta.url);
  const found = await digestSuite(root, extension);
  const recorded =
    extension === '.js' ? await readRecordedBuild(join(root, buildRecord)) : undefined;
  return recorded?.compiled === found ? recorded.source : found;
}

/** The file in `dist/` that says which source was built into it. */
export const buildRecord = 'suite-build.json';

interface BuildRecord {
  readonly source: string;
  readonly compiled: string;
}

async function readRecordedBuild(file: string): Promise<BuildRecord | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const record = parseJson(text);
  const { source, compiled } = isJsonObject(record) ? record : {};
  return typeof source === 'string' && typeof compiled === 'string'
    ? { source, compiled }
    : undefined;
}

/**
 * SHA-256 over the files of the suite that run: those of `contract/`, `conformance/` and `client/`
 * with the extension, tests and what only tests use left out. It is the digest of what `sha256sum`
 * prints for them in the order of their paths.
 */
export async function digestSuite(folder: string, extension: string): Promise<string> {
  const whole = createHash('sha256');
  for (const path of await listFiles(folder, extension)) {
    whole.update(
      `${createHash('sha256')
        .update(await readFile(join(folder, path)))
        .digest('hex')}  ${path}\n`,
    );
  }
  return whole.digest('hex');
}

async function listFiles(folder: string, extension: string): Promise<readonly string[]> {
  const lists = await Promise.all(
    ['contract', 'conformance', 'client'].map(async (part) =>
      (await readdir(join(folder, part), { recursive: true })).map(
        (path) => `${part}/${path.replaceAll('\\', '/')}`,
      ),
    ),
  );
  return lists
    .flat()
    .filter((path) => path.endsWith(extension) && !/\.test\.[jt]s$|\.d\.ts$|\/testing\//.test(path))
    .toSorted();
}
