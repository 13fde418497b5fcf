import { setTimeout as sleep } from 'node:timers/promises';
import { createSender, headerOf, type Outcome } from '../../../../conformance/index.ts';
import type { Contract, JsonValue } from '../../../../contract/index.ts';
import { argumentError } from '../../../io/command-failure.ts';
import { readJson } from './observation.ts';

/** A response, as far as it is read. */
export interface Received {
  readonly status: number;
  readonly json: JsonValue | undefined;
  readonly link: string | undefined;
}

/** Asks a server one request after another, as often as it lets itself be asked. */
export interface Requester extends AsyncDisposable {
  /** Undefined once no more may be asked. Rejects with `PetstoreError` where nobody responds. */
  get(
    url: string,
    headers: readonly (readonly [string, string])[],
    name: string,
  ): Promise<Received | undefined>;
  readonly count: number;
  /** Why no more was asked, a sentence; undefined where all was. */
  readonly end: string | undefined;
}

interface RequesterOptions {
  /** Requests at most. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Longer a server is not waited for, in milliseconds. */
const longestWait = 60_000;

/** For one response. */
const patience = 30_000;

type Answered = Extract<Outcome, { readonly kind: 'answered' }>;

/** Why no response to a request can be read. Follows "The server". */
function explain(
  { reason, message }: Extract<Outcome, { readonly kind: 'no-response' }>['error'],
  name: string,
): string {
  const isUnread = reason === 'too-large' || reason === 'endless' || reason === 'undecodable';
  return isUnread
    ? `gave GET ${name} a response that is not read: ${message}`
    : `does not respond to GET ${name} (${message})`;
}

/** Waits where the rate limit of the document, or a 429, asks for it. */
export function createRequester(
  { rateLimit }: Contract,
  { most, signal }: RequesterOptions,
): Requester {
  let count = 0;
  let end: string | undefined;
  let readyAt = 0;
  const names = rateLimit?.headers;
  const sender = createSender({ timeout: patience, verifyTls: true });
  const stop = (): void => void sender[Symbol.asyncDispose]();
  signal.addEventListener('abort', stop, { once: true });
  const note = (response: Answered['response']): void => {
    const number = (name: string | undefined): number | undefined => {
      const text = name === undefined ? undefined : headerOf(response, name);
      return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
    };
    const isLimited = response.status === (rateLimit?.status ?? 429);
    const after = number(names?.retryAfter ?? 'Retry-After');
    const reset = number(names?.reset);
    const date = Date.parse(headerOf(response, 'date') ?? '');
    const now = Date.now();
    const untilReset =
      reset === undefined ? 1000 : reset * 1000 - (Number.isNaN(date) ? now : date);
    if (isLimited)
      readyAt = now + (after === undefined ? Math.max(1000, untilReset) : after * 1000);
    else if (number(names?.remaining) === 0) readyAt = now + Math.max(0, untilReset);
  };
  const send: Requester['get'] = async (url, headers, name) => {
    count += 1;
    const outcome = await sender.send({ url, method: 'GET', headers, body: undefined });
    if (outcome.kind === 'no-response')
      throw argumentError(`The server of --seed-from ${explain(outcome.error, name)}.`);
    const { response } = outcome;
    note(response);
    const json = readJson(response.body.replace(/^\uFEFF/, ''));
    return { status: response.status, json, link: headerOf(response, 'link') };
  };
  return {
    async get(url, headers, name) {
      for (let attempt = 0; attempt < 3 && end === undefined; attempt += 1) {
        const wait = readyAt - Date.now();
        if (count >= most) end = `After ${most} requests no more was read.`;
        else if (wait > longestWait)
          end = `The server wants a wait of ${Math.ceil(wait / 1000)} s: no more was read.`;
        if (end !== undefined) return undefined;
        if (wait > 0) await sleep(wait, undefined, { signal });
        const received = await send(url, headers, name);
        if (received?.status !== (rateLimit?.status ?? 429)) return received;
      }
      end ??= 'The server goes on to refuse for its rate limit: no more was read.';
      return undefined;
    },
    get count() {
      return count;
    },
    get end() {
      return end;
    },
    [Symbol.asyncDispose]: async () => {
      signal.removeEventListener('abort', stop);
      await sender[Symbol.asyncDispose]();
    },
  };
}
