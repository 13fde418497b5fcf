import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, listOf } from '../json/value.ts';
import { namesOf } from '../schema/keyword/required.ts';
import type { Part, SchemaView } from './schema-view.ts';

/** One value of each type. */
const strangers: readonly JsonValue[] = [null, 'other', -1, false, [], {}];

/**
 * The object changed so that it leaves the schemas that it must not fit: those under `not`, and
 * the branches of `oneOf` that were not chosen. The chosen ones still fit.
 */
export function deviate(value: JsonObject, parts: readonly Part[], view: SchemaView): JsonObject {
  const taken = new Set(parts.map(({ pointer }) => pointer));
  const branches = parts.flatMap(({ pointer, schema }) =>
    listOf(schema.oneOf).map((_one, index) => appendPointer(pointer, 'oneOf', index)),
  );
  const excluded = parts
    .filter(({ schema }) => schema.not !== undefined)
    .map(({ pointer }) => appendPointer(pointer, 'not'));
  const chosen = branches.filter((pointer) => taken.has(pointer));
  let changed = value;
  for (const unwanted of [...excluded, ...branches.filter((pointer) => !taken.has(pointer))]) {
    if (!view.fits([unwanted], changed)) continue;
    const left = listChanges(changed, unwanted, view).find(
      (one) => !view.fits([unwanted], one) && view.fits(chosen, one),
    );
    changed = left ?? changed;
  }
  return changed;
}

/** The object with one member that a schema speaks of changed, added or left out. */
function* listChanges(
  value: JsonObject,
  unwanted: string,
  view: SchemaView,
): Generator<JsonObject> {
  const parts = view.parts([unwanted]) ?? [];
  const names = new Set(
    parts.flatMap(({ schema: { properties, required } }) => [
      ...(isJsonObject(properties) ? Object.keys(properties) : []),
      ...namesOf(required),
    ]),
  );
  for (const name of names) {
    const { [name]: member, ...rest } = value;
    if (member !== undefined) yield rest;
    else for (const stranger of strangers) yield { ...value, [name]: stranger };
  }
  for (const name of names) for (const stranger of strangers) yield { ...value, [name]: stranger };
  yield { ...value, 'Another name': 1 };
  yield { ...value, ...Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`key${index}`, index])) };
}
