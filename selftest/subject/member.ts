import type { Json, JsonRecord } from '../service/json.ts';
import { type Mutant, type Rows, createMutant, listMutants, phrase } from './mutant.ts';
import { requirementsAt, type Place } from './place.ts';
import { changeRecord, replace } from './response-change.ts';

/** Changes of members by the facet that they break, such as `name.type`. */
export type Wrong = Readonly<Record<string, Rows<Change>>>;

type Change = (value: Json) => Json;

/** Members of the objects of a place that have another value, where they are there. */
export function changeMembers(place: Place, wrong: Wrong): readonly Mutant[] {
  return Object.entries(wrong).flatMap(([facet, rows]) => {
    const [name = ''] = facet.split('.');
    return listMutants(
      `${place.name}-`,
      requirementsAt(place, `${place.pet}.${facet}`),
      (change: Change) => changeRecord(place, (record) => replace(record, name, change)),
      phrase((words) => `In ${place.words}, ${words}`, rows),
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
