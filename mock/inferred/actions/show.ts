import { type Operation, renderJson } from '../../../contract/index.ts';
import {
  type Action,
  type Call,
  type Input,
  type Outcome,
  success,
  successJson,
} from '../../operation/response/outcome.ts';
import type { Entity } from '../../store/entities/entity.ts';
import type { InferredCollection } from '../collection.ts';
import { isUndescribed, wholeItem } from '../view/undescribed.ts';

/** Answers with an item, as the operation's response shows it. */
export function compileShow(
  collection: InferredCollection,
  operation: Operation,
  otherwise: Action,
): (entity: Entity, input: Input, call: Call) => Outcome {
  const { resource } = collection;
  const { status, view } = resource.success(operation);
  const shown = collection.viewOf(operation);
  if (view === undefined && isUndescribed(resource, operation))
    return (entity) => successJson(status, wholeItem(resource, entity));
  if (view === undefined || shown === undefined)
    return (_entity, input, call) => otherwise(input, call);
  const { mediaType } = view.content;
  const type = mediaType === '*/*' ? 'application/json' : mediaType;
  return (entity) => ({ ...success(status, renderJson(shown.show(entity))), mediaType: type });
}

/** Answers one item. */
export function compileInferredGet(
  collection: InferredCollection,
  operation: Operation,
  otherwise: Action,
): Action {
  const show = compileShow(collection, operation, otherwise);
  return (input, call) => {
    const entity = collection.find(call);
    return entity === undefined ? collection.missing(operation, call) : show(entity, input, call);
  };
}
