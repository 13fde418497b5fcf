import { appendPointer } from '../../json/pointer.ts';
import {
  isJsonObject,
  listOf,
  ownMember,
  type JsonObject,
  type JsonValue,
} from '../../json/value.ts';
import type { Judging } from './judging.ts';
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
      return (value, judging) => {
        if (isJsonObject(value)) refuseMissing(place, value, names, judging);
      };
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
        if (!isJsonObject(value)) return;
        for (const [name, names] of lists)
          if (ownMember(value, name) !== undefined)
            refuseMissing(place, value, names, judging, ` beside ${renderShort(name)}`);
      };
    },
  },
];

function refuseMissing(
  place: KeywordPlace,
  object: JsonObject,
  names: readonly string[],
  judging: Judging,
  why = '',
): void {
  for (const name of names)
    if (ownMember(object, name) === undefined && !judging.mayLack(object, name))
      place.refuse(judging, () => `is required${why}`, appendPointer('', name));
}

/** The texts of an array. */
export function namesOf(value: JsonValue | undefined): readonly string[] {
  return listOf(value).filter((name) => typeof name === 'string');
}
