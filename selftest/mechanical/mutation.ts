import { changeExpressions, changeStatements, changeValues } from './changes.ts';
import { type Change, listPlaces } from './syntax.ts';

/** One change of one module that a machine made: a mutant once the module is loaded with it. */
export interface Mutation extends Change {
  /** Where it is and what becomes of what: `limiter.ts:7:31 condition: a < b → true`. */
  readonly name: string;
  readonly file: string;
}

/** Every mutation of a module, in the order of its text. */
export function listMutations(file: string, text: string): readonly Mutation[] {
  const changes = listPlaces(text)
    .flatMap((place) => [
      ...changeExpressions(place, text),
      ...changeValues(place, text),
      ...changeStatements(place),
    ])
    .toSorted((one, other) => one.start - other.start || one.end - other.end);
  const distinct = new Map(
    changes.map((each) => [`${each.start} ${each.end} ${each.after}`, each]),
  );
  return [...distinct.values()].map((change) => {
    const lines = text.slice(0, change.start).split('\n');
    const place = `${file}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
    const before = shorten(text.slice(change.start, change.end));
    return {
      ...change,
      file,
      name: `${place} ${change.kind}: ${before} → ${shorten(change.after)}`,
    };
  });
}

/** The text of a module with a mutation. */
export function applyMutation(text: string, { start, end, after }: Change): string {
  return text.slice(0, start) + after + text.slice(end);
}

/** Longest stretch of a text in a name. */
const longest = 100;

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}
