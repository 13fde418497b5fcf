import type { Operation } from '../openapi/operation.ts';
import type { Evidence, InferredRole } from './inferred-resource.ts';
import type { Overrules } from './overrule.ts';
import type { CollectionPaths } from './paths.ts';
import { wordsOf } from './names.ts';

/** An operation with the role that its method and path give it. */
export interface RoleByPath {
  readonly operation: Operation;
  readonly role: InferredRole;
  readonly evidence: readonly Evidence[];
}

type Roles = Readonly<Partial<Record<Operation['method'], InferredRole>>>;

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
