import type { JsonValue } from '../../../contract/json/value.ts';
import {
  type PageParameters,
  isTextParameter,
} from '../../../contract/resource/page-parameters.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { Parameter } from '../../../contract/openapi/parameter.ts';
import { possibleDefault } from '../../../contract/schema/schema-node.ts';
import { argumentKey } from '../../http/parameter-text.ts';
import { queryValues } from '../../http/query.ts';
import type { Call, Input } from '../../operation/response/outcome.ts';
import { type Refusal, refuse } from '../../operation/response/refusal.ts';
import type { Collection } from '../collection.ts';
import type { Inventory } from '../store/inventory.ts';

/** The part of a list that a request asks for. */
export interface PageRequest {
  readonly offset: number;
  readonly size: number;
  /** Seeds the order where none lasts; the pages of one list share it. */
  readonly orderSeed: number | undefined;
}

/** How clients go through a list page by page. */
export interface Paging {
  /** A `Link` header leads to the next page, by an open question. */
  readonly isLinked: boolean;
  /** The page that a request asks for; a refusal for one that cannot be. */
  read(input: Input, call: Call, inventory: Inventory): PageRequest | Refusal;
  /** The query parameter that leads to the page from an offset on, and its value. */
  argumentFor(
    offset: number,
    size: number,
    orderSeed: number | undefined,
  ): readonly [name: string, value: string] | undefined;
}

/** Compiles the parameters of a document, and the ways that it leaves open. */
export function compilePaging(
  list: Operation,
  found: PageParameters,
  collection: Collection,
): Paging {
  const way = collection.pagingChoice(list);
  const { certain } = collection.resource;
  const limit = certain?.list === list ? certain.limit : undefined;
  const sizeBy = limit?.parameter ?? found.size;
  const usual =
    limit === undefined
      ? standardSize(found.size)
      : (limit.default ?? limit.maximum ?? Number.POSITIVE_INFINITY);
  const cursorName = way === 'link-header' ? 'cursor' : found.cursor?.name;
  const readDocumented = (input: Input, inventory: Inventory, size: number): Position => {
    const cursor = valueOf(input, found.cursor);
    const position = isScalar(cursor) ? parseCursor(`${cursor}`, inventory) : undefined;
    if (position !== undefined) return position;
    const offset = count(valueOf(input, found.offset));
    if (offset !== undefined) return { offset };
    const page = count(valueOf(input, found.page)) ?? found.firstPage;
    return { offset: offsetOf(page - found.firstPage, size) };
  };
  const readUndocumented = (
    query: string,
    inventory: Inventory,
    size: number,
  ): Position | Refusal => {
    const [text] = queryValues(query, way === 'link-header' ? 'cursor' : 'page');
    if (text === undefined) return { offset: 0 };
    if (way === 'link-header')
      return (
        parseCursor(text, inventory) ?? refuseParameter('cursor', 'is not a cursor of this list')
      );
    return /^[1-9]\d*$/.test(text)
      ? { offset: offsetOf(Number(text) - 1, size) }
      : refuseParameter('page', 'must be an integer of at least 1');
  };
  return {
    isLinked: way === 'link-header',
    read(input, call, inventory) {
      const size = count(valueOf(input, sizeBy)) ?? usual;
      const position =
        way === 'none'
          ? readDocumented(input, inventory, size)
          : readUndocumented(call.query, inventory, size);
      if ('kind' in position) return position;
      const isDrawn = inventory.form.order === 'none' && position.orderSeed === undefined;
      const orderSeed = isDrawn ? call.sandbox.listCount++ : position.orderSeed;
      return { offset: position.offset, size, orderSeed };
    },
    argumentFor(offset, size, orderSeed) {
      if (cursorName !== undefined) {
        const isNumber = found.cursor !== undefined && !isTextParameter(found.cursor);
        return [cursorName, isNumber ? `${offset}` : renderCursor(offset, orderSeed)];
      }
      if (found.offset !== undefined) return [found.offset.name, `${offset}`];
      return found.page && [found.page.name, `${Math.floor(offset / size) + found.firstPage}`];
    },
  };
}

function valueOf(input: Input, parameter: Parameter | undefined): JsonValue | undefined {
  return parameter && input.parameters.get(argumentKey(parameter));
}

interface Position {
  readonly offset: number;
  readonly orderSeed?: number;
}

/** Where a page begins; the one before the first is the first. */
function offsetOf(pagesBefore: number, size: number): number {
  return pagesBefore <= 0 ? 0 : pagesBefore * size;
}

/** Where a list can be gone through page by page: with how many items on one. */
const usualSize = 20;

function standardSize(parameter: Parameter | undefined): number {
  const standard = parameter && possibleDefault(parameter.schema);
  const maximum = parameter?.schema.shape().maximum;
  if (typeof standard === 'number' && standard > 0) return standard;
  const most = maximum === undefined ? usualSize : Math.floor(Number(maximum.value));
  return parameter === undefined
    ? Number.POSITIVE_INFINITY
    : Math.max(1, Math.min(most, usualSize));
}

function isScalar(value: JsonValue | undefined): value is string | number | bigint {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

/** A number of items or pages: beyond all that there are where it is larger than a double holds exactly. */
function count(value: JsonValue | undefined): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = Number(value);
  const isCount = number >= 0 && (Number.isInteger(number) || number > Number.MAX_SAFE_INTEGER);
  return isCount ? Math.min(number, Number.MAX_SAFE_INTEGER) : undefined;
}

function refuseParameter(name: string, reason: string): Refusal {
  return refuse('invalid_parameter', `${name} ${reason} (query parameter ${name})`);
}

/** The cursor of a position. */
function renderCursor(offset: number, orderSeed: number | undefined): string {
  return btoa(`after ${offset}${orderSeed === undefined ? '' : ` ${orderSeed}`}`).replaceAll(
    '=',
    '',
  );
}

/** One that was given, the id of the item before, or an offset. */
function parseCursor(text: string, inventory: Inventory): Position | undefined {
  const before = inventory.find(text);
  if (before !== undefined) return { offset: inventory.items.indexOf(before) + 1 };
  const [, offset, orderSeed] = /^after (\d{1,9})(?: (\d{1,15}))?$/.exec(decodeBase64(text)) ?? [];
  if (offset !== undefined)
    return {
      offset: Number(offset),
      ...(orderSeed === undefined ? {} : { orderSeed: Number(orderSeed) }),
    };
  return /^\d+$/.test(text)
    ? { offset: Math.min(Number(text), Number.MAX_SAFE_INTEGER) }
    : undefined;
}

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
