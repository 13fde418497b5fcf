import { successResponse } from '../openapi/response.ts';
import type { CollectionPaths, Place, PlacedRole } from './paths.ts';
import type { Operation } from '../openapi/operation.ts';
import type { ItemView } from './item-view.ts';

type Kind = 'path' | 'method' | 'schema' | 'id' | 'location' | 'extension';

const placeNames: Readonly<Record<Place, string>> = {
  collection: 'the path of a collection',
  item: 'the path of an item',
  below: 'a path below an item',
  beside: 'a path of several items',
};

interface Collection extends Pick<CollectionPaths, 'isSingle' | 'itemPath'> {
  readonly showing: readonly Operation[];
  readonly viewOf: (operation: Operation) => ItemView | undefined;
}

export type Evidence = ReturnType<typeof findEvidence>;

/**
 * What in path, method and success response supports the role of an operation, and the sum of the
 * weights.
 */
export function findEvidence(
  { operation, place, role, isGiven }: PlacedRole,
  { isSingle, itemPath, showing, viewOf }: Collection,
) {
  const { status, headers = [] } = successResponse(operation) ?? {};
  const isLocated = headers.some(({ name }) => name.toLowerCase() === 'location');
  const view = viewOf(operation);
  const id = view?.idPlace?.join('.');
  const where = view?.place.length === 0 ? 'the body' : `the member ${view?.place.join('.')}`;
  const twin = showing.find((one) => one !== operation);
  const isAlike = twin && view && viewOf(twin)?.item.pointer === view.item.pointer;
  const path = isSingle ? 'the path of a single item' : placeNames[place];
  const isCreate = role === 'create';
  const rows: readonly (readonly [boolean | undefined, Kind, string, number])[] = [
    [isGiven, 'extension', `x-resource-role says ${role}`, 1],
    [!isGiven, 'method', `${operation.method} on ${path}`, 0.5],
    [isCreate && status === '201', 'method', 'it is answered 201', 0.2],
    [isCreate && isLocated, 'location', 'the response has a Location', 0.2],
    [isCreate && itemPath !== undefined, 'path', `items have the path ${itemPath}`, 0.1],
    [role === 'list' && view?.isList, 'schema', `${where} is an array`, 0.3],
    [id !== undefined, 'id', `${where} has the id ${id}`, 0.2],
    [isAlike, 'schema', `${where} has the schema of ${twin?.id}`, 0.3],
  ];
  const evidence = rows
    .filter(([applies]) => applies === true)
    .map(([, kind, text, weight]) => ({ kind, text, weight }));
  const sum = evidence.reduce((total, { weight }) => total + weight * 100, 0);
  return { evidence, weight: Math.round(sum) / 100 };
}
