import { type Operation, successOf, successStatusOf } from '../../../contract/index.ts';
import { compileCreate } from './create.ts';
import { compileExample } from './example.ts';
import { compileGet } from './get.ts';
import { compileList } from './list.ts';
import { compileRemove } from './remove.ts';
import { compileChange } from './replace.ts';
import type { Collection } from '../../store/collection.ts';
import type { Choices } from '../../choice/choices.ts';
import type { Action } from '../response/outcome.ts';
import { roleOf } from './resource-role.ts';
import type { InferredCollections } from '../../inferred/actions/inferred-action.ts';

/** What an operation does: by its role in a resource, else by the role that it seems to have, else by the examples of the document. */
export function compileAction(
  operation: Operation,
  collections: readonly Collection[],
  choices: Choices,
  inferred: InferredCollections,
): Action {
  const twin =
    operation.method === 'HEAD' ? getOfPath(operation, choices.contract.operations) : undefined;
  if (twin !== undefined)
    return compileHead(operation, compileAction(twin, collections, choices, inferred));
  const collection = collections.find(({ resource }) => roleOf(resource, operation) !== undefined);
  if (collection === undefined) return compileInferred(operation, choices, inferred);
  switch (roleOf(collection.resource, operation)) {
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
    case undefined:
    default:
      return compileGet(collection, operation);
  }
}

function getOfPath({ path }: Operation, operations: readonly Operation[]): Operation | undefined {
  return operations.find((one) => one.path === path && one.method === 'GET');
}

/** HEAD is answered as GET of the path is, with its own status where all goes well. */
function compileHead(operation: Operation, get: Action): Action {
  const response = successOf(operation);
  return (input, call) => {
    const outcome = get(input, call);
    if (outcome.kind !== 'success' || response === undefined) return outcome;
    return { ...outcome, status: successStatusOf(response) };
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
