import {
  type ItemView,
  type Operation,
  findPageParameters,
  isJsonObject,
  membersOf,
  renderJson,
} from '../../../contract/index.ts';
import { originOf } from '../../http/message.ts';
import type { Call, Input } from '../../operation/response/outcome.ts';
import type { Partition } from '../../store/entities/partition.ts';
import type { InferredCollection } from '../collection.ts';
import { bodyWithoutEntity, compileElementView } from '../view/item-view.ts';
import { valueAt, withValueAt } from '../view/place.ts';
import { type PageTarget, fillEnvelope } from './envelope.ts';
import { pageArgument, readPage } from './paging.ts';
import { compileSelection } from './selection.ts';

/** One page of a list as it is sent. */
export interface RenderedList {
  readonly text: string;
  /** Reference to the page after it. */
  readonly next: string | undefined;
  /** Items on all pages. */
  readonly total: number;
}

interface KeptPage extends RenderedList {
  readonly version: number;
  readonly target: string;
  readonly origin: string;
}

/** Compiles how a list shows the items of a partition: as many as asked for, in its envelope. */
export function compileListView(
  collection: InferredCollection,
  operation: Operation,
  view: ItemView,
): (input: Input, call: Call) => RenderedList {
  const { schema } = view.content;
  const base = bodyWithoutEntity(view, collection.sample);
  const sampled = valueAt(base, view.place);
  const first = Array.isArray(sampled) ? sampled[0] : undefined;
  const element = compileElementView(view, first ?? collection.sample(view.item), {
    showsUnnamed: true,
  });
  const members = new Set([
    ...membersOf(view.item).keys(),
    ...(isJsonObject(first) ? Object.keys(first) : []),
  ]);
  const paging = findPageParameters(operation, (name) => members.has(name));
  const pagingNames = new Set(
    [paging.cursor, paging.offset, paging.page, paging.size].flatMap((one) => one?.name ?? []),
  );
  const select = compileSelection(operation, members, pagingNames);
  const most = schemaAtPlace(view)?.maxItems ?? Number.POSITIVE_INFINITY;
  const kept = new WeakMap<Partition, KeptPage>();
  return (input, call) => {
    const partition = collection.partition(call);
    const { target } = call.request;
    const origin = originOf(call.request);
    const { version } = partition;
    const known = kept.get(partition);
    if (known?.version === version && known.target === target && known.origin === origin)
      return known;
    const all = partition.entities.map((entity) => ({
      key: entity.key,
      value: element.show(entity),
    }));
    const items = select(all, call.query);
    const page = readPage(paging, input, (key) => items.findIndex((item) => item.key === key));
    const size = Math.min(page.size, most);
    const shown = items.slice(page.offset, page.offset + size).map(({ value }) => value);
    const targetOf = (offset: number): PageTarget | undefined => {
      const argument = pageArgument(paging, offset, size);
      return argument && { link: linkTo(call, origin, argument), argument: argument[1] };
    };
    const end = page.offset + size;
    const next = end < items.length && size > 0 ? targetOf(end) : undefined;
    const facts = {
      total: items.length,
      count: shown.length,
      size,
      offset: page.offset,
      firstPage: paging.firstPage,
      next,
      previous: page.offset > 0 ? targetOf(Math.max(0, page.offset - size)) : undefined,
      self: linkTo(call, origin),
    };
    const placed = withValueAt(base, view.place, shown);
    const filled = schema === undefined ? placed : fillEnvelope(placed, schema, view.place, facts);
    const isValid = schema === undefined || schema.validate(filled).length === 0;
    const rendered = {
      text: renderJson(isValid ? filled : (base ?? filled)),
      next: next?.link,
      total: items.length,
      version,
      target,
      origin,
    };
    if (rendered.text.length <= mostKeptPage) kept.set(partition, rendered);
    return rendered;
  };
}

/** A longer page is rendered for each request: every partition may keep one. */
const mostKeptPage = 65_536;

function schemaAtPlace({ content, place }: ItemView) {
  const found = place.reduce(
    (node, name) => (node === undefined ? undefined : membersOf(node).get(name)),
    content.schema,
  );
  return found?.shape();
}

/** The address of the request, with another value of one parameter of its query. */
function linkTo(
  { request, query }: Call,
  origin: string,
  argument?: readonly [string, string],
): string {
  const [path = ''] = request.target.split('?');
  const rest = query.split('&').filter((pair) => pair !== '' && !isArgument(pair, argument?.[0]));
  const added = argument === undefined ? [] : [argument.map(encodeURIComponent).join('=')];
  const all = [...rest, ...added].join('&');
  const address = path.startsWith('/') ? origin + path : path;
  return all === '' ? address : `${address}?${all}`;
}

function isArgument(pair: string, name: string | undefined): boolean {
  if (name === undefined) return false;
  const key = pair.split('=', 1)[0] ?? '';
  return key === name || key === encodeURIComponent(name);
}
