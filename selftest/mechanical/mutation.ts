import type { Change } from './change.ts';
import { changeExpressions } from './expression.ts';
import { changeStatements } from './statement.ts';
import { listPlaces, nameOf } from './syntax.ts';
import { changeValues } from './value.ts';

/** One change of one module that a machine made: a mutant once the module is loaded with it. */
export interface Mutation extends Change {
  /** Names it wherever in the module it stands: `limiter.ts count condition: a < b → true`. */
  readonly key: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly before: string;
}

/** Every mutation of a module, in the order of its text; the same text has the same. */
export function listMutations(file: string, text: string): readonly Mutation[] {
  const seen = new Map<string, number>();
  const found = listPlaces(text)
    .flatMap((place) =>
      [
        ...changeExpressions(place, text),
        ...changeValues(place, text),
        ...changeStatements(place),
      ].map((change) => ({ ...change, within: nameOf(place) })),
    )
    .toSorted((one, other) => one.start - other.start || one.end - other.end);
  const distinct = new Map(found.map((each) => [`${each.start} ${each.end} ${each.after}`, each]));
  return [...distinct.values()].map(({ within, ...change }) => {
    const before = text.slice(change.start, change.end);
    const words = `${file} ${within} ${change.kind}: ${shorten(before)} → ${shorten(change.after)}`;
    const nth = (seen.get(words) ?? 0) + 1;
    seen.set(words, nth);
    const lines = text.slice(0, change.start).split('\n');
    const column = (lines.at(-1)?.length ?? 0) + 1;
    const key = nth === 1 ? words : `${words} (${nth})`;
    return { ...change, key, file, line: lines.length, column, before };
  });
}

/** The text of a module with a mutation. */
export function applyMutation(text: string, { start, end, after }: Change): string {
  return text.slice(0, start) + after + text.slice(end);
}

/** Longest stretch of a text in a key. */
const longest = 100;

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}
