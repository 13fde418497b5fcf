import type { Operation } from '../openapi/operation.ts';
import type { Evidence, InferredResource, InferredRole } from './resource.ts';
import { membersOf } from './item-view.ts';
import type { Overrules } from './overrule.ts';
import type { CollectionPaths } from './paths.ts';
import { wordsOf } from './names.ts';

/** An operation with the role that its method, path and name give it. */
export interface RoleByPath {
  readonly operation: Operation;
  readonly role: InferredRole;
  readonly evidence: readonly Evidence[];
}

/** By method. */
type Roles = Readonly<Partial<Record<string, InferredRole>>>;

const rolesOfCollection: Roles = {
  GET: 'list',
  POST: 'create',
  PUT: 'bulk',
  PATCH: 'bulk',
  DELETE: 'bulk',
};
const rolesOfItem: Roles = { GET: 'get', PUT: 'replace', PATCH: 'update', DELETE: 'remove' };
const rolesBelow: Roles = {
  GET: 'view',
  POST: 'action',
  PUT: 'action',
  PATCH: 'action',
  DELETE: 'action',
};

/** Words of operation ids by role; those of another role speak against one. */
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

/** The roles by method, path and name, where no extension gives another. */
export function rolesByPath(paths: CollectionPaths, overrules: Overrules): readonly RoleByPath[] {
  return guessRoles(paths).flatMap((guess) => {
    const role = overrules.roleOf(guess.operation);
    if (role === undefined) return [guess];
    const text = `x-resource-role says ${role}`;
    return role === 'none'
      ? []
      : [{ ...guess, role, evidence: [{ kind: 'extension' as const, text, weight: 1 }] }];
  });
}

function guessRoles(paths: CollectionPaths): readonly RoleByPath[] {
  const { ofCollection, ofItem, below, beside, isSingle } = paths;
  const hasWrite = ofItem.some(({ method }) => method === 'PATCH' || method === 'PUT');
  const ofItemPost: InferredRole = hasWrite ? 'action' : 'update';
  return [
    ...ofCollection.flatMap((operation) => roleFrom(rolesOfCollection, operation, 'a collection')),
    ...ofItem.flatMap((operation) =>
      roleFrom(
        { ...rolesOfItem, POST: ofItemPost },
        operation,
        isSingle ? 'a single item' : 'an item',
      ),
    ),
    ...below.flatMap((operation) => roleFrom(rolesBelow, operation, 'below an item')),
    ...beside.flatMap((operation) =>
      operation.method === 'POST' && /batch|bulk|import|multi/i.test(operation.path)
        ? roleFrom({ POST: 'bulk' }, operation, 'of several items')
        : [],
    ),
  ];
}

function roleFrom(roles: Roles, operation: Operation, place: string): readonly RoleByPath[] {
  const role = roles[operation.method];
  if (role === undefined) return [];
  const text = `${operation.method} on the path of ${place}`;
  return [
    {
      operation,
      role,
      evidence: [{ kind: 'method', text, weight: 0.5 }, ...byName(operation, role)],
    },
  ];
}

function byName(operation: Operation, role: InferredRole): readonly Evidence[] {
  if (operation.id === `${operation.method} ${operation.path}`) return [];
  const found = wordsOf(operation.id);
  const word = words[role]?.find((one) => found.includes(one));
  if (word !== undefined)
    return [{ kind: 'name', text: `${operation.id} has the word ${word}`, weight: 0.2 }];
  const against = role === 'create' ? askingWords.find((one) => found.includes(one)) : undefined;
  return against === undefined
    ? []
    : [{ kind: 'name', text: `${operation.id} has the word ${against}`, weight: -0.3 }];
}

/** The paths of a collection, with the roles that they give operations. */
interface PathGroup {
  readonly paths: CollectionPaths;
  readonly roles: readonly RoleByPath[];
}

const ranks: Readonly<Record<InferredRole, number>> = {
  create: 6,
  get: 5,
  replace: 5,
  update: 5,
  remove: 5,
  list: 4,
  bulk: 3,
  action: 2,
  view: 1,
};

/**
 * Gives each operation to one collection: `GET /owners/{owner}` may get an item of `/owners`, or list
 * what is at `/owners/{owner}/{name}`.
 */
export function settleRoles<Group extends PathGroup>(groups: readonly Group[]): readonly Group[] {
  const best = new Map<Operation, { readonly group: Group; readonly rank: number }>();
  for (const group of groups)
    for (const { operation, role } of group.roles) {
      const rank = rankOf(role, group.paths);
      const rival = best.get(operation);
      if (rival === undefined || rank > rival.rank) best.set(operation, { group, rank });
    }
  return groups.map((group) => ({
    ...group,
    roles: group.roles.filter(({ operation }) => best.get(operation)?.group === group),
  }));
}

/** Items of a path without operations of its own are less certain. */
function rankOf(role: InferredRole, { ofCollection }: CollectionPaths): number {
  const isOfItem = ranks[role] === ranks.get;
  return isOfItem && ofCollection.length === 0 ? ranks.list - 0.5 : ranks[role];
}

/** What the success response says of a role. */
export function evidenceOfView(
  operation: Operation,
  role: InferredRole,
  resource: InferredResource,
): readonly Evidence[] {
  const { response, view } = resource.success(operation);
  const evidence: Evidence[] = [];
  const add = (kind: Evidence['kind'], text: string, weight: number): void =>
    void evidence.push({ kind, text, weight });
  if (role === 'create') {
    if (response?.status === '201') add('method', 'it is answered 201', 0.2);
    if (response?.headers.some(({ name }) => name.toLowerCase() === 'location') === true)
      add('location', 'the response has a Location', 0.2);
    if (resource.itemPath !== undefined)
      add('path', `items have the path ${resource.itemPath}`, 0.1);
  }
  if (view === undefined) return evidence;
  const where = view.place.length === 0 ? 'the body' : `the member ${view.place.join('.')}`;
  if (role === 'list' && view.isList) add('schema', `${where} is an array`, 0.3);
  if (view.idMember !== undefined) add('id', `${where} has the id ${view.idMember}`, 0.2);
  const twin = itemSchemaOf(resource, operation);
  if (twin !== undefined && twin.pointer === view.item.pointer)
    add('schema', `${where} has the schema of ${twin.operation.id}`, 0.3);
  else if (twin !== undefined) {
    const own = membersOf(view.item);
    const shared = [...twin.members].filter((name) => own.has(name)).length;
    if (shared > 0)
      add(
        'schema',
        `${where} shares ${shared} of ${twin.members.length} members with ${twin.operation.id}`,
        (0.3 * shared) / twin.members.length,
      );
  }
  return evidence;
}

interface Twin {
  readonly operation: Operation;
  readonly pointer: string;
  readonly members: readonly string[];
}

/** The item as another operation of the resource shows it: GET first. */
function itemSchemaOf(resource: InferredResource, besides: Operation): Twin | undefined {
  const other = resource.showing.find((operation) => operation !== besides);
  const item = other && resource.success(other).view?.item;
  return item && { operation: other, pointer: item.pointer, members: [...membersOf(item).keys()] };
}
