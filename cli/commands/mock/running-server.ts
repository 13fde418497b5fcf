import { setTimeout as sleep } from 'node:timers/promises';
import {
  createSender,
  headerOf,
  readRateLimit,
  type ReceivedResponse,
  resolveTarget,
  type Sender,
} from '../../../conformance/index.ts';
import {
  compilePathMatch,
  type Contract,
  findPageParameters,
  type InferredResource,
  isJsonObject,
  type JsonValue,
  type Operation,
  renderCredential,
  renderJson,
  trimEnd,
} from '../../../contract/index.ts';
import { argumentError } from '../../io/command-failure.ts';
import { itemsIn, type ObservedItems, operationOf, readJson } from './observed-items.ts';

/** Requests that are sent at most: a seed is to try clients with, and no backup. */
const mostRequests = 200;

/** Items a page as many as the document allows, up to this. */
const pageSize = 100;

/** Milliseconds that a rate limit is waited for at most. */
const longestWait = 60_000;

/** Milliseconds for one response. */
const patience = 30_000;

/** What was read of a running server. */
interface ServerReading {
  readonly requests: number;
  /** What was not read, a sentence each. */
  readonly notes: readonly string[];
}

/** Reads the lists of a server, then those within the items that they show. */
export async function readServer(
  contract: Contract,
  items: ObservedItems,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string | undefined },
  signal: AbortSignal,
): Promise<ServerReading> {
  const { origin, pathname } = new URL(baseUrl);
  await using sender = createSender({ timeout: patience, verifyTls: true });
  signal.addEventListener('abort', () => void sender[Symbol.asyncDispose](), { once: true });
  const base = trimEnd(`${origin}${pathname}`, '/');
  const reader = new ServerReader(contract, items, { base, apiKey, sender, signal });
  await reader.read();
  return reader;
}

interface Source {
  readonly base: string;
  readonly apiKey: string | undefined;
  readonly sender: Sender;
  readonly signal: AbortSignal;
}

/** A response, as far as it is read. */
interface Received {
  readonly status: number;
  readonly json: JsonValue | undefined;
  readonly link: string | undefined;
}

/** Sends one request after another, and waits where the rate limit of the document, or a 429, asks for it. */
class ServerReader implements ServerReading {
  requests = 0;
  readonly notes: string[] = [];
  /** Nothing more is asked. */
  #isEnded = false;
  /** When the next request may be sent, milliseconds since 1970. */
  #readyAt = 0;
  readonly #contract: Contract;
  readonly #items: ObservedItems;
  readonly #source: Source;

  constructor(contract: Contract, items: ObservedItems, source: Source) {
    this.#contract = contract;
    this.#items = items;
    this.#source = source;
  }

  async read(): Promise<void> {
    const resources = this.#contract.inferredResources.filter(({ isSingle }) => !isSingle);
    for (const resource of resources.toSorted(byDepth)) {
      const list = operationOf(resource, 'list');
      if (list === undefined) continue;
      for (const path of this.#pathsOf(resource)) await this.#readList(resource, list, path);
    }
    for (const resource of resources) await this.#readShown(resource);
  }

  /** The paths of a collection: one within each item of the collection that it is within. */
  #pathsOf({ path, parents }: InferredResource): readonly string[] {
    if (parents.length === 0) return [path];
    const [, parentPath = '', rest = ''] = /^(.*)\/\{[^{}]*\}(\/[^{}]*)$/.exec(path) ?? [];
    return this.#addressesIn(parentPath).map((address) => `${address}${rest}`);
  }

  /** The addresses of all items that were seen in collections of a path template. */
  #addressesIn(template: string): readonly string[] {
    const match = compilePathMatch(template);
    return [...this.#items.collections].flatMap(([path, items]) =>
      match(path) === undefined
        ? []
        : [...items.keys()].map((id) => `${path}/${encodeURIComponent(id)}`),
    );
  }

  async #readList(resource: InferredResource, list: Operation, path: string): Promise<void> {
    const { view } = resource.success(list);
    const members = view?.item.shape().properties;
    const parameters = findPageParameters(list, (name) => members?.has(name) === true);
    const { size, cursor, offset, page } = parameters;
    const most = Number(size?.schema.shape().maximum?.value ?? pageSize);
    const wanted = Math.min(pageSize, most);
    const seen = new Set<string>();
    let query: URLSearchParams | undefined = new URLSearchParams();
    if (size !== undefined) query.set(size.name, `${wanted}`);
    while (query !== undefined) {
      const received = await this.#ask(list, path, query);
      if (received === undefined) return;
      const { status, json, link } = received;
      if (status < 200 || status > 299) {
        this.notes.push(`GET ${path} returned ${status} and is left out.`);
        return;
      }
      const shown = renderJson(json ?? null);
      // A server that ignores the paging would show the same page for ever.
      if (seen.has(shown)) return;
      seen.add(shown);
      const count = view === undefined ? 0 : itemsIn(json, view).length;
      const isPaged = (cursor ?? offset ?? page) !== undefined || nextLink(link) !== undefined;
      if (size !== undefined && !isPaged && count >= wanted)
        this.notes.push(
          `GET ${path} returned ${wanted} items, the maximum, and has no further pages: there may be more.`,
        );
      query = count === 0 ? undefined : nextQuery(parameters, received, query, count);
    }
  }

  /** Reads items one by one where their list shows less of them. */
  async #readShown(resource: InferredResource): Promise<void> {
    const [list, get] = [operationOf(resource, 'list'), operationOf(resource, 'get')];
    if (list === undefined || get === undefined || resource.itemPath === undefined) return;
    const listed = resource.success(list).view?.item;
    const shown = resource.success(get).view?.item;
    if (listed === undefined || shown === undefined || listed.pointer === shown.pointer) return;
    for (const address of this.#addressesIn(resource.path))
      await this.#ask(get, address, new URLSearchParams());
  }

  /** Undefined once nothing more may be asked. Rejects with `PetstoreError` if there is no response. */
  async #ask(
    { credential }: Operation,
    path: string,
    query: URLSearchParams,
  ): Promise<Received | undefined> {
    const { base, apiKey, sender, signal } = this.#source;
    const field = apiKey === undefined ? undefined : renderCredential(credential, apiKey);
    const sent = new URLSearchParams(query);
    if (field?.in === 'query') sent.set(field.name, field.value);
    const headers: (readonly [string, string])[] = [['accept', 'application/json']];
    if (field?.in === 'header') headers.push([field.name, field.value]);
    if (field?.in === 'cookie') headers.push(['cookie', `${field.name}=${field.value}`]);
    const url = resolveTarget(base, `${path}${sent.size === 0 ? '' : `?${sent.toString()}`}`);
    if (url === undefined) return undefined;
    for (let attempt = 0; attempt < 3 && !this.#isEnded; attempt += 1) {
      const wait = this.#readyAt - Date.now();
      if (this.requests >= mostRequests) this.#end(`after ${mostRequests} requests`);
      else if (wait > longestWait)
        this.#end(`the server asks to wait ${Math.ceil(wait / 1000)} s`, ':');
      if (this.#isEnded) return undefined;
      if (wait > 0) await sleep(wait, undefined, { signal });
      this.requests += 1;
      const outcome = await sender.send({ url, method: 'GET', headers, body: undefined });
      if (outcome.kind === 'no-response') throw explainOutcome(path, outcome.error);
      const { response } = outcome;
      const { status } = response;
      this.#followLimit(response);
      if (status === (this.#contract.rateLimit?.status ?? 429)) continue;
      const json = readJson(response.body.replace(/^\uFEFF/, ''));
      this.#items.take({ method: 'GET', target: path, status, sent: undefined, received: json });
      return { status, json, link: headerOf(response, 'link') };
    }
    if (!this.#isEnded) this.#end('the server keeps returning its rate-limit error', ':');
    return undefined;
  }

  #end(reason: string, mark = ''): void {
    this.#isEnded = true;
    this.notes.push(`Stopped reading${mark} ${reason}.`);
  }

  #followLimit(response: ReceivedResponse): void {
    const { headers, status = 429 } = this.#contract.rateLimit ?? {};
    const after = headerOf(response, headers?.retryAfter ?? 'Retry-After') ?? '';
    const { remaining, reset } = headers === undefined ? {} : readRateLimit(response, headers);
    const now = Date.now();
    const date = Date.parse(headerOf(response, 'date') ?? '') || now;
    const untilReset = reset === undefined ? 1000 : reset * 1000 - date;
    if (response.status === status)
      this.#readyAt =
        now + (/^\d+(\.\d+)?$/.test(after) ? Number(after) * 1000 : Math.max(1000, untilReset));
    else if (remaining === 0) this.#readyAt = now + Math.max(0, untilReset);
  }
}

function byDepth(one: InferredResource, other: InferredResource): number {
  return one.parents.length - other.parents.length;
}

/** Reasons for which a response came and cannot be read. */
const unreadable: ReadonlySet<string> = new Set(['too-large', 'endless', 'undecodable']);

function explainOutcome(
  path: string,
  { reason, message }: { readonly reason: string; readonly message: string },
): Error {
  return argumentError(
    unreadable.has(reason)
      ? `The server of --seed-from sent a response to GET ${path} that cannot be read: ${message}.`
      : `The server of --seed-from does not respond to GET ${path} (${message}).`,
  );
}

/** The query of the next page, by a link, a token, an offset or a number; undefined after the last. */
function nextQuery(
  { cursor, offset, page, firstPage }: ReturnType<typeof findPageParameters>,
  { json, link }: Received,
  query: URLSearchParams,
  count: number,
): URLSearchParams | undefined {
  const linked = nextLink(link);
  if (linked !== undefined) return linked;
  const next = new URLSearchParams(query);
  const token = cursor === undefined ? undefined : cursorIn(json);
  if (cursor !== undefined && token !== undefined) next.set(cursor.name, token);
  else if (offset !== undefined)
    next.set(offset.name, `${Number(query.get(offset.name) ?? 0) + count}`);
  else if (page !== undefined)
    next.set(page.name, `${Number(query.get(page.name) ?? firstPage) + 1}`);
  else return undefined;
  return next;
}

/** The query of a `Link` to the next page (RFC 8288). */
function nextLink(link: string | undefined): URLSearchParams | undefined {
  const [, address] = /<([^<>]*)>[^,]*;\s*rel="?next"?/i.exec(link ?? '') ?? [];
  const mark = address?.indexOf('?') ?? -1;
  return address === undefined || mark < 0 ? undefined : new URLSearchParams(address.slice(mark));
}

const tokenNames =
  /^(next|next_?cursor|cursor|next_?page_?token|next_?token|continuation_?token)$/i;

/** A token of the next page beside the items, or one member deeper. */
function cursorIn(json: JsonValue | undefined, depth = 0): string | undefined {
  if (!isJsonObject(json) || depth > 1) return undefined;
  for (const [name, value] of Object.entries(json))
    if (tokenNames.test(name) && typeof value === 'string' && value !== '') return value;
  for (const value of Object.values(json)) {
    const found = cursorIn(value, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
