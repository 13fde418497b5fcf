import type { Operation } from '../../../contract/index.ts';
import { documentsAbsence } from '../../operation/response/documented.ts';
import type { Action } from '../../operation/response/outcome.ts';
import { plainEntity } from '../../store/entities/entity.ts';
import type { InferredCollection } from '../collection.ts';
import { compileShow } from './show.ts';

/**
 * Removes an item: later requests for it find nothing. What went with its parent is removed once
 * more, and so is what is not there where the document has no answer for that.
 */
export function compileInferredRemove(
  collection: InferredCollection,
  operation: Operation,
  otherwise: Action,
): Action {
  const show = compileShow(collection, operation, otherwise);
  const isTold = documentsAbsence(operation);
  return (input, call) => {
    const partition = collection.partition(call);
    const name = collection.nameIn(call);
    const entity =
      collection.find(call) ??
      (partition.isOrphan(name) || !isTold ? plainEntity(name) : undefined);
    if (entity === undefined) return collection.missing(operation, call);
    collection.remove(call);
    return show(entity, input, call);
  };
}
