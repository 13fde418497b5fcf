import {
  createSender,
  headerOf,
  jsonOf,
  parseBaseUrl,
  systemClock,
} from '../../../conformance/index.ts';
import { createCarrier } from '../../../conformance/transport/carrier.ts';
import { validIntent } from '../../../conformance/transport/exchange.ts';
import { SessionEnd } from '../../../conformance/transport/pacing.ts';
import { UnsendableRequest } from '../../../conformance/transport/request-parts.ts';
import { Session } from '../../../conformance/transport/session.ts';
import { compilePathMatch } from '../../../contract/openapi/path-pattern.ts';
import type { Contract } from '../../../contract/contract.ts';
import { findPageParameters } from '../../../contract/resource/list-parameters.ts';
import type {
  InferredResource,
  InferredRole,
  ItemView,
} from '../../../contract/resource/resource.ts';
import { isJsonObject, type JsonValue, renderJson } from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { countOf } from '../../../page/view/count.ts';
import { argumentError } from '../../io/command-failure.ts';
import { itemsIn, observationOf, type ObservedItems } from './observed-items.ts';

/** Most requests that are sent. A seed is for trying out clients; it is not a backup. */
const maxRequests = 200;

/** Page size: as many items as the document allows, up to this. */
const pageSize = 100;

/**
 * Reads the lists of a server, then the lists within the items that they show. Sends one request at
 * a time, and waits for the rate limit as the suite does. Returns a description of the source, for
 * people.
 */
export async function readServer(
  contract: Contract,
  items: ObservedItems,
  url: string,
  apiKey: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const baseUrl = parseBaseUrl(url);
  await using sender = createSender({ timeout: 30_000, verifyTls: true });
  const carrier = createCarrier({ baseUrl, apiKey }, { clock: systemClock, sender, signal });
  const options = { baseUrl, budget: maxRequests, longestWait: 60_000 };
  const session = new Session(contract, carrier, options);
  const ask: Ask = async (operation, path, query = new URLSearchParams()) => {
    const target = query.size === 0 ? path : `${path}?${query.toString()}`;
    try {
      const { request, outcome } = await session.send({ operation, target, intent: validIntent() });
      if (outcome.kind === 'no-response')
        throw argumentError(
          `The server of --seed-from sent no readable response to GET ${path}: ${outcome.error.message}.`,
        );
      const { response } = outcome;
      items.take(observationOf(request, response));
      return { status: response.status, json: jsonOf(response), link: headerOf(response, 'link') };
    } catch (error) {
      if (!(error instanceof UnsendableRequest)) throw error;
      items.note(`GET ${path} is left out: ${error.message}.`);
      return undefined;
    }
  };
  try {
    const resources = contract.inferredResources
      .filter(({ isSingle }) => !isSingle)
      .toSorted((a, b) => a.parents.length - b.parents.length);
    for (const resource of resources) {
      const list = operationOf(resource, 'list');
      if (list === undefined) continue;
      for (const path of listPaths(list.path, items))
        await readList(items, ask, list, resource.viewOf(list), path);
    }
    // If a list shows only part of its items, each item is read separately.
    for (const resource of resources) {
      const [list, get] = [operationOf(resource, 'list'), operationOf(resource, 'get')];
      const listed = list && resource.viewOf(list)?.item;
      const shown = get && resource.viewOf(get)?.item;
      if (!get || !listed || !shown || listed.pointer === shown.pointer) continue;
      for (const address of listAddresses(resource.path, items)) await ask(get, address);
    }
  } catch (error) {
    if (!(error instanceof SessionEnd)) throw error;
    if (error.kind === 'gone')
      throw argumentError(`The server of --seed-from went away: ${error.message}.`, error);
    const reason = error.kind === 'budget' ? `after ${maxRequests} requests` : error.message;
    items.note(`Stopped reading: ${reason}.`);
  }
  return `${baseUrl}, by ${countOf(session.exchanges.length, 'request')}`;
}

interface Page {
  readonly status: number;
  readonly json: JsonValue | undefined;
  readonly link: string | undefined;
}

/**
 * Undefined if the request cannot be built. Rejects with `PetstoreError` if there is no response,
 * or like `Session.send`.
 */
type Ask = (
  operation: Operation,
  path: string,
  query?: URLSearchParams,
) => Promise<Page | undefined>;

function operationOf({ operations }: InferredResource, wanted: InferredRole) {
  return operations.find(({ role }) => role === wanted)?.operation;
}

/** The paths of a collection: one, or one per item of its parent collection. */
function listPaths(path: string, items: ObservedItems): readonly string[] {
  if (!path.includes('{')) return [path];
  const [, parentPath = '', rest = ''] = /^(.*)\/\{[^{}]*\}(\/[^{}]*)$/.exec(path) ?? [];
  return listAddresses(parentPath, items).map((address) => `${address}${rest}`);
}

/** The paths of all items seen in collections of a path template. */
function listAddresses(template: string, { collections }: ObservedItems): readonly string[] {
  const match = compilePathMatch(template);
  return [...collections]
    .filter(([path]) => match(path) !== undefined)
    .flatMap(([path, items]) => [...items.keys()].map((id) => `${path}/${encodeURIComponent(id)}`));
}

/** Reads a list page by page. */
async function readList(
  items: ObservedItems,
  ask: Ask,
  list: Operation,
  view: ItemView | undefined,
  path: string,
): Promise<void> {
  const members = view?.item.shape().properties;
  const parameters = findPageParameters(list, (name) => members?.has(name) === true);
  const { size, cursor } = parameters;
  const wanted = Math.min(pageSize, Number(size?.schema.shape().maximum?.value ?? pageSize));
  const pages = new Set<string>();
  let query: URLSearchParams | undefined = new URLSearchParams();
  if (size !== undefined) query.set(size.name, `${wanted}`);
  while (query !== undefined) {
    const page = await ask(list, path, query);
    if (page === undefined) return;
    if (page.status < 200 || page.status > 299)
      return items.note(`GET ${path} returned ${page.status} and is left out.`);
    const shown = renderJson(page.json ?? null);
    const count = itemsIn(page.json, view).length;
    // A server that ignores paging would return the same page forever.
    if (count === 0 || pages.has(shown)) return;
    pages.add(shown);
    query = nextQuery(parameters, page, query, count);
    if (query === undefined && size !== undefined && cursor === undefined && count >= wanted)
      items.note(
        `GET ${path} returned ${wanted} items, the maximum, and has no further pages: there may be more.`,
      );
  }
}

/** The query of the next page, from `Link` (RFC 8288), a page token, an offset or a page number. */
function nextQuery(
  { cursor, offset, page, firstPage }: ReturnType<typeof findPageParameters>,
  { json, link = '' }: Page,
  query: URLSearchParams,
  count: number,
): URLSearchParams | undefined {
  const [, linked] = /<[^<>?]*(\?[^<>]*)>[^,]*;\s*rel="?next"?/i.exec(link) ?? [];
  if (linked !== undefined) return new URLSearchParams(linked);
  const next = new URLSearchParams(query);
  const token = findToken(json);
  const add = (name: string, start: number, step: number): void =>
    next.set(name, `${Number(query.get(name) ?? start) + step}`);
  if (cursor !== undefined && token !== undefined) next.set(cursor.name, token);
  else if (offset !== undefined) add(offset.name, 0, count);
  else if (page !== undefined) add(page.name, firstPage, 1);
  else return undefined;
  return next;
}

const tokenNames =
  /^(next|next_?cursor|cursor|next_?page_?token|next_?token|continuation_?token)$/i;

/** A next-page token beside the items, or one level deeper. */
function findToken(json: JsonValue | undefined): string | undefined {
  const outer = isJsonObject(json) ? Object.entries(json) : [];
  const inner = outer.flatMap(([, value]) => (isJsonObject(value) ? Object.entries(value) : []));
  for (const [name, value] of [...outer, ...inner])
    if (tokenNames.test(name) && typeof value === 'string' && value !== '') return value;
  return undefined;
}
