import { isJsonArray, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { Parameter } from '../../../contract/openapi/parameter.ts';
import { findPageParameters } from '../../../contract/resource/list-parameters.ts';
import { plainName } from '../../../contract/resource/names.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { largest } from '../../../contract/list/list.ts';
import { once } from '../../memo/once.ts';
import { isCut } from '../../transport/cut.ts';
import { headerOf } from '../../transport/exchange.ts';
import { idOf, itemsOf, type Reading } from './trace.ts';

/** How a client of a list gets from one page to the next. */
export interface PageTurn {
  /** Limits the page. */
  readonly size: Parameter;
  /** Selects it: a number, an offset or a cursor. */
  readonly parameter: Parameter;
  /** The value for the page after one that a response shows; undefined if the response has none. */
  readonly after: (first: Reading) => string | undefined;
  /**
   * Whether the next page has no items, or those of the first one: all of them, in the same order,
   * as others may have added some in between; with a cursor, any.
   */
  readonly repeats: (first: Reading, next: Reading) => boolean;
}

/** Names that may mean something else than an offset, such as a date. */
const doubtfulNames: ReadonlySet<string> = new Set(['start', 'from', 'p']);

/** The parameters by which a list is paged; undefined if the document has none. */
export const pageTurnOf = once((resource: Resource): PageTurn | undefined => {
  const { list, limit, item } = resource;
  const isMember = (name: string): boolean => item.shape().properties.has(name);
  const found = findPageParameters(list, isMember);
  const size = limit?.parameter ?? found.size;
  const parameter = [found.page, found.offset, found.cursor].find(
    (each) => each !== undefined && each !== size && !doubtfulNames.has(plainName(each.name)),
  );
  if (size === undefined || parameter === undefined) return undefined;
  const nextOf = (first: Reading): string | undefined => {
    if (parameter === found.page) return String(found.firstPage + 1);
    return parameter === found.offset
      ? String(itemsOf(first)?.length)
      : cursorAfter(first, parameter, resource);
  };
  return {
    size,
    parameter,
    repeats: (first, next) => {
      const [before = [], ids = []] = [first, next].map((each) =>
        (itemsOf(each) ?? []).map((one) => idOf(one, resource)),
      );
      if (ids.length === 0 || before.join() === ids.join()) return true;
      return parameter === found.cursor && ids.some((id) => before.includes(id));
    },
    after: (first) => {
      const value = nextOf(first);
      const sent =
        value !== undefined && /^\d{1,15}$/.test(value) ? [value, Number(value)] : [value];
      const isValid = sent.some(
        (each) => each !== undefined && parameter.schema.validate(each).length === 0,
      );
      return isValid && value !== '' && !isCut(value ?? '') ? value : undefined;
    },
  };
});

/** The query of a request without some parameters. */
export function queryWithout({ exchange }: Reading, ...names: readonly string[]): string {
  const query = new URLSearchParams(exchange.request.target.split('?')[1]);
  for (const name of names) query.delete(name);
  return query.toString();
}

/** The most items of one list that nothing but the page size restricts. */
export function countListed({ size }: PageTurn, lists: readonly Reading[]): number {
  const plain = lists.filter((each) => queryWithout(each, size.name) === '');
  return largest(
    plain.map((each) => itemsOf(each)?.length ?? 0),
    0,
  );
}

/** The cursor in a link to the next page, or in a member that is named as one; else the last id. */
function cursorAfter(first: Reading, { name }: Parameter, resource: Resource): string | undefined {
  const [, link] =
    /<([^<>]*)>\s*;[^,]*\brel\s*=\s*"?next\b/i.exec(headerOf(first.response, 'link') ?? '') ?? [];
  const texts = [...(link === undefined ? [] : [link]), ...nextTexts(first.json, first.listed)];
  const inLinks = texts.flatMap((text) => new URLSearchParams(text.split('?')[1]).get(name) ?? []);
  const token = texts.find((text) => !/[/?]/.test(text));
  const last = plainName(name) === 'startingafter' ? itemsOf(first)?.at(-1) : undefined;
  return inLinks[0] ?? token ?? (last && idOf(last, resource));
}

/** The texts beside the items of a list whose name says that they lead on. */
function* nextTexts(
  value: JsonValue | undefined,
  items: readonly JsonValue[] | undefined,
  name = '',
): Generator<string> {
  if (typeof value === 'string') {
    const isNext = /next|cursor|continu|token|after/i.test(name) && !/prev|before/i.test(name);
    if (isNext) yield value;
  } else if (isJsonObject(value))
    for (const [inner, member] of Object.entries(value))
      yield* nextTexts(member, items, /next/i.test(name) ? `next ${inner}` : inner);
  else if (isJsonArray(value) && value !== items)
    for (const member of value) yield* nextTexts(member, items, name);
}
