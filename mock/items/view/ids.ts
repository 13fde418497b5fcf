import type { InferredResource } from '../../../contract/resource/resource.ts';
import { type JsonValue, isJsonArray, isJsonObject } from '../../../contract/json/value.ts';
import { plainName } from '../../../contract/resource/names.ts';

/** Values that a client may take for the id of what a body shows: at its top, else one level down. */
export function idsShown({ idNames }: InferredResource, body: JsonValue): readonly string[] {
  const wanted = new Set(idNames);
  const within = (value: JsonValue | undefined): readonly string[] => {
    const object = isJsonArray(value) ? value[0] : value;
    if (!isJsonObject(object)) return [];
    return Object.entries(object).flatMap(([name, member]) =>
      wanted.has(plainName(name)) && (typeof member === 'string' || typeof member === 'number')
        ? [`${member}`]
        : [],
    );
  };
  const top = within(body);
  const ids = top.length > 0 || !isJsonObject(body) ? top : Object.values(body).flatMap(within);
  return [...new Set(ids)].filter((id) => id !== '');
}
