import type { Json, JsonRecord } from '../service/json.ts';
import { createMutant, mapWays, type Mutant, type Ways } from './mutant.ts';
import { requirementsAt, type Place } from './place.ts';
import { changeRecord, leaveOut, rename, replace } from './response-change.ts';

/** Members that are left out or have another name, by a part of the id. */
export type Lost = Readonly<Record<string, readonly [member: string, words: string, to?: string]>>;

/** Changes of members by the facet that they break, such as `name.type`. */
export type Wrong = Readonly<Record<string, Ways<(value: Json) => Json>>>;

/** Required members that the objects of a place lack; the words follow "In a list, ". */
export function loseMembers(place: Place, lost: Lost): readonly Mutant[] {
  return Object.entries(lost).map(([id, [member, words, to]]) =>
    changeMember(place, id, `${member}.required`, words, (record) =>
      to === undefined ? leaveOut(record, member) : rename(record, member, to),
    ),
  );
}

/** Members of the objects of a place that have another value, where they are there. */
export function changeMembers(place: Place, wrong: Wrong): readonly Mutant[] {
  return Object.entries(wrong).flatMap(([facet, ways]) => {
    const [name = ''] = facet.split('.');
    return mapWays(ways, (id, words, change) =>
      changeMember(place, id, facet, words, (record) => replace(record, name, change)),
    );
  });
}

export function changeMember(
  place: Place,
  id: string,
  facet: string,
  words: string,
  change: (record: JsonRecord) => Json,
): Mutant {
  return createMutant(
    `${place.name}-${id}`,
    requirementsAt(place, `${place.pet}.${facet}`),
    `In ${place.words}, ${words}`,
    changeRecord(place, change),
  );
}
