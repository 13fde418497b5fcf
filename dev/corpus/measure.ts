import { Client, type Received, idInBody, itemParameter } from './client.ts';
import { type Operation, readDocument } from './document.ts';
import { parseOrNothing } from './json.ts';
import type { CorpusDocument } from './manifest.ts';
import { type PairRow, tryPairs } from './pairs.ts';
import { type ConformanceResult, type LoadResult, conform, startServer } from './server.ts';
import { buildRequest } from './request.ts';
import { type Verdict, judgeResponse } from './verdict.ts';

/** The measurement of one document, stored as JSON. */
export interface DocumentResult {
  readonly id: string;
  readonly load: LoadResult;
  /** Why the document could not be read here; then no request was sent. */
  readonly unread?: string;
  readonly answers?: AnswerResult;
  /** With every optional query parameter. */
  readonly optional?: AnswerResult;
  readonly pairs?: readonly PairRow[];
  readonly conformance?: ConformanceResult;
}

export interface AnswerResult {
  readonly rows: readonly OperationRow[];
  /** Operations that were not reached in time. */
  readonly unreached: number;
}

/** The result of the request for one operation. */
export interface OperationRow extends Verdict {
  readonly operation: string;
  /** Why the response proves nothing: no valid request could be made. */
  readonly doubts?: readonly string[];
  /** The beginning of an incorrect response. */
  readonly text?: string;
}

/** Time limit of each part in milliseconds. */
const limits = { answers: 45_000, optional: 20_000, pairs: 15_000, conform: 60_000 };

/** Starts the mock of a document and measures it. */
export async function measureDocument(
  document: CorpusDocument,
  withConformance: boolean,
): Promise<DocumentResult> {
  const { id, file } = document;
  const { load, base, stop } = await startServer(document);
  if (base === undefined) return { id, load };
  const requests = askServer(file, base);
  const found = await requests.catch((error: unknown) => ({ unread: String(error).slice(0, 300) }));
  await stop();
  const result = { id, load, ...found };
  return withConformance
    ? { ...result, conformance: await conform(document, limits.conform) }
    : result;
}

/** Measures a server that listens. Rejects if the document cannot be read. */
async function askServer(
  file: string,
  base: string,
): Promise<Pick<DocumentResult, 'answers' | 'optional' | 'pairs'>> {
  const client = new Client(await readDocument(file), base);
  const seen: LearnedIds = new Map();
  const sorted = client.operations.toSorted(
    (one, other) => order.indexOf(one.method) - order.indexOf(other.method),
  );
  const open = client.operations.filter(({ parameters }) =>
    parameters.some((one) => one.in === 'query' && !one.required),
  );
  return {
    answers: await askEach(client, sorted, seen, limits.answers, false),
    optional: await askEach(client, open, seen, limits.optional, true),
    pairs: await tryPairs(client, limits.pairs),
  };
}

/** Creations come first, because they show ids for later requests; deletions last. */
const order = ['POST', 'GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'PATCH', 'DELETE'];

/** Ids from responses, by the path of their collection. */
type LearnedIds = Map<string, unknown>;

/** Sends one valid request per operation, within the time limit. */
async function askEach(
  client: Client,
  operations: readonly Operation[],
  seen: LearnedIds,
  milliseconds: number,
  optional: boolean,
): Promise<AnswerResult> {
  const end = performance.now() + milliseconds;
  const rows: OperationRow[] = [];
  for (const operation of operations) {
    if (performance.now() > end) break;
    const request = buildRequest(client, operation, seen, { optional });
    const received = await client.send(request);
    const verdict = judgeResponse(client, operation, received);
    const isGood = verdict.outcome === 'success' && verdict.body !== 'invalid';
    if (verdict.outcome === 'success') learnId(client, operation, request.path, received, seen);
    rows.push({
      operation: operation.id,
      ...verdict,
      ...(request.doubts.length === 0 ? {} : { doubts: request.doubts }),
      ...(isGood || received.status === undefined ? {} : { text: received.text.slice(0, 260) }),
    });
  }
  return { rows, unreached: operations.length - rows.length };
}

/** Stores the first id that a collection shows, for requests below it. */
function learnId(
  { operations }: Client,
  { method, path }: Operation,
  sentPath: string,
  received: Received,
  seen: LearnedIds,
): void {
  if (seen.has(sentPath) || received.status === undefined || !/^(POST|GET)$/.test(method)) return;
  const names = operations.map((one) => itemParameter(path, one.path));
  const parameter = names.find((name) => name !== undefined);
  if (parameter === undefined) return;
  const id = idInBody(parseOrNothing(received.text), path, parameter);
  if (id !== undefined) seen.set(sentPath, id);
}
