import type { LoggedRequest } from '../session/request-log.ts';

/** Pixels of a row. */
export const rowHeight = 28;

/** Rows that are drawn beyond each edge of what is seen. */
const margin = 8;

/** Which rows are drawn: from `first` to before `end`. */
export interface RowWindow {
  readonly first: number;
  readonly end: number;
}

/** The rows to draw where `height` pixels are seen from `top` on. */
export function windowOf(top: number, height: number, count: number): RowWindow {
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight), count) - margin);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + margin);
  return { first, end };
}

/** No window of this height has more rows. */
export function mostDrawn(height: number): number {
  return Math.ceil(height / rowHeight) + 1 + 2 * margin;
}

/** Place of a request among rows, the newest at 0; -1 where it is not there. */
export function placeOf(rows: readonly LoggedRequest[], number: number | undefined): number {
  const index = rows.findLastIndex((row) => row.number === number);
  return index < 0 ? -1 : rows.length - 1 - index;
}

/** The row at a place, the newest at 0. */
export function rowAt(rows: readonly LoggedRequest[], place: number): LoggedRequest | undefined {
  return rows[rows.length - 1 - place];
}

/** The scroll position that shows a row: the nearest to where it is. */
export function scrollToShow(place: number, top: number, height: number): number {
  return Math.min(place * rowHeight, Math.max(top, (place + 1) * rowHeight - height));
}
