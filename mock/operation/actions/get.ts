import { type Operation, successStatus } from '../../../contract/index.ts';
import type { Collection } from '../../store/collection.ts';
import { type Action, type Input, success } from '../response/outcome.ts';
import { type Refusal, refuse } from '../response/refusal.ts';

/** Answers one item. */
export function compileGet(collection: Collection, operation: Operation): Action {
  const status = successStatus(operation);
  return (input, { sandbox }) => {
    const id = collection.idOf(input.parameters);
    const item = id === undefined ? undefined : sandbox.store.read(collection).get(id);
    return item === undefined ? noSuchItem(collection, input) : success(status, item.text);
  };
}

/** The refusal for an id that no item has. */
export function noSuchItem(collection: Collection, input: Input): Refusal {
  const { idProperty } = collection.resource;
  return refuse(
    'not_found',
    `No item has the ${idProperty} ${collection.idOf(input.parameters) ?? 'that was sent'}.`,
  );
}
