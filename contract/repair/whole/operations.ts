import { followReference } from '../../source/follow-reference.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Repair } from '../base/repair.ts';
import { pointerOf, type Place } from '../base/place.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** An operation under `paths`. */
export interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: JsonObject;
  readonly place: Place;
  /** The path item, which others may share by reference. */
  readonly item: JsonObject;
  readonly itemPlace: Place;
}

/** Operations in the document's order, references to path items followed. */
export function listOperations(repair: Repair): readonly PlacedOperation[] {
  const { paths } = repair.document;
  if (!isJsonObject(paths)) return [];
  const pathsPlace = { parent: undefined, token: 'paths' };
  return Object.keys(paths).flatMap((path) => {
    const itemPlace = { parent: pathsPlace, token: path };
    const item = follow(repair, paths[path], itemPlace);
    if (!path.startsWith('/') || !isJsonObject(item)) return [];
    const { additionalOperations: additional } = item;
    const additionalPlace = { parent: itemPlace, token: 'additionalOperations' };
    const found: PlacedOperation[] = [];
    const add = (holder: JsonObject, method: string, parent: Place): void => {
      const place = { parent, token: method };
      const operation = follow(repair, holder[method], place);
      if (isJsonObject(operation)) found.push({ path, method, operation, place, item, itemPlace });
    };
    for (const method of methods) add(item, method, itemPlace);
    if (isJsonObject(additional))
      for (const method of Object.keys(additional)) add(additional, method, additionalPlace);
    return found;
  });
}

/** A value with its references followed. */
export function follow(
  { document }: Repair,
  value: JsonValue | undefined,
  place: Place,
): JsonValue | undefined {
  if (!isJsonObject(value) || value['$ref'] === undefined) return value;
  return followReference(document, { pointer: pointerOf(place), value }).value;
}
