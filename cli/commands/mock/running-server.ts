import {
  createSender,
  type Exchange,
  headerOf,
  jsonOf,
  parseBaseUrl,
  systemClock,
} from '../../../conformance/index.ts';
import { createCarrier } from '../../../conformance/transport/carrier.ts';
import { validIntent } from '../../../conformance/transport/exchange.ts';
import { UnsendableRequest } from '../../../conformance/transport/parameter/unsendable.ts';
import { SessionEnd } from '../../../conformance/transport/pacing.ts';
import { createSession, type Session } from '../../../conformance/transport/session.ts';
import {
  compilePathMatch,
  type Contract,
  findPageParameters,
  type InferredResource,
  type InferredRole,
  isJsonObject,
  type JsonValue,
  type Operation,
  renderJson,
} from '../../../contract/index.ts';
import { countOf } from '../../../page/view/count.ts';
import { argumentError } from '../../io/command-failure.ts';
import { itemsIn, observationOf, type ObservedItems } from './observed-items.ts';

/** Requests that are sent at most: a seed is to try clients with, and no backup. */
const mostRequests = 200;

/** Items a page as many as the document allows, up to this. */
const pageSize = 100;

/** Where items were read, for people, and what was not read, a sentence each. */
export interface ItemSource {
  readonly name: string;
  readonly notes: readonly string[];
}

/**
 * Reads the lists of a server, then those within the items that they show. Sends one request after
 * another, and waits for its rate limit as a run of the suite does.
 */
export async function readServer(
  contract: Contract,
  items: ObservedItems,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string | undefined },
  signal: AbortSignal,
): Promise<ItemSource> {
  const target = { baseUrl: parseBaseUrl(baseUrl), apiKey };
  await using sender = createSender({ timeout: 30_000, verifyTls: true });
  const carrier = createCarrier(target, { clock: systemClock, sender, signal });
  const options = { baseUrl: target.baseUrl, budget: mostRequests, longestWait: 60_000 };
  const session = createSession(contract, carrier, options, () => 'seed');
  const reader = new ServerReader(session, items);
  try {
    await reader.read();
  } catch (error) {
    if (!(error instanceof SessionEnd)) throw error;
    if (error.kind === 'gone')
      throw argumentError(`The server of --seed-from went away: ${error.message}.`, error);
    const reason = error.kind === 'budget' ? `after ${mostRequests} requests` : error.message;
    reader.notes.push(`Stopped reading: ${reason}.`);
  }
  const requests = countOf(session.exchanges.length, 'request');
  return { name: `${target.baseUrl}, by ${requests}`, notes: reader.notes };
}

class ServerReader {
  readonly notes: string[] = [];
  readonly #session: Session;
  readonly #items: ObservedItems;

  constructor(session: Session, items: ObservedItems) {
    this.#session = session;
    this.#items = items;
  }

  async read(): Promise<void> {
    const resources = this.#session.contract.inferredResources.filter(({ isSingle }) => !isSingle);
    const byDepth = resources.toSorted((one, other) => one.parents.length - other.parents.length);
    for (const resource of byDepth) {
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
      const linked = nextLink(link);
      const isPaged = (cursor ?? offset ?? page) !== undefined || linked !== undefined;
      if (size !== undefined && !isPaged && count >= wanted)
        this.notes.push(
          `GET ${path} returned ${wanted} items, the maximum, and has no further pages: there may be more.`,
        );
      if (count === 0) return;
      query = linked ?? nextQuery(parameters, json, query, count);
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

  /**
   * Undefined where there is no form for the request. Rejects with `PetstoreError` if there
   * is no response, and as `Session.send` does.
   */
  async #ask(operation: Operation, path: string, query: URLSearchParams) {
    const target = query.size === 0 ? path : `${path}?${query.toString()}`;
    let exchange: Exchange;
    try {
      exchange = await this.#session.send({ operation, target, intent: validIntent() });
    } catch (error) {
      if (!(error instanceof UnsendableRequest)) throw error;
      this.notes.push(`GET ${path} is left out: ${error.message}.`);
      return undefined;
    }
    const { outcome } = exchange;
    if (outcome.kind === 'no-response')
      throw argumentError(
        `The server of --seed-from sent no readable response to GET ${path}: ${outcome.error.message}.`,
      );
    const { response } = outcome;
    this.#items.take(observationOf(exchange.request, response));
    return { status: response.status, json: jsonOf(response), link: headerOf(response, 'link') };
  }
}

/** The operation of a role. */
function operationOf(
  { operations }: InferredResource,
  wanted: InferredRole,
): Operation | undefined {
  return operations.find(({ role }) => role === wanted)?.operation;
}

/** The query of the next page, by a token, an offset or a number; undefined after the last. */
function nextQuery(
  { cursor, offset, page, firstPage }: ReturnType<typeof findPageParameters>,
  json: JsonValue | undefined,
  query: URLSearchParams,
  count: number,
): URLSearchParams | undefined {
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
