import { isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { largest } from '../../../contract/list/list.ts';
import type { Parameter } from '../../../contract/openapi/parameter.ts';
import { findPageParameters } from '../../../contract/resource/list-parameters.ts';
import { plainName } from '../../../contract/resource/names.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { once } from '../../../contract/memo/once.ts';
import { headerOf } from '../../transport/exchange.ts';
import { idOf, itemsOf, type Reading } from './trace.ts';

/** How a client of a list gets from one page to the next. */
export interface PageTurn {
  /** The parameter that limits a page. */
  readonly size: Parameter;
  /** The parameter that selects one: a number, an offset or a cursor. */
  readonly parameter: Parameter;
  /** Its value for the page after one that a response shows; undefined if the response has none. */
  readonly after: (first: Reading) => string | undefined;
  /**
   * Whether the next page has the items of the first one, in the same order: others may have added some in
   * between, which moves items to the next page. Undefined for an empty page: an offset may count pages.
   */
  readonly repeats: (first: Reading, next: Reading) => boolean | undefined;
}

/** Names that may mean something else than an offset, such as a date. */
const doubtfulNames: ReadonlySet<string> = new Set(['start', 'from', 'p', 'pageoffset']);

/** The parameters by which a list is paged; undefined if the document has none. */
export const pageTurnOf = once((resource: Resource): PageTurn | undefined => {
  const { list, limit, item } = resource;
  const found = findPageParameters(list, (name) => item.shape().properties.has(name));
  const { page, offset, cursor, firstPage, firstOffset } = found;
  const size = limit?.parameter ?? found.size;
  const parameter = [page, offset, cursor].find(
    (each) => each !== undefined && each !== size && !doubtfulNames.has(plainName(each.name)),
  );
  if (size === undefined || parameter === undefined) return undefined;
  return {
    size,
    parameter,
    after: (first) => {
      if (parameter === page) return String(firstPage + 1);
      if (parameter === offset) return String((itemsOf(first)?.length ?? 0) + firstOffset);
      return cursorAfter(first, parameter, resource);
    },
    repeats: (first, next) => {
      const [before = [], ids = []] = [first, next].map((each) =>
        (itemsOf(each) ?? []).map((one) => idOf(one, resource)),
      );
      return ids.length === 0 ? undefined : before.join() === ids.join();
    },
  };
});

/** The most items of one list that nothing but the page size restricts. */
export function countListed({ size }: PageTurn, lists: readonly Reading[]): number {
  const plain = lists.filter(({ exchange: { request } }) => {
    const names = new URLSearchParams(request.target.split('?')[1]).keys();
    return [...names].every((name) => name === size.name);
  });
  return largest(
    plain.map((each) => itemsOf(each)?.length ?? 0),
    0,
  );
}

/**
 * The cursor in a link to the next page, or in a member that is named as one; else the last id. Undefined if
 * there are several.
 */
function cursorAfter(first: Reading, { name }: Parameter, resource: Resource): string | undefined {
  const link = /<([^<>]*)>\s*;[^,]*\brel\s*=\s*"?next\b/i.exec(
    headerOf(first.response, 'link') ?? '',
  );
  const values = [link?.[1] ?? '', ...nextTexts(first.json)].map((text) =>
    /[/?]/.test(text) ? (new URLSearchParams(text.split('?')[1]).get(name) ?? '') : text,
  );
  const [value, ...others] = new Set(values.filter((each) => each !== ''));
  if (value !== undefined) return others.length === 0 ? value : undefined;
  const last = plainName(name) === 'startingafter' ? itemsOf(first)?.at(-1) : undefined;
  return last && idOf(last, resource);
}

/** The texts beside the items of a list whose name says that they lead on. */
function* nextTexts(value: JsonValue | undefined, name = ''): Generator<string> {
  const isNext = /next|continuation|^end_?cursor$|^after$/i.test(name);
  if (typeof value === 'string' && isNext) yield value;
  if (isJsonObject(value))
    for (const [inner, member] of Object.entries(value))
      yield* nextTexts(member, isNext ? `next ${inner}` : inner);
}
