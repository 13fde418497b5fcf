import { followReference } from '../../source/follow-reference.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Repair } from '../base/repair.ts';
import { pointerOf, type Place } from '../base/place.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

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
    return methods.flatMap((method) => {
      const place = { parent: itemPlace, token: method };
      const operation = follow(repair, item[method], place);
      return isJsonObject(operation) ? [{ path, method, operation, place, item, itemPlace }] : [];
    });
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
