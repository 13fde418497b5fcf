import type { Operation } from '../document/operation.ts';
import type { Received } from '../request/send.ts';
import type { Bench } from './bench.ts';
import { idInBody, itemParameter } from './id-in-body.ts';
import { judgeResponse, type Verdict } from './verdict.ts';

/** What became of the request for one operation. */
export interface OperationRow extends Verdict {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** Why the request shows nothing: no lawful one could be made. */
  readonly doubts?: readonly string[];
  /** The first characters of a response that is not as it should be. */
  readonly text?: string;
}

/** Creations come first, so that what they show can be asked for; deletions last. */
const order = ['POST', 'GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'PATCH', 'DELETE'];

/** Ids that responses have shown, by the path of their collection. */
export type LearnedIds = Map<string, unknown>;

/** Sends one lawful request for each operation, for as long as the time lasts. */
export async function askOperations(
  bench: Bench,
  seen: LearnedIds,
  milliseconds: number,
): Promise<AnswerResult> {
  const sorted = bench.operations.toSorted(
    (one, other) => order.indexOf(one.method) - order.indexOf(other.method),
  );
  return askEach(sorted, milliseconds, (operation) => ask(bench, operation, seen));
}

/** The same once more for operations with optional query parameters, with all of them. */
export async function askWithOptional(
  bench: Bench,
  seen: LearnedIds,
  milliseconds: number,
): Promise<AnswerResult> {
  const optional = bench.operations.filter(({ parameters }) =>
    parameters.some((one) => one.in === 'query' && !one.required),
  );
  return askEach(optional, milliseconds, (operation) => ask(bench, operation, seen, true));
}

async function askEach(
  operations: Bench['operations'],
  milliseconds: number,
  askOne: (operation: Bench['operations'][number]) => Promise<OperationRow>,
): Promise<AnswerResult> {
  const end = performance.now() + milliseconds;
  const rows: OperationRow[] = [];
  let unreached = 0;
  for (const operation of operations) {
    if (performance.now() > end) unreached += 1;
    else rows.push(await askOne(operation));
  }
  return { rows, unreached };
}

export interface AnswerResult {
  readonly rows: readonly OperationRow[];
  /** Operations for which there was no time. */
  readonly unreached: number;
}

async function ask(
  bench: Bench,
  operation: Operation,
  seen: LearnedIds,
  optional = false,
): Promise<OperationRow> {
  const request = bench.requests.build(operation, seen, { optional });
  const received = await bench.sender.send(request);
  const verdict = judgeResponse(bench.document, bench.responseJudge, operation, received);
  const isGood = verdict.outcome === 'success' && verdict.body !== 'invalid';
  if (verdict.outcome === 'success') learnId(bench, operation, request.path, received, seen);
  return {
    operation: operation.id,
    method: operation.method,
    path: operation.path,
    ...verdict,
    ...(request.doubts.length === 0 ? {} : { doubts: request.doubts }),
    ...(isGood || received.status === undefined ? {} : { text: received.text.slice(0, 260) }),
  };
}

/** Remembers the first id that a collection shows, for the requests below it. */
function learnId(
  { operations }: Bench,
  { method, path }: Operation,
  sentPath: string,
  received: Received,
  seen: LearnedIds,
): void {
  if (seen.has(sentPath) || received.status === undefined || !/^(POST|GET)$/.test(method)) return;
  const parameter = operations
    .map((one) => itemParameter(path, one.path))
    .find((name) => name !== undefined);
  if (parameter === undefined) return;
  const id = idInBody(parseOrNothing(received.text), path, parameter);
  if (id !== undefined) seen.set(sentPath, id);
}

export function parseOrNothing(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
