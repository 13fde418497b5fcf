import { readFile } from 'node:fs/promises';
import {
  type SelftestRecord,
  type SubjectKind,
  type Suite,
  parseSelftest,
  rulesVersion,
} from '../../certificate/index.ts';
import { type JsonObject, PetstoreError, isJsonObject, parseJson } from '../../contract/index.ts';
import { packageFile } from './package-root.ts';
import { type RecordedFile, readRecorded } from './recorded-file.ts';

/**
 * The suite by what its verdicts depend on: the same in a checkout and the package built of it.
 * Throws `PetstoreError` where the record of its dependencies was edited.
 */
export async function readSuite(): Promise<Suite> {
  const [manifest, record] = await Promise.all([
    readFile(packageFile('package.json'), 'utf8'),
    readRecorded(dependencyRecord),
  ]);
  if (record === undefined)
    throw new PetstoreError('inconclusive', `${dependencyRecord} is not that of this version.`, {
      remedy: 'Install the package again; in a checkout, run `npm run rules`.',
    });
  const [{ name, version }, { digest }] = [parseObject(manifest), parseObject(record)];
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
export const dependencyRecord: RecordedFile = 'fixtures/dependencies.json';

/** Where the kill rates are: `npm run selftest -- --record`, and with `--clients`. */
export const selftestRecords = {
  server: 'fixtures/selftest.json',
  client: 'fixtures/selftest-clients.json',
} as const satisfies Readonly<Record<SubjectKind, RecordedFile>>;

/**
 * What the suite made of mutants of servers, or of clients; undefined where there is no record, or
 * not the one that this version was made with.
 */
export async function readSelftestRecord(kind: SubjectKind): Promise<SelftestRecord | undefined> {
  const record = await readRecorded(selftestRecords[kind]);
  return record === undefined ? undefined : parseSelftest(parseJson(record));
}

function parseObject(text: string): JsonObject {
  const value = parseJson(text);
  return isJsonObject(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'unknown';
}
