import {
  type Contract,
  hasCode,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../contract/index.ts';
import { readJson } from '../../../conformance/index.ts';
import { createMock, type Seed } from '../../../mock/index.ts';
import { readJsonReport } from '../../../report/json.ts';
import {
  inferAnyBaseUrl,
  loadAttachedBodies,
  readHarValue,
  type RecordedBody,
} from '../../../traffic/index.ts';
import { relativeTarget } from '../../../traffic/request/route.ts';
import { countOf } from '../../../page/view/count.ts';
import { argumentError } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { readJsonFile } from '../../io/file.ts';
import { tellError } from '../../io/terminal.ts';
import { type Observation, observationOf, ObservedItems } from './observed-items.ts';
import { type ItemSource, readServer } from './running-server.ts';

/** Items out of traffic, for a mock: a seed that fits the document. */
export interface TrafficSeed {
  readonly seed: Seed;
  readonly isSeedTrusted: true;
  /** Of collections that the document only hints at, and no seed reaches. */
  readonly items: Readonly<Record<string, readonly JsonObject[]>>;
}

/**
 * Items of `--seed-from`: a file, or the base URL of a running server. Prints what was read and what is
 * left out. Throws `PetstoreError`.
 */
export async function openTrafficSeed(
  contract: Contract,
  { source, apiKey }: { readonly source: string; readonly apiKey: string | undefined },
  io: CommandIo,
): Promise<TrafficSeed> {
  const items = new ObservedItems(contract);
  const { name, notes } = /^https?:\/\//i.test(source)
    ? await readServer(contract, items, { baseUrl: source, apiKey }, io.signal)
    : await readRecording(contract, items, source);
  if (items.seen === 0)
    throw argumentError(
      [`${source} has no request to an operation of ${contract.source}`, ...notes].join(': '),
    );
  const { unfit, ...placed } = await placeItems(contract, items);
  const counts = [...items.collections].map(([path, { size }]) => `${size} of ${path}`);
  tellError(io, 'mock', `items from ${name}: ${counts.join(', ') || 'none'}.`);
  for (const note of [...notes, ...items.listNotes(), ...unfit]) tellError(io, 'mock', note);
  return placed;
}

/** Reads an HTTP Archive or a report.json. Throws `PetstoreError` for anything else. */
export async function readRecording(
  contract: Contract,
  items: ObservedItems,
  file: string,
): Promise<ItemSource> {
  const { base, observations, others } = await readJsonFile(
    file,
    'an HTTP Archive or a report.json of conform',
    (value) =>
      isJsonObject(value) && value['format'] !== undefined
        ? readReport(contract, value)
        : readArchive(contract, value, file),
  );
  for (const observation of observations) items.take(observation);
  const left = others + observations.length - items.seen;
  const place = base || 'its address';
  const note = `${countOf(left, 'request')} of ${file} to no operation at ${place}: left out.`;
  return {
    name: base === undefined ? file : `${file}, at ${base}`,
    notes: left === 0 ? [] : [note],
  };
}

interface Recording {
  readonly base?: string | undefined;
  readonly observations: readonly Observation[];
  /** Exchanges with other addresses. */
  readonly others: number;
}

async function readArchive(contract: Contract, value: JsonValue, file: string): Promise<Recording> {
  const recorded = readHarValue(value, await loadAttachedBodies(value, file));
  // A cached response may be out of date.
  const own = recorded.filter(({ response, foreign }) => response && foreign === undefined);
  const base = inferAnyBaseUrl(contract, own);
  const observations = own.flatMap(({ request, response }): Observation[] => {
    const target = base === undefined ? undefined : relativeTarget(request.url, base);
    if (target === undefined || response === undefined) return [];
    const { status, body } = response;
    const missing = body.kind === 'unknown' ? body.reason : undefined;
    const [sent, received] = [request.body, body].map(jsonOf);
    return [{ method: request.method, target, status, sent, received, missing }];
  });
  return { base, observations, others: own.length - observations.length };
}

function jsonOf(body: RecordedBody): JsonValue | undefined {
  return body.kind === 'whole' ? readJson(body.text) : undefined;
}

function readReport(contract: Contract, value: JsonValue): Recording {
  const { exchanges } = readJsonReport(value, contract);
  const observations = exchanges.flatMap(({ request, outcome }) =>
    outcome.kind === 'answered' ? [observationOf(request, outcome.response)] : [],
  );
  return { observations, others: 0 };
}

/** Number of invalid items of a collection that are listed one by one. */
const mostTold = 5;

/** Puts the items into a mock that is only made to see which fit. `unfit`: a sentence each. */
async function placeItems(
  contract: Contract,
  { collections }: ObservedItems,
): Promise<TrafficSeed & { readonly unfit: readonly string[] }> {
  const sandbox = (await createMock(contract, { seed: {} }).control()).sandbox('main');
  const unfit: string[] = [];
  const items: Record<string, readonly JsonObject[]> = {};
  const certain = new Set(Object.keys(sandbox.readState()));
  // What the traffic does not show is not there.
  for (const { path, template } of sandbox.collections)
    if (!certain.has(path) && !template.includes('{')) items[path] = [];
  for (const [path, seen] of collections) {
    const collection = sandbox.collection(path);
    if (collection === undefined) continue;
    for (const id of collection.ids) collection.remove(id);
    const reasons: string[] = [];
    const fitting: JsonObject[] = [];
    for (const [id, item] of seen) {
      try {
        collection.add(item);
        fitting.push(item);
      } catch (error) {
        if (!hasCode(error, 'seed')) throw error;
        reasons.push(`${path}/${id} is left out: ${error.message}`);
      }
    }
    if (!certain.has(path)) items[path] = fitting;
    unfit.push(...reasons.slice(0, mostTold));
    if (reasons.length > mostTold)
      unfit.push(`${reasons.length - mostTold} more items of ${path} are left out.`);
  }
  return { seed: sandbox.readState(), isSeedTrusted: true, items, unfit };
}
