import { appendPointer } from '../../json/pointer.ts';
import {
  isJsonObject,
  listOf,
  ownMember,
  type JsonObject,
  type JsonValue,
} from '../../json/value.ts';
import type { Flaw, Judging } from './judging.ts';
import type { Keyword, KeywordPlace } from './keyword.ts';
import { renderShort } from './wording.ts';

/** JSON Schema Validation, sections 6.5.3 and 6.5.4. */
export const required: readonly Keyword[] = [
  {
    name: 'required',
    takes: 'names',
    facet: 'required',
    judge: (place) => {
      const names = namesOf(place.value);
      return (value, judging) =>
        isJsonObject(value) ? listMissing(place, value, names, judging) : undefined;
    },
  },
  {
    name: 'dependentRequired',
    takes: 'names-map',
    judge: (place) => {
      const lists = Object.entries(isJsonObject(place.value) ? place.value : {}).map(
        ([name, names]) => [name, namesOf(names)] as const,
      );
      return (value, judging) => {
        if (!isJsonObject(value)) return undefined;
        const flaws = lists.flatMap(([name, names]) =>
          ownMember(value, name) === undefined
            ? []
            : (listMissing(place, value, names, judging, ` beside ${renderShort(name)}`) ?? []),
        );
        return flaws.length === 0 ? undefined : flaws;
      };
    },
  },
];

function listMissing(
  place: KeywordPlace,
  object: JsonObject,
  names: readonly string[],
  judging: Judging,
  why = '',
): readonly Flaw[] | undefined {
  let flaws: Flaw[] | undefined;
  for (const name of names) {
    if (ownMember(object, name) !== undefined || judging.mayLack(object, name)) continue;
    (flaws ??= []).push(...place.flaw(() => `is required${why}`, appendPointer('', name)));
  }
  return flaws;
}

/** The texts of an array. */
export function namesOf(value: JsonValue | undefined): readonly string[] {
  return listOf(value).filter((name) => typeof name === 'string');
}
