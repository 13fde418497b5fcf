import type { Resource } from '../../../contract/index.ts';
import type { Choices } from '../../choice/choices.ts';
import type { Call } from '../response/outcome.ts';
import { queryValues } from '../../http/query.ts';
import { type Refusal, refuse } from '../response/refusal.ts';

/** One page of a list. */
export interface ListPage {
  /** Items before it. */
  readonly offset: number;
  readonly size: number;
  /** Reference to the page after it; undefined where nothing leads there. */
  readonly next: string | undefined;
  /** Seeds the order where none lasts; the pages of one list share it. */
  readonly orderSeed: number;
}

/** The page that a request asks for; a refusal for one that cannot be. */
type ReadPage = (call: Call, size: number) => ListPage | Refusal;

/** The way to the items beyond the page limit, as it is chosen; undefined for none. */
export function compilePaging(
  { list, collectionPath }: Resource,
  choices: Choices,
): ReadPage | undefined {
  switch (choices.choose('paging', list.pointer).id) {
    case 'link-header':
      return (call, size) => readCursorPage(choices.contract.basePath + collectionPath, call, size);
    case 'query-parameters':
      return readNumberedPage;
    default:
      return undefined;
  }
}

/** The `Link` to the next page has an opaque query parameter `cursor` (RFC 8288 section 3). */
function readCursorPage(path: string, call: Call, size: number): ListPage | Refusal {
  const [cursor] = queryValues(call.query, 'cursor');
  const position =
    cursor === undefined ? { offset: 0, orderSeed: call.sandbox.listCount++ } : parseCursor(cursor);
  if (position === undefined) return refuseParameter('cursor', 'is not a cursor of this list');
  const { offset, orderSeed } = position;
  const rest = call.query
    .split('&')
    .filter(
      (pair) => pair !== '' && !/^cursor(?:=|$)/.test(pair) && /^[!-;=?-~\x80-\xFF]*$/.test(pair),
    );
  const query = [...rest, `cursor=${renderCursor(offset + size, orderSeed)}`].join('&');
  return { offset, size, orderSeed, next: `${path}?${query}` };
}

/** Query parameter `page`, counted from 1. */
function readNumberedPage(call: Call, size: number): ListPage | Refusal {
  const [text = '1'] = queryValues(call.query, 'page');
  const page = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
  if (page === undefined) return refuseParameter('page', 'must be an integer of at least 1');
  return { offset: page === 1 ? 0 : (page - 1) * size, size, orderSeed: 0, next: undefined };
}

function refuseParameter(name: string, reason: string): Refusal {
  return refuse('invalid_parameter', `${name} ${reason} (query parameter ${name})`);
}

function renderCursor(offset: number, orderSeed: number): string {
  return btoa(`${offset}.${orderSeed}`).replaceAll('=', '');
}

function parseCursor(text: string): Pick<ListPage, 'offset' | 'orderSeed'> | undefined {
  const [, offset, orderSeed] = /^(\d{1,15})\.(\d{1,15})$/.exec(decodeBase64(text)) ?? [];
  return offset === undefined || orderSeed === undefined
    ? undefined
    : { offset: Number(offset), orderSeed: Number(orderSeed) };
}

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
