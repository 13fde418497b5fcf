import type { Operation } from '../openapi/operation.ts';
import { successResponse } from '../openapi/response.ts';
import { membersOf } from './item-view.ts';
import { wordsOf } from './names.ts';
import { type CollectionPaths, type Place, places } from './paths.ts';
import type { Evidence, InferredResource, InferredRole } from './resource.ts';

/** An operation with the role that its method, path and name give it. */
export interface RoleByPath {
  readonly operation: Operation;
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

/** Words of operation ids by role. */
const words: Readonly<Partial<Record<InferredRole, readonly string[]>>> = {
  list: ['list', 'index', 'all', 'browse', 'query', 'search', 'find'],
  create: ['create', 'add', 'new', 'insert', 'post', 'register', 'store', 'import', 'upload'],
  get: ['get', 'retrieve', 'show', 'read', 'fetch', 'find', 'describe', 'by', 'view'],
  replace: ['put', 'replace', 'update', 'set', 'edit', 'upsert', 'save'],
  update: ['patch', 'update', 'edit', 'modify', 'change'],
  remove: ['delete', 'remove', 'destroy', 'cancel', 'revoke', 'archive'],
};

/** Words of operations that send a body and create nothing. */
const askingWords = ['search', 'query', 'login', 'validate', 'check', 'preview', 'count'];

/** The roles by method, path and name; `given`: what the document says instead. */
export function rolesByPath(
  { placed, isSingle }: CollectionPaths,
  given: ReadonlyMap<Operation, InferredRole | 'none'>,
): readonly RoleByPath[] {
  const hasWrite = placed.item.some(({ method }) => method === 'PATCH' || method === 'PUT');
  return places.flatMap((place) =>
    placed[place].flatMap((operation) => {
      const { method } = operation;
      const isAction = place === 'item' && method === 'POST' && hasWrite;
      const guess = isAction ? 'action' : roles[place][method];
      const role = given.get(operation) ?? guess;
      if (guess === undefined || role === undefined || role === 'none') return [];
      if (role !== guess) {
        const text = `x-resource-role says ${role}`;
        return [{ operation, role, evidence: [{ kind: 'extension' as const, text, weight: 1 }] }];
      }
      const text = `${method} on ${isSingle ? 'the path of a single item' : placeNames[place]}`;
      const byMethod = { kind: 'method' as const, text, weight: 0.5 };
      return [{ operation, role, evidence: [byMethod, ...byName(operation, role)] }];
    }),
  );
}

function byName({ id, method, path }: Operation, role: InferredRole): readonly Evidence[] {
  if (id === `${method} ${path}`) return [];
  const found = wordsOf(id);
  const word = words[role]?.find((one) => found.includes(one));
  const against = role === 'create' ? askingWords.find((one) => found.includes(one)) : undefined;
  if (word !== undefined)
    return [{ kind: 'name', text: `${id} has the word ${word}`, weight: 0.2 }];
  if (against === undefined) return [];
  return [{ kind: 'name', text: `${id} has the word ${against}`, weight: -0.3 }];
}

/** What the success response says of a role. */
export function evidenceOfView(
  operation: Operation,
  role: InferredRole,
  { itemPath, showing, viewOf }: InferredResource,
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
  // The item as another operation shows it, GET first.
  const twin = showing.find((one) => one !== operation);
  const item = twin && viewOf(twin)?.item;
  if (twin === undefined || item === undefined) return evidence;
  const own = membersOf(view.item);
  const members = [...membersOf(item).keys()];
  const shared = members.filter((name) => own.has(name)).length;
  if (item.pointer === view.item.pointer)
    add('schema', `${where} has the schema of ${twin.id}`, 0.3);
  else if (shared > 0)
    add(
      'schema',
      `${where} shares ${shared} of ${members.length} members with ${twin.id}`,
      (0.3 * shared) / members.length,
    );
  return evidence;
}
