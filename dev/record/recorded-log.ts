import { readFile, readdir, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Claims, type Recomputed, recomputeRun } from '../../certificate/index.ts';
import { recomputeClient } from '../../cli/commands/certify-client/certificate.ts';
import {
  type Contract,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  parseJson,
  renderJson,
} from '../../contract/index.ts';
import { readBundledSeed } from '../../cli/package/bundled.ts';
import { packageFile } from '../../cli/package/package-root.ts';

export interface RecordedLog {
  /** The server or client, and the name of the file. */
  readonly name: string;
  readonly kind: 'server' | 'client';
  readonly configuration: JsonObject;
  readonly entries: readonly JsonObject[];
  /** What `describeJudgement` says of it. */
  readonly judgement: JsonValue;
}

/** The folder of the logs, and of the document that they were recorded with. */
export const logFolder = 'fixtures/logs';

/** Reads every recorded log, in the order of their names. */
export async function loadLogs(): Promise<readonly RecordedLog[]> {
  const files = await readdir(packageFile(logFolder));
  const logs = files.filter((file) => file.endsWith('.json.gz')).toSorted();
  return await Promise.all(logs.map((file) => loadLog(file.replace('.json.gz', ''))));
}

async function loadLog(name: string): Promise<RecordedLog> {
  const bytes = await readFile(packageFile(`${logFolder}/${name}.json.gz`));
  const value = parseJson(gunzipSync(bytes).toString());
  if (!isJsonObject(value)) throw new Error(`${name} is no recorded log.`);
  const { kind, configuration, entries, judgement = null } = value;
  if (!isJsonObject(configuration) || !isJsonArray(entries))
    throw new Error(`${name} has no configuration or no entries.`);
  return {
    name,
    kind: kind === 'client' ? 'client' : 'server',
    configuration,
    entries: entries.filter(isJsonObject),
    judgement,
  };
}

export async function saveLog({ name, ...log }: RecordedLog): Promise<void> {
  const bytes = gzipSync(renderJson({ ...log }), { level: 9 });
  await writeFile(packageFile(`${logFolder}/${name}.json.gz`), bytes);
}

/** Judges a log again, as `petstore verify` does. */
export async function judgeAgain(
  contract: Contract,
  { kind, configuration, entries }: Pick<RecordedLog, 'kind' | 'configuration' | 'entries'>,
): Promise<Recomputed> {
  const linked = entries.map((entry) => ({ link: '', entry }));
  const log = { head: '', length: entries.length, entries: linked };
  return kind === 'server'
    ? await recomputeRun(contract, { configuration, log })
    : await recomputeClient(contract, { configuration, log }, await readBundledSeed());
}

/** What a log came to, without words: a line for each verdict, the level, and every departure. */
export function describeJudgement(again: Recomputed): JsonValue {
  if (again.kind === 'unreadable') return { unreadable: again.part };
  if (again.kind === 'cited') throw new Error('Recorded logs are of runs, and cite none.');
  const { claims, departures } = again;
  return {
    departures: departures.map(({ at }) => at ?? null),
    level: claims?.level ?? null,
    endedEarly: typeof claims?.run.endedEarly === 'string',
    verdicts: Object.fromEntries(
      (claims?.verdicts ?? []).map((each) => [each.id, describeVerdict(each)]),
    ),
    waivers: (claims?.waivers ?? []).map(({ requirement, state }) => `${requirement} ${state}`),
  };
}

function describeVerdict(claim: Claims['verdicts'][number]): string {
  const { level, verdict, evidence, reason, choices, failures } = claim;
  const chosen = choices.length === 0 ? [] : [choices];
  const failed = failures.map((failure) => failure.evidence);
  const parts = [evidence, ...chosen, ...failed].map((part) => JSON.stringify(part));
  return `${level} ${verdict} ${reason === null ? parts.join(' ') : 'for a reason'}`;
}
