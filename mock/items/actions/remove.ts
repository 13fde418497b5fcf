import type { Operation } from '../../../contract/openapi/operation.ts';
import { documentsAbsence } from '../../operation/response/documented.ts';
import type { Action } from '../../operation/response/outcome.ts';
import type { Collection } from '../collection.ts';
import { compileShow } from './show.ts';

/**
 * Removes an item: later requests for it find nothing. What went with its parent is removed once
 * more, and so is what is not there if the operation documents no response for that.
 */
export function compileRemove(
  collection: Collection,
  operation: Operation,
  otherwise: Action,
): Action {
  const show = compileShow(collection, operation, otherwise);
  const isTold = documentsAbsence(operation);
  return (input, call) => {
    const name = collection.nameIn(call, input);
    const known = collection.find(operation, call, input);
    if (known === undefined && isTold && !collection.read(call).isOrphan(name))
      return collection.missing(operation, call, input);
    collection.remove(call, input);
    return known === undefined ? otherwise(input, call) : show(known, input, call);
  };
}
