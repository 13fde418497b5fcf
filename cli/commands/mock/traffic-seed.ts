import {
  codec,
  type Contract,
  hasCode,
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
} from '../../../contract/index.ts';
import { createMock, type Seed } from '../../../mock/index.ts';
import {
  explainZip,
  isZip,
  loadAttachedBodies,
  readHarValue,
  type RecordedBody,
} from '../../../traffic/index.ts';
import { countOf } from '../../../view/count.ts';
import { argumentError } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { parseInput, readInput } from '../../io/file.ts';
import { tellError } from '../../io/terminal.ts';
import {
  type CollectedItems,
  collectItems,
  type Observation,
  type PlacedObservation,
  placeObservations,
  readJson,
} from './observed-items.ts';

/** Items out of traffic, for a mock. */
export interface TrafficSeed {
  readonly seed: { readonly seed: Seed; readonly isSeedTrusted: true };
  /** Of collections that the document only hints at, and no seed reaches. */
  readonly items: Readonly<Record<string, readonly JsonObject[]>>;
}

interface Wanted {
  /** What `--seed` says. */
  readonly seed: string | undefined;
  /** A file, or a base URL. */
  readonly seedFrom: string | undefined;
  readonly apiKey: string | undefined;
}

/** Items of `--seed-from`; prints what was read and what is left out. Throws `PetstoreError`. */
export async function openTrafficSeed(
  contract: Contract,
  { seed, seedFrom: source = '', apiKey }: Wanted,
  io: CommandIo,
): Promise<TrafficSeed> {
  if (seed !== undefined) throw argumentError('Use either --seed or --seed-from, not both.');
  const read = await readSource(contract, source, apiKey, io.signal);
  if (read.observations.length === 0)
    throw argumentError(
      `${source} has no request to an operation of ${contract.source}${read.notes.length === 0 ? '' : `: ${read.notes.join(' ')}`}`,
    );
  const collected = collectItems(contract, read.observations);
  const { placed, notes } = await placeItems(contract, collected);
  const counts = [...collected.collections].map(([path, { size }]) => `${size} of ${path}`);
  tellError(io, 'mock', `items from ${read.name}: ${counts.join(', ') || 'none'}.`);
  for (const note of [...read.notes, ...collected.notes, ...notes]) tellError(io, 'mock', note);
  return placed;
}

interface Source {
  /** What it is, for people. */
  readonly name: string;
  readonly observations: readonly PlacedObservation[];
  readonly notes: readonly string[];
}

async function readSource(
  contract: Contract,
  source: string,
  apiKey: string | undefined,
  signal: AbortSignal,
): Promise<Source> {
  if (/^https?:\/\//i.test(source)) {
    if (!URL.canParse(source)) throw argumentError('--seed-from is not a valid URL.');
    const { readServer } = await import('./running-server.ts');
    const { observations, requests, notes } = await readServer(contract, source, apiKey, signal);
    const { origin, pathname } = new URL(source);
    return {
      name: `${origin}${pathname}, by ${countOf(requests, 'request')}`,
      observations,
      notes,
    };
  }
  const all = await readRecording(await readInput(source), source);
  const { base, observations, others } = placeObservations(contract, all);
  const notes = explainMissing(observations);
  if (others > 0)
    notes.push(
      `${countOf(others, 'request')} of ${source} to no operation at ${base || 'its address'}: left out.`,
    );
  return { name: base === '' ? source : `${source}, at ${base}`, observations, notes };
}

/** Responses whose items are not in the recording, by the reason. */
function explainMissing(observations: readonly PlacedObservation[]): string[] {
  const counts = new Map<string, number>();
  for (const { missing } of observations)
    if (missing !== undefined) counts.set(missing, (counts.get(missing) ?? 0) + 1);
  return [...counts].map(
    ([reason, count]) => `no items from ${countOf(count, 'response')}: the body ${reason}.`,
  );
}

/** Number of invalid items of a collection that are listed one by one. */
const mostTold = 5;

/** Puts the items into a mock that is only made to see which fit. */
async function placeItems(
  contract: Contract,
  { collections }: CollectedItems,
): Promise<{ readonly placed: TrafficSeed; readonly notes: readonly string[] }> {
  const sandbox = (await createMock(contract, { seed: {} }).control()).sandbox('main');
  const notes: string[] = [];
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
    const fitting = [...seen].flatMap(([id, item]) => {
      try {
        collection.add(item);
        return [item];
      } catch (error) {
        if (!hasCode(error, 'seed')) throw error;
        unfit.push(`${path}/${id} is left out: ${error.message}`);
        return [];
      }
    });
    if (!certain.has(path)) items[path] = fitting;
    notes.push(...unfit.slice(0, mostTold));
    if (unfit.length > mostTold)
      notes.push(`${unfit.length - mostTold} more items of ${path} are left out.`);
  }
  return { placed: { seed: { seed: sandbox.readState(), isSeedTrusted: true }, items }, notes };
}

/** Exchanges of a report.json, as far as items are read from them. */
const reportFile = codec.openObject({
  exchanges: codec.list(
    codec.openObject({
      request: codec.openObject({
        method: codec.text,
        target: codec.text,
        body: codec.orNull(codec.text),
      }),
      outcome: codec.openObject({
        response: codec.optional(
          codec.openObject({ status: codec.whole(100, 999), body: codec.text }),
        ),
      }),
    }),
  ),
});

/** Reads an HTTP Archive or a report.json. Throws `PetstoreError` for anything else. */
export async function readRecording(text: string, file: string): Promise<readonly Observation[]> {
  if (isZip(text)) throw argumentError(explainZip(file));
  try {
    const value = parseInput(text);
    if (isJsonObject(value) && isJsonObject(value['log'])) return await readArchive(value, file);
    if (isJsonObject(value) && value['exchanges'] !== undefined) return readReport(value);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) && !hasCode(error, 'shape')) throw error;
    throw argumentError(`${file} cannot be read: ${error.message}.`, error);
  }
  throw argumentError(`${file} is not an HTTP Archive or a report.json of conform.`);
}

async function readArchive(value: JsonValue, file: string): Promise<readonly Observation[]> {
  const attached = await loadAttachedBodies(value, file);
  return readHarValue(value, attached).flatMap(({ request, response, foreign }) =>
    // A cached response may be out of date.
    response === undefined || foreign !== undefined
      ? []
      : [
          {
            method: request.method,
            address: request.url,
            status: response.status,
            sent: jsonOf(request.body),
            received: jsonOf(response.body),
            ...(response.body.kind === 'unknown' ? { missing: response.body.reason } : {}),
          },
        ],
  );
}

function jsonOf(body: RecordedBody): JsonValue | undefined {
  return body.kind === 'whole' ? readJson(body.text) : undefined;
}

function readReport(value: JsonValue): readonly Observation[] {
  return reportFile.read(value, '').exchanges.flatMap(({ request, outcome: { response } }) =>
    response === undefined
      ? []
      : [
          {
            method: request.method,
            address: request.target,
            status: response.status,
            sent: readJson(request.body ?? ''),
            received: readJson(response.body),
          },
        ],
  );
}
