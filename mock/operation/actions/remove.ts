import { type Operation, successResponse, successStatus } from '../../../contract/index.ts';
import type { Collection } from '../../store/collection.ts';
import { type Action, success } from '../response/outcome.ts';
import { noSuchItem } from './get.ts';

/** Removes an item (DELETE). Answers the item where the document has a body for it. */
export function compileRemove(collection: Collection, operation: Operation): Action {
  const status = successStatus(operation);
  const hasBody = (successResponse(operation)?.content.length ?? 0) > 0;
  return (input, { sandbox }) => {
    const id = collection.idOf(input.parameters);
    const item = id === undefined ? undefined : sandbox.store.write(collection).remove(id);
    if (item === undefined) return noSuchItem(collection, input);
    return success(status, hasBody ? item.text : '');
  };
}
