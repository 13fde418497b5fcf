import type { Operation } from '../../../contract/index.ts';
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
