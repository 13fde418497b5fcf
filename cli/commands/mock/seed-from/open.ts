import { type Contract, type JsonObject, hasCode } from '../../../../contract/index.ts';
import { type Seed, createMock } from '../../../../mock/index.ts';
import { countOf } from '../../../../view/count.ts';
import { argumentError } from '../../../io/command-failure.ts';
import type { CommandIo } from '../../../io/command-io.ts';
import { tellError } from '../../../io/terminal.ts';
import { type CollectedItems, collectItems } from './collect.ts';
import { type PlacedObservation, placeObservations } from './observation.ts';
import { readRecording } from './recording.ts';
import { readInput } from '../../../input/file.ts';

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

/** Items of `--seed-from`; what was read and what is left out is told. Throws `PetstoreError`. */
export async function openTrafficSeed(
  contract: Contract,
  { seed, seedFrom: source = '', apiKey }: Wanted,
  io: CommandIo,
): Promise<TrafficSeed> {
  if (seed !== undefined) throw argumentError('--seed and --seed-from exclude one another.');
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
    if (!URL.canParse(source)) throw argumentError('--seed-from is no URL.');
    const { readServer } = await import('./server.ts');
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
    ([reason, count]) => `no items out of ${countOf(count, 'response')}: the body ${reason}.`,
  );
}

/** Of one collection so many items that do not fit are told one by one. */
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
      notes.push(`So are ${unfit.length - mostTold} more items of ${path}.`);
  }
  return { placed: { seed: { seed: sandbox.readState(), isSeedTrusted: true }, items }, notes };
}
