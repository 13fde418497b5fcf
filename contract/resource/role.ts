import { readExtension, type CompileContext } from '../openapi/compile-context.ts';
import type { Operation } from '../openapi/operation.ts';
import { successResponse } from '../openapi/response.ts';
import { oneOf } from '../json/codec.ts';
import { nodeAt } from '../source/node.ts';
import type { ItemView } from './item-view.ts';
import { type CollectionPaths, type Place, places } from './paths.ts';

/**
 * The parts that operations play for a collection of items. `action` does something to one item:
 * `POST /orders/{id}/cancel`; `view` shows something of one: `GET /orders/{id}/invoice`; `bulk` changes
 * several at once.
 */
const inferredRoles = [
  ...(['list', 'create', 'get', 'replace', 'update', 'remove'] as const),
  ...(['action', 'view', 'bulk'] as const),
];

export type InferredRole = (typeof inferredRoles)[number];

/** Why something was inferred. */
interface Evidence {
  readonly kind: 'path' | 'method' | 'schema' | 'id' | 'location' | 'extension';
  /** For people: `POST on the path of a collection`. */
  readonly text: string;
  readonly weight: number;
}

/** An operation with the role that its method and path give it. */
export interface RoleByPath {
  readonly operation: Operation;
  readonly place: Place;
  readonly role: InferredRole;
  readonly evidence: readonly Evidence[];
}

/** By method. POST of an item is an action where another method writes it. */
const roles: Readonly<Record<Place, Readonly<Partial<Record<string, InferredRole>>>>> = {
  collection: { GET: 'list', POST: 'create', PUT: 'bulk', PATCH: 'bulk', DELETE: 'bulk' },
  item: { GET: 'get', POST: 'update', PUT: 'replace', PATCH: 'update', DELETE: 'remove' },
  below: { GET: 'view', POST: 'action', PUT: 'action', PATCH: 'action', DELETE: 'action' },
  beside: { POST: 'bulk' },
};

const placeNames: Readonly<Record<Place, string>> = {
  collection: 'the path of a collection',
  item: 'the path of an item',
  below: 'a path below an item',
  beside: 'a path of several items',
};

/** The roles by method and path; `given`: what the document says instead. */
export function rolesByPath(
  { placed, isSingle }: CollectionPaths,
  given: ReadonlyMap<Operation, InferredRole | 'none'>,
): readonly RoleByPath[] {
  const hasWrite = placed.item.some(({ method }) => method === 'PATCH' || method === 'PUT');
  const found: RoleByPath[] = [];
  for (const place of places)
    for (const operation of placed[place]) {
      const { method } = operation;
      const isAction = place === 'item' && method === 'POST' && hasWrite;
      const guess = isAction ? 'action' : roles[place][method];
      const role = given.get(operation) ?? guess;
      if (guess === undefined || role === undefined || role === 'none') continue;
      const text = `${method} on ${isSingle ? 'the path of a single item' : placeNames[place]}`;
      const evidence: Evidence =
        role === guess
          ? { kind: 'method', text, weight: 0.5 }
          : { kind: 'extension', text: `x-resource-role says ${role}`, weight: 1 };
      found.push({ operation, place, role, evidence: [evidence] });
    }
  return found;
}

/** Reads `x-resource-role` of operations. `none`: it has no role. */
export function readRoles(
  context: CompileContext,
  operations: readonly Operation[],
): ReadonlyMap<Operation, InferredRole | 'none'> {
  const codec = oneOf([...inferredRoles, 'none']);
  const found = new Map<Operation, InferredRole | 'none'>();
  for (const operation of operations) {
    const node = nodeAt(context.root, operation.pointer)?.get('x-resource-role');
    const role = node && readExtension(context, node, codec);
    if (role !== undefined) found.set(operation, role);
  }
  return found;
}

/** What the success response says of a role; `showing`: the operations that show items, GET first. */
export function evidenceOfView(
  operation: Operation,
  role: InferredRole,
  itemPath: string | undefined,
  showing: readonly Operation[],
  viewOf: (operation: Operation) => ItemView | undefined,
): readonly Evidence[] {
  const evidence: Evidence[] = [];
  const add = (kind: Evidence['kind'], text: string, weight: number): void =>
    void evidence.push({ kind, text, weight });
  if (role === 'create') {
    const { status, headers = [] } = successResponse(operation) ?? {};
    if (status === '201') add('method', 'it is answered 201', 0.2);
    if (headers.some(({ name }) => name.toLowerCase() === 'location'))
      add('location', 'the response has a Location', 0.2);
    if (itemPath !== undefined) add('path', `items have the path ${itemPath}`, 0.1);
  }
  const view = viewOf(operation);
  if (view === undefined) return evidence;
  const where = view.place.length === 0 ? 'the body' : `the member ${view.place.join('.')}`;
  if (role === 'list' && view.isList) add('schema', `${where} is an array`, 0.3);
  if (view.idPlace !== undefined) add('id', `${where} has the id ${view.idPlace.join('.')}`, 0.2);
  const twin = showing.find((one) => one !== operation);
  const item = twin && viewOf(twin)?.item;
  if (twin !== undefined && item?.pointer === view.item.pointer)
    add('schema', `${where} has the schema of ${twin.id}`, 0.3);
  return evidence;
}
