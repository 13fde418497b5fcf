import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  type Recomputed,
  composeCertificate,
  readEnvelope,
  rulesVersion,
} from '../../certificate/index.ts';
import { compileRules } from '../../client/index.ts';
import {
  type Contract,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  loadContract,
  parseJson,
  renderJson,
} from '../../contract/index.ts';
import { packageFile } from '../../cli/package/package-root.ts';
import {
  type RecordedLog,
  describeJudgement,
  judgeAgain,
  loadLogs,
  logFolder,
} from './recorded-log.ts';

export interface JudgingRules {
  /** SHA-256 over the requirements, the formats, and the judgements. */
  readonly digest: string;
  /** What each recorded log comes to now. */
  readonly judgements: readonly { readonly log: RecordedLog; readonly judgement: JsonValue }[];
}

/** The document that the logs were recorded with: what `openapi.yaml` is now decides nothing. */
export const recordedDocument = `${logFolder}/openapi.yaml`;

/** Where the version of the rules is recorded with their digest. */
export const rulesRecord = `${logFolder}/rules.json`;

export async function loadRulesRecord(): Promise<{ version: unknown; digest: unknown }> {
  const value = parseJson(await readFile(packageFile(rulesRecord), 'utf8'));
  const { version, digest } = isJsonObject(value) ? value : {};
  return { version, digest };
}

/** What to do where the rules, or their version, are not the recorded ones. */
export function explainRules(
  recorded: { version: unknown; digest: unknown },
  digest: string,
): string {
  if (recorded.version !== rulesVersion) return 'rulesVersion was raised: run npm run rules';
  return recorded.digest === digest
    ? 'They are as recorded.'
    : 'the judging rules have changed: raise rulesVersion in certificate/rules-version.ts and run npm run rules';
}

/** Judges the recorded logs again, and digests everything that a version of the rules stands for. */
export async function digestRules(): Promise<JudgingRules> {
  const contract = await loadContract({ file: packageFile(recordedDocument) });
  const books = await loadContract({ file: packageFile('fixtures/documents/books.yaml') });
  const judgements = [];
  const members = new Set<string>();
  for (const log of await loadLogs()) {
    const again = await judgeAgain(contract, log);
    judgements.push({ log, judgement: describeJudgement(again) });
    for (const member of listMembers(renderPayload(log, again))) members.add(member);
  }
  const parts: readonly JsonValue[] = [
    [...listRequirements(contract), ...listRequirements(books)],
    await readReportFormat(),
    [...members].toSorted(),
    judgements.map(({ log, judgement }) => [log.name, judgement]),
  ];
  const digest = createHash('sha256').update(renderJson(parts)).digest('hex');
  return { digest, judgements };
}

/** Requirements and rules of clients: id, level and place, without their sentence. */
function listRequirements(contract: Contract): readonly string[] {
  return [...contract.requirements, ...compileRules(contract)].map(
    ({ id, level, pointer }) => `${id} | ${level} | ${pointer}`,
  );
}

async function readReportFormat(): Promise<JsonValue> {
  const schema = parseJson(await readFile(packageFile('docs/report.schema.json'), 'utf8'));
  const { properties } = isJsonObject(schema) ? schema : {};
  return (isJsonObject(properties) ? properties['format'] : undefined) ?? null;
}

/** The payload of a certificate of a log. */
function renderPayload(
  { kind, configuration, entries }: RecordedLog,
  again: Recomputed,
): JsonValue {
  if (again.kind === 'unreadable' || again.claims === undefined) return null;
  const suite = { name: '', version: '', dependencies: '', rules: rulesVersion };
  const target = { name: '', version: '', baseUrl: again.baseUrl };
  const parts = { kind, target, suite, selftest: null, configuration, entries, ...again.claims };
  const { text } = composeCertificate(parts, []);
  const read = readEnvelope(text);
  return read.kind === 'read' ? parseJson(read.value.payload.toString()) : null;
}

/** Every member of a value with its type: `/predicate/level string`. */
function listMembers(value: JsonValue, at = ''): readonly string[] {
  if (isJsonArray(value)) return value.flatMap((each) => listMembers(each, `${at}/*`));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, member = null]) =>
      listMembers(member, `${at}/${name}`),
    );
  return [`${at} ${value === null ? 'null' : typeof value}`];
}
