import { layOutJson, type JsonLine } from './line.ts';

/** A JSON text in lines, and which values of it are marked. */
export interface MarkedJson {
  readonly lines: readonly JsonLine[];
  /** Pointers of the marked values that are there. */
  readonly marked: ReadonlySet<string>;
}

/**
 * Lays a JSON text out with the values at some pointers marked. Where nothing is at a pointer, a
 * line in the nearest object or array around it says that it is missing. Undefined as `layOutJson`.
 */
export function markJson(text: string, pointers: readonly string[]): MarkedJson | undefined {
  const lines = layOutJson(text);
  if (lines === undefined) return undefined;
  const values = new Map(
    lines.flatMap(({ parts }) =>
      parts.flatMap(({ at, text: value }) => (at === undefined ? [] : [[at, value] as const])),
    ),
  );
  const marked = new Set(pointers.filter((pointer) => values.has(pointer)));
  const missing = new Map<string, readonly string[]>();
  for (const pointer of new Set(pointers).difference(marked)) {
    const around = findAround(pointer, values);
    if (/^[{[]/.test(values.get(around) ?? ''))
      missing.set(around, [
        ...(missing.get(around) ?? []),
        nameOf(pointer.slice(around.length + 1)),
      ]);
    else marked.add(around);
  }
  return { lines: missing.size === 0 ? lines : (layOutJson(text, missing) ?? lines), marked };
}

/** The pointer of the innermost value around the place that a pointer leads to. */
function findAround(pointer: string, values: ReadonlyMap<string, string>): string {
  let around = pointer;
  while (around !== '' && !values.has(around)) around = around.slice(0, around.lastIndexOf('/'));
  return around;
}

/** The rest of a pointer for people: a name as JSON has it. */
function nameOf(rest: string): string {
  return JSON.stringify(rest.replaceAll('~1', '/').replaceAll('~0', '~'));
}
