import {
  type JsonValue,
  type PageParameters,
  type Parameter,
  isTextParameter,
  possibleDefault,
} from '../../../contract/index.ts';
import { argumentKey } from '../../http/parameter-text.ts';
import type { Input } from '../../operation/response/outcome.ts';

/** The part of a list that a request asks for. */
export interface PageRequest {
  readonly offset: number;
  readonly size: number;
}

/** Reads the page that is asked for; `positionOf` gives that of the item of an id. */
export function readPage(
  found: PageParameters,
  { parameters }: Input,
  positionOf: (key: string) => number,
): PageRequest {
  const valueOf = (parameter: Parameter | undefined): JsonValue | undefined =>
    parameter === undefined ? undefined : parameters.get(argumentKey(parameter));
  const size = count(valueOf(found.size)) ?? standardSize(found.size);
  const cursor = valueOf(found.cursor);
  const position = isScalar(cursor) ? parseCursor(`${cursor}`, positionOf) : undefined;
  if (position !== undefined) return { offset: position, size };
  const offset = count(valueOf(found.offset));
  if (offset !== undefined) return { offset, size };
  const page = count(valueOf(found.page)) ?? found.firstPage;
  const before = Math.max(0, page - found.firstPage);
  return { offset: before === 0 ? 0 : before * size, size };
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

function count(value: JsonValue | undefined): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** The cursor of a position. */
export function renderCursor(offset: number): string {
  return btoa(`after ${offset}`).replaceAll('=', '');
}

function parseCursor(text: string, positionOf: (key: string) => number): number | undefined {
  const position = positionOf(text);
  if (position >= 0) return position + 1;
  const [, offset] = /^after (\d{1,9})$/.exec(decodeBase64(text)) ?? [];
  if (offset !== undefined) return Number(offset);
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}

/** The query parameter that leads to the page from an offset on, and its value. */
export function pageArgument(
  { cursor, offset: byOffset, page, firstPage }: PageParameters,
  offset: number,
  size: number,
): readonly [name: string, value: string] | undefined {
  if (cursor !== undefined) return [cursor.name, cursorFor(cursor, offset)];
  if (byOffset !== undefined) return [byOffset.name, `${offset}`];
  if (page !== undefined) return [page.name, `${Math.floor(offset / size) + firstPage}`];
  return undefined;
}

function cursorFor(cursor: Parameter, offset: number): string {
  return isTextParameter(cursor) ? renderCursor(offset) : `${offset}`;
}
