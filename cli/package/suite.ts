import { readFile } from 'node:fs/promises';
import {
  type SelftestRecord,
  type SubjectKind,
  type Suite,
  parseSelftest,
  rulesVersion,
} from '../../certificate/index.ts';
import { type JsonObject, isJsonObject, parseJson } from '../../contract/index.ts';
import { packageFile } from './package-root.ts';

/** The suite by what its verdicts depend on: the same in a checkout and the package built of it. */
export async function readSuite(): Promise<Suite> {
  const [{ name, version }, { digest }] = await Promise.all([
    readObject('package.json'),
    readObject(dependencyRecord),
  ]);
  return {
    name: textOf(name),
    version: textOf(version),
    dependencies: textOf(digest),
    rules: rulesVersion,
  };
}

/**
 * The digest of the packages that the suite stands on: `package-lock.json` is in no package, so
 * `npm run rules` records it here, and a test holds it to the lock.
 */
export const dependencyRecord = 'fixtures/dependencies.json';

/** Where the kill rates are: `npm run selftest -- --record`, and with `--clients`. */
export const selftestRecords: Readonly<Record<SubjectKind, string>> = {
  server: 'fixtures/selftest.json',
  client: 'fixtures/selftest-clients.json',
};

/** What the suite made of mutants of servers, or of clients; undefined where it is not recorded. */
export async function readSelftestRecord(kind: SubjectKind): Promise<SelftestRecord | undefined> {
  const record = await readObject(selftestRecords[kind]).catch(() => undefined);
  return record && parseSelftest(record);
}

async function readObject(path: string): Promise<JsonObject> {
  const value = parseJson(await readFile(packageFile(path), 'utf8'));
  return isJsonObject(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'unknown';
}
