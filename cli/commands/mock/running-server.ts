import { setTimeout as sleep } from 'node:timers/promises';
import { createSender, headerOf, type Outcome, resolveTarget } from '../../../conformance/index.ts';
import {
  compilePathMatch,
  type Contract,
  findPageParameters,
  type InferredResource,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  type Operation,
  ownMember,
  renderCredential,
  renderJson,
  trimEnd,
} from '../../../contract/index.ts';
import { argumentError } from '../../io/command-failure.ts';
import {
  collectItems,
  type PlacedObservation,
  placeObservations,
  readJson,
} from './observed-items.ts';

/** What was read of a running server. */
interface ServerReading {
  readonly observations: readonly PlacedObservation[];
  readonly requests: number;
  /** What was not read, a sentence each. */
  readonly notes: readonly string[];
}

/** Requests that are sent at most: a seed is to try clients with, and no backup. */
const mostRequests = 200;

/** Reads the lists of a server, then those within the items that they show. */
export async function readServer(
  contract: Contract,
  baseUrl: string,
  apiKey: string | undefined,
  signal: AbortSignal,
): Promise<ServerReading> {
  const { origin, pathname } = new URL(baseUrl);
  await using requester = new Requester(contract, signal);
  const reading: Reading = {
    contract,
    requester,
    base: trimEnd(`${origin}${pathname}`, '/'),
    apiKey,
    all: [],
    notes: [],
  };
  const lists = contract.inferredResources.flatMap((resource) => {
    const list = resource.operations.find(({ role }) => role === 'list')?.operation;
    return list === undefined || resource.isSingle ? [] : [{ resource, list }];
  });
  const byDepth = lists.toSorted(
    (one, other) => one.resource.parents.length - other.resource.parents.length,
  );
  for (const { resource, list } of byDepth)
    for (const path of pathsOf(resource, reading)) await readList(reading, resource, list, path);
  for (const resource of contract.inferredResources) await readShown(reading, resource);
  if (requester.end !== undefined) reading.notes.push(requester.end);
  return { observations: reading.all, requests: requester.count, notes: reading.notes };
}

interface Reading {
  readonly contract: Contract;
  readonly requester: Requester;
  readonly base: string;
  readonly apiKey: string | undefined;
  readonly all: PlacedObservation[];
  readonly notes: string[];
}

/** Reads items one by one where their list shows less of them. */
async function readShown(reading: Reading, resource: InferredResource): Promise<void> {
  const { operations, success, itemPath, path } = resource;
  const find = (wanted: 'list' | 'get'): Operation | undefined =>
    operations.find(({ role }) => role === wanted)?.operation;
  const [list, get] = [find('list'), find('get')];
  if (list === undefined || get === undefined || itemPath === undefined) return;
  const [listed, shown] = [success(list).view?.item, success(get).view?.item];
  if (listed === undefined || shown === undefined || listed.pointer === shown.pointer) return;
  const { collections } = collectItems(reading.contract, reading.all);
  const match = compilePathMatch(path);
  for (const [parent, items] of collections)
    if (match(parent) !== undefined)
      for (const id of items.keys()) {
        const address = `${parent}/${encodeURIComponent(id)}`;
        const received = await ask(reading, get, address, new URLSearchParams());
        if (received === undefined) return;
        keep(reading, get, address, received);
      }
}

function keep(
  { contract, all }: Reading,
  { method }: Operation,
  address: string,
  { status, json: received }: Received,
): void {
  const observation = { method, address, status, sent: undefined, received };
  for (const placed of placeObservations(contract, [observation]).observations) all.push(placed);
}

/** The paths of a collection: one within each item of the collection that it is within. */
function pathsOf(
  { path, parents }: InferredResource,
  { contract, all }: Reading,
): readonly string[] {
  if (parents.length === 0) return [path];
  const { collections } = collectItems(contract, all);
  const [, parentPath = '', rest = ''] = /^(.*)\/\{[^{}]*\}(\/[^{}]*)$/.exec(path) ?? [];
  const match = compilePathMatch(parentPath);
  return [...collections].flatMap(([parent, items]) =>
    match(parent) !== undefined
      ? [...items.keys()].map((id) => `${parent}/${encodeURIComponent(id)}${rest}`)
      : [],
  );
}

async function readList(
  reading: Reading,
  resource: InferredResource,
  list: Operation,
  path: string,
): Promise<void> {
  const paging = createPaging(resource, list);
  const seen = new Set<string>();
  let query: URLSearchParams | undefined = paging.first;
  while (query !== undefined) {
    const received = await ask(reading, list, path, query);
    if (received === undefined) return;
    const { status, json } = received;
    if (status < 200 || status > 299) {
      reading.notes.push(`GET ${path} returned ${status} and is left out.`);
      return;
    }
    keep(reading, list, path, received);
    const shown = renderJson(json ?? null);
    // A server that ignores the paging would show the same page for ever.
    if (seen.has(shown)) return;
    seen.add(shown);
    if (paging.isCut(received))
      reading.notes.push(
        `GET ${path} returned ${paging.size} items, the maximum, and has no further pages: there may be more.`,
      );
    query = paging.next(received, query);
  }
}

async function ask(
  { requester, base, apiKey }: Reading,
  { credential }: Operation,
  path: string,
  query: URLSearchParams,
): Promise<Received | undefined> {
  const field = apiKey === undefined ? undefined : renderCredential(credential, apiKey);
  const sent = new URLSearchParams(query);
  if (field?.in === 'query') sent.set(field.name, field.value);
  const headers: (readonly [string, string])[] = [['accept', 'application/json']];
  if (field?.in === 'header') headers.push([field.name, field.value]);
  if (field?.in === 'cookie') headers.push(['cookie', `${field.name}=${field.value}`]);
  const url = resolveTarget(base, `${path}${sent.size === 0 ? '' : `?${sent.toString()}`}`);
  if (url === undefined) return undefined;
  return await requester.get(url, headers, path);
}

/** How the pages of a list follow one another. */
interface Paging {
  readonly first: URLSearchParams;
  /** Items a page at most. */
  readonly size: number;
  /** A full page, and no way to the next one. */
  isCut(received: Received): boolean;
  /** Undefined after the last page. */
  next(received: Received, query: URLSearchParams): URLSearchParams | undefined;
}

/** As many items a page as the document allows, up to this. */
const pageSize = 100;

function createPaging(resource: InferredResource, list: Operation): Paging {
  const { view } = resource.success(list);
  const members = view?.item.shape().properties;
  const { size, offset, page, cursor, firstPage } = findPageParameters(
    list,
    (name) => members?.has(name) === true,
  );
  const most = size?.schema.shape().maximum?.value;
  const wanted = Math.min(pageSize, most === undefined ? pageSize : Number(most));
  const first = new URLSearchParams(size === undefined ? {} : { [size.name]: `${wanted}` });
  const countIn = (json: JsonValue | undefined): number => {
    const found = (view?.place ?? []).reduce<JsonValue | undefined>(
      (value, name) => (isJsonObject(value) ? ownMember(value, name) : undefined),
      json,
    );
    return isJsonArray(found) ? found.length : 0;
  };
  return {
    first,
    size: wanted,
    isCut: ({ json, link }) =>
      size !== undefined &&
      (cursor ?? offset ?? page) === undefined &&
      nextLink(link) === undefined &&
      countIn(json) >= wanted,
    next({ json, link }, query) {
      const count = countIn(json);
      if (count === 0) return undefined;
      const linked = nextLink(link);
      if (linked !== undefined) return linked;
      const following = new URLSearchParams(query);
      const token = cursor === undefined ? undefined : cursorIn(json);
      if (cursor !== undefined && token !== undefined) following.set(cursor.name, token);
      else if (offset !== undefined)
        following.set(offset.name, `${Number(query.get(offset.name) ?? 0) + count}`);
      else if (page !== undefined)
        following.set(page.name, `${Number(query.get(page.name) ?? firstPage) + 1}`);
      else return undefined;
      return following;
    },
  };
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
  if (!isJsonObject(json)) return undefined;
  for (const [name, value] of Object.entries<JsonValue | undefined>({ ...json }))
    if (tokenNames.test(name) && typeof value === 'string' && value !== '') return value;
  if (depth > 0) return undefined;
  for (const value of Object.values<JsonValue | undefined>({ ...json })) {
    const found = cursorIn(value, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A response, as far as it is read. */
interface Received {
  readonly status: number;
  readonly json: JsonValue | undefined;
  readonly link: string | undefined;
}

/** Milliseconds that a rate limit is waited for at most. */
const longestWait = 60_000;

/** Milliseconds for one response. */
const patience = 30_000;

/** Reasons for which a response came and cannot be read. */
const unreadable: ReadonlySet<string> = new Set(['too-large', 'endless', 'undecodable']);

/** Sends one request after another, and waits where the rate limit of the document, or a 429, asks for it. */
class Requester implements AsyncDisposable {
  count = 0;
  /** Why nothing more was asked, a sentence; undefined if everything was. */
  end: string | undefined;
  /** When the next request may be sent, milliseconds since 1970. */
  #readyAt = 0;
  readonly #sender = createSender({ timeout: patience, verifyTls: true });
  readonly #rateLimit: Contract['rateLimit'];
  readonly #signal: AbortSignal;
  readonly #stop = (): void => void this.#sender[Symbol.asyncDispose]();

  constructor({ rateLimit }: Contract, signal: AbortSignal) {
    this.#rateLimit = rateLimit;
    this.#signal = signal;
    signal.addEventListener('abort', this.#stop, { once: true });
  }

  /** Undefined once nothing more may be asked. Rejects with `PetstoreError` if there is no response. */
  async get(
    url: string,
    headers: readonly (readonly [string, string])[],
    name: string,
  ): Promise<Received | undefined> {
    for (let attempt = 0; attempt < 3 && this.end === undefined; attempt += 1) {
      const wait = this.#readyAt - Date.now();
      if (this.count >= mostRequests) this.end = `Stopped reading after ${mostRequests} requests.`;
      else if (wait > longestWait)
        this.end = `Stopped reading: the server asks to wait ${Math.ceil(wait / 1000)} s.`;
      if (this.end !== undefined) return undefined;
      if (wait > 0) await sleep(wait, undefined, { signal: this.#signal });
      this.count += 1;
      const outcome = await this.#sender.send({ url, method: 'GET', headers, body: undefined });
      if (outcome.kind === 'no-response') {
        const { reason, message } = outcome.error;
        throw argumentError(
          unreadable.has(reason)
            ? `The server of --seed-from sent a response to GET ${name} that cannot be read: ${message}.`
            : `The server of --seed-from does not respond to GET ${name} (${message}).`,
        );
      }
      const { response } = outcome;
      this.#followLimit(response);
      if (response.status === (this.#rateLimit?.status ?? 429)) continue;
      const json = readJson(response.body.replace(/^\uFEFF/, ''));
      return { status: response.status, json, link: headerOf(response, 'link') };
    }
    this.end ??= 'Stopped reading: the server keeps returning its rate-limit error.';
    return undefined;
  }

  #followLimit(response: Extract<Outcome, { readonly kind: 'answered' }>['response']): void {
    const names = this.#rateLimit?.headers;
    const number = (name: string | undefined): number | undefined => {
      const text = name === undefined ? undefined : headerOf(response, name);
      return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
    };
    const after = number(names?.retryAfter ?? 'Retry-After');
    const reset = number(names?.reset);
    const date = Date.parse(headerOf(response, 'date') ?? '');
    const now = Date.now();
    const untilReset =
      reset === undefined ? 1000 : reset * 1000 - (Number.isNaN(date) ? now : date);
    if (response.status === (this.#rateLimit?.status ?? 429))
      this.#readyAt = now + (after === undefined ? Math.max(1000, untilReset) : after * 1000);
    else if (number(names?.remaining) === 0) this.#readyAt = now + Math.max(0, untilReset);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal.removeEventListener('abort', this.#stop);
    await this.#sender[Symbol.asyncDispose]();
  }
}
