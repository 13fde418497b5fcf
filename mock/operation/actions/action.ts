import { type Operation, successResponse, successStatus } from '../../../contract/index.ts';
import { compileCreate } from './create.ts';
import { compileExample } from './example.ts';
import { compileGet } from './get.ts';
import { compileList } from './list.ts';
import { compileRemove } from './remove.ts';
import { compileChange } from './replace.ts';
import type { Collection } from '../../store/collection.ts';
import type { Choices } from '../../choice/choices.ts';
import type { Action } from '../response/outcome.ts';
import { type ResourceRole, indexRoles } from './resource-role.ts';
import type { InferredCollections } from '../../inferred/actions/inferred-action.ts';

/** Gives what an operation does, compiled when it is asked for. */
export type CompileAction = (operation: Operation) => Action;

/**
 * What operations do: by their role in a resource, else by the role that they seem to have, else by
 * the examples of the document.
 */
export function createActions(
  collections: readonly Collection[],
  choices: Choices,
  inferred: InferredCollections,
): CompileAction {
  const { operations } = choices.contract;
  const roles = indexRoles(collections);
  const gets = new Map(
    operations.flatMap((one) => (one.method === 'GET' ? [[one.path, one] as const] : [])),
  );
  const compile = (operation: Operation): Action => {
    const twin = operation.method === 'HEAD' ? gets.get(operation.path) : undefined;
    if (twin !== undefined) return compileHead(operation, compile(twin));
    const found = roles.get(operation.id);
    return found === undefined
      ? compileInferred(operation, choices, inferred)
      : compileRole(found, operation, choices);
  };
  return compile;
}

function compileRole(
  { collection, role }: ResourceRole,
  operation: Operation,
  choices: Choices,
): Action {
  switch (role) {
    case 'list':
      return compileList(collection, choices);
    case 'create':
      return compileCreate(collection, operation, choices);
    case 'replace':
    case 'update':
      return compileChange(collection, operation, choices);
    case 'remove':
      return compileRemove(collection, operation);
    case 'get':
    default:
      return compileGet(collection, operation);
  }
}

/** HEAD is answered as GET of the path is, with its own status where all goes well. */
function compileHead(operation: Operation, get: Action): Action {
  const response = successResponse(operation);
  return (input, call) => {
    const outcome = get(input, call);
    if (outcome.kind !== 'success' || response === undefined) return outcome;
    return { ...outcome, status: successStatus(operation) };
  };
}

/** Compiled by the first request: to infer takes longer than to start. */
function compileInferred(
  operation: Operation,
  { contract: { basePath } }: Choices,
  inferred: InferredCollections,
): Action {
  let action: Action | undefined;
  return (input, call) => {
    if (action === undefined) {
      const otherwise = compileExample(operation, basePath);
      action = inferred.compile(operation, otherwise) ?? otherwise;
    }
    return action(input, call);
  };
}
