import { readJson } from '../../../conformance/index.ts';
import type { Contract } from '../../../contract/contract.ts';
import { hasCode } from '../../../contract/error/petstore-error.ts';
import { isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { createMock, type Seed } from '../../../mock/index.ts';
import { countOf } from '../../../page/view/count.ts';
import { readJsonReport } from '../../../report/json.ts';
import {
  inferAnyBaseUrl,
  loadAttachedBodies,
  readHarValue,
  relativeTarget,
  type RecordedBody,
} from '../../../traffic/index.ts';
import { argumentError } from '../../io/command-failure.ts';
import { type CommandIo, printError } from '../../io/command-io.ts';
import { readJsonFile } from '../../io/file.ts';
import { type Observation, observationOf, ObservedItems } from './observed-items.ts';
import { readServer } from './running-server.ts';

/** The value of `--seed-from`, and the API key if it is a server. */
export interface SeedSource {
  /** An HTTP Archive, a `report.json`, or the base URL of a running server. */
  readonly source: string;
  readonly apiKey: string | undefined;
}

/**
 * Reads the items of `--seed-from`, and prints what was read and what was skipped. Throws
 * `PetstoreError`.
 */
export async function openTrafficSeed(
  contract: Contract,
  source: SeedSource,
  io: CommandIo,
): Promise<Seed> {
  const { from, items } = await collectItems(contract, source, io.signal);
  if (items.seen === 0)
    throw argumentError(
      [`${from} has no request to an operation of ${contract.source}`, ...items.notes].join(': '),
    );
  const seed = await placeItems(contract, items);
  const counts = [...items.collections].map(([path, { size }]) => `${size} of ${path}`);
  printError(io, 'mock', `items from ${from}: ${counts.join(', ') || 'none'}.`);
  for (const note of items.notes) printError(io, 'mock', note);
  return seed;
}

/** The items, and a description of their source. Throws `PetstoreError`. */
export async function collectItems(
  contract: Contract,
  { source, apiKey }: SeedSource,
  signal: AbortSignal,
): Promise<{ readonly from: string; readonly items: ObservedItems }> {
  const items = new ObservedItems(contract);
  if (/^https?:\/\//i.test(source))
    return { from: await readServer(contract, items, source, apiKey, signal), items };
  const { base, observations } = await readJsonFile(
    source,
    'an HTTP Archive or a report.json of conform',
    (value) =>
      isJsonObject(value) && value['format'] !== undefined
        ? readReport(contract, value)
        : readArchive(contract, value, source),
  );
  for (const observation of observations) if (observation) items.take(observation);
  const left = observations.length - items.seen;
  const place = base || 'its address';
  if (left > 0)
    items.note(`${countOf(left, 'request')} of ${source} to no operation at ${place}: left out.`);
  return { from: base === undefined ? source : `${source}, at ${base}`, items };
}

interface Recording {
  readonly base?: string | undefined;
  /** Undefined if the exchange is with another address. */
  readonly observations: readonly (Observation | undefined)[];
}

function readReport(contract: Contract, value: JsonValue): Recording {
  const { exchanges } = readJsonReport(value, contract);
  const observations = exchanges.flatMap(({ request, outcome }) =>
    outcome.kind === 'answered' ? [observationOf(request, outcome.response)] : [],
  );
  return { observations };
}

async function readArchive(contract: Contract, value: JsonValue, file: string): Promise<Recording> {
  const recorded = readHarValue(value, await loadAttachedBodies(value, file));
  // A cached response may be out of date.
  const own = recorded.filter(({ response, foreign }) => response && foreign === undefined);
  const base = inferAnyBaseUrl(contract, own);
  const observations = own.map(({ request, response }): Observation | undefined => {
    const target = base === undefined ? undefined : relativeTarget(request.url, base);
    if (target === undefined || response === undefined) return undefined;
    const { status, body } = response;
    const missing = body.kind === 'unknown' ? body.reason : undefined;
    const [sent, received] = [request.body, body].map(jsonOf);
    return { method: request.method, target, status, sent, received, missing };
  });
  return { base, observations };
}

function jsonOf(body: RecordedBody): JsonValue | undefined {
  return body.kind === 'whole' ? readJson(body.text) : undefined;
}

/** Seeds an otherwise empty mock to find out which of the items fit. */
async function placeItems(contract: Contract, observed: ObservedItems): Promise<Seed> {
  const sandbox = (await createMock(contract, { seed: {} }).control()).sandbox('main');
  for (const [path, seen] of observed.collections) {
    const collection = sandbox.collection(path);
    if (collection === undefined) continue;
    for (const id of collection.ids) collection.remove(id);
    for (const [id, item] of seen)
      try {
        collection.add(item);
      } catch (error) {
        if (!hasCode(error, 'seed')) throw error;
        observed.note(`${path}/${id} is left out: ${error.message}`);
      }
  }
  return sandbox.readState();
}
