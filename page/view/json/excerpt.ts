/** A stretch of a list that is shown, or how many of it are left out. */
export type Piece<Item> =
  | { readonly kind: 'shown'; readonly items: readonly Item[] }
  | { readonly kind: 'left-out'; readonly count: number };

/**
 * A list cut to about so many items: those around what is wanted, the first and the last; else
 * its beginning.
 */
export function cutAround<Item>(
  items: readonly Item[],
  isWanted: (item: Item) => boolean,
  most: number,
): readonly Piece<Item>[] {
  if (items.length <= most) return [{ kind: 'shown', items }];
  const wanted = [...items.keys()].filter((index) => {
    const item = items[index];
    return item !== undefined && isWanted(item);
  });
  const centres = wanted.slice(0, Math.max(1, Math.floor(most / 5)));
  const reach = Math.max(2, Math.floor(most / 2 / Math.max(1, centres.length)));
  const isKept = (index: number): boolean =>
    centres.length === 0
      ? index < most
      : index === 0 ||
        index === items.length - 1 ||
        centres.some((centre) => Math.abs(centre - index) <= reach);
  return groupKept(items, isKept);
}

function groupKept<Item>(
  items: readonly Item[],
  isKept: (index: number) => boolean,
): readonly Piece<Item>[] {
  const pieces: Piece<Item>[] = [];
  for (let start = 0; start < items.length;) {
    const kept = isKept(start);
    let end = start + 1;
    while (end < items.length && isKept(end) === kept) end += 1;
    // One line says no less than a word about it.
    pieces.push(
      kept || end - start === 1
        ? { kind: 'shown', items: items.slice(start, end) }
        : { kind: 'left-out', count: end - start },
    );
    start = end;
  }
  return pieces;
}

/** A long text without its middle; the counts are UTF-16 code units, and no character is cut. */
export function cutMiddle(
  text: string,
  begin: number,
  end: number,
): readonly [begin: string, leftOut: number, end: string] {
  if (text.length <= begin + end + 40) return [text, 0, ''];
  const first = text.slice(0, begin).replace(/[\uD800-\uDBFF]$/, '');
  const last = end === 0 ? '' : text.slice(-end).replace(/^[\uDC00-\uDFFF]/, '');
  return [first, text.length - first.length - last.length, last];
}
