import {
  type Contract,
  hasCode,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../contract/index.ts';
import { readJson } from '../../../conformance/index.ts';
import { createMock, type Seed } from '../../../mock/index.ts';
import { readJsonReport } from '../../../report/read-json.ts';
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
    ? await readAddress(contract, items, source, apiKey, io.signal)
    : await readRecording(contract, items, source);
  if (items.seen === 0)
    throw argumentError(
      `${source} has no request to an operation of ${contract.source}${notes.length === 0 ? '' : `: ${notes.join(' ')}`}`,
    );
  const { placed, unfit } = await placeItems(contract, items);
  const counts = [...items.collections].map(([path, { size }]) => `${size} of ${path}`);
  tellError(io, 'mock', `items from ${name}: ${counts.join(', ') || 'none'}.`);
  for (const note of [...notes, ...items.listNotes(), ...unfit]) tellError(io, 'mock', note);
  return placed;
}

/** Where items were read, for people, and what was not, a sentence each. */
interface Source {
  readonly name: string;
  readonly notes: readonly string[];
}

async function readAddress(
  contract: Contract,
  items: ObservedItems,
  baseUrl: string,
  apiKey: string | undefined,
  signal: AbortSignal,
): Promise<Source> {
  const { readServer } = await import('./running-server.ts');
  const { address, requests, notes } = await readServer(
    contract,
    items,
    { baseUrl, apiKey },
    signal,
  );
  return { name: `${address}, by ${countOf(requests, 'request')}`, notes };
}

/** Reads an HTTP Archive or a report.json. Throws `PetstoreError` for anything else. */
export async function readRecording(
  contract: Contract,
  items: ObservedItems,
  file: string,
): Promise<Source> {
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
  return {
    name: base === undefined ? file : `${file}, at ${base}`,
    notes:
      left === 0
        ? []
        : [`${countOf(left, 'request')} of ${file} to no operation at ${place}: left out.`],
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
  const observations: Observation[] = [];
  for (const { request, response } of own) {
    const target = base === undefined ? undefined : relativeTarget(request.url, base);
    if (target === undefined || response === undefined) continue;
    const { status, body } = response;
    observations.push({
      method: request.method,
      target,
      status,
      sent: jsonOf(request.body),
      received: jsonOf(body),
      ...(body.kind === 'unknown' ? { missing: body.reason } : {}),
    });
  }
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

/** Puts the items into a mock that is only made to see which fit. */
async function placeItems(
  contract: Contract,
  { collections }: ObservedItems,
): Promise<{ readonly placed: TrafficSeed; readonly unfit: readonly string[] }> {
  const sandbox = (await createMock(contract, { seed: {} }).control()).sandbox('main');
  const all: string[] = [];
  const items: Record<string, readonly JsonObject[]> = {};
  const certain = new Set(Object.keys(sandbox.readState()));
  // What the traffic does not show is not there.
  for (const { path, template } of sandbox.collections)
    if (!certain.has(path) && !template.includes('{')) items[path] = [];
  for (const [path, seen] of collections) {
    const collection = sandbox.collection(path);
    if (collection === undefined) continue;
    for (const id of collection.ids) collection.remove(id);
    const unfit: string[] = [];
    const fitting: JsonObject[] = [];
    for (const [id, item] of seen) {
      try {
        collection.add(item);
        fitting.push(item);
      } catch (error) {
        if (!hasCode(error, 'seed')) throw error;
        unfit.push(`${path}/${id} is left out: ${error.message}`);
      }
    }
    if (!certain.has(path)) items[path] = fitting;
    all.push(...unfit.slice(0, mostTold));
    if (unfit.length > mostTold)
      all.push(`${unfit.length - mostTold} more items of ${path} are left out.`);
  }
  return { placed: { seed: sandbox.readState(), isSeedTrusted: true, items }, unfit: all };
}
