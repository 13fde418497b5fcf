import type { Contract } from '../../contract/contract.ts';
import { parseJson, type JsonValue } from '../../contract/json/value.ts';
import { runConformance, type RunOptions } from '../../conformance/index.ts';
import { answered, createFakeSender } from './fake-sender.ts';
import { listIds } from './judge-document.ts';
import { createStillClock } from './still-clock.ts';

/** A request as a small server reads it. */
export interface PlainRequest {
  readonly method: string;
  /** The segments of the path, decoded. */
  readonly steps: readonly string[];
  readonly query: URLSearchParams;
  /** Undefined if none was sent, or it is not JSON. */
  readonly body: JsonValue | undefined;
}

/** Status, body and headers of a response. */
export type Answer = readonly [
  status: number,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
];

/**
 * The requirements that fail in two runs against one server, which keeps what the first one left.
 * Requirements that are only recommended count, too.
 */
export async function judgeTwice(
  contract: Contract,
  answer: (request: PlainRequest) => Answer,
  options: RunOptions = {},
): Promise<readonly string[]> {
  const sender = createFakeSender(({ method, url, body }) => {
    const { pathname, searchParams: query } = new URL(url);
    const steps = pathname.split('/').slice(1).map(decodeURIComponent);
    return answered(...answer({ method, steps, query, body: readBody(body) }));
  });
  const failed: string[] = [];
  for (const seed of [1, 2]) {
    const target = { baseUrl: 'http://server.test', apiKey: undefined };
    const own = { clock: createStillClock(), sender, requests: 120, seed, ...options };
    failed.push(...listIds(await runConformance(contract, target, own), 'failed'));
  }
  return [...new Set(failed)];
}

function readBody(text: string | undefined): JsonValue | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
