import type { Operation } from '../../../contract/openapi/operation.ts';
import { successStatus } from '../../../contract/openapi/response.ts';
import {
  type Action,
  type Call,
  type Input,
  type Outcome,
  success,
  successJson,
} from '../../operation/response/outcome.ts';
import type { Collection } from '../collection.ts';
import type { Item } from '../store/item.ts';
import { isUndescribed, jsonType, wholeItem } from '../view/undescribed.ts';

type Show = (item: Item, input: Input, call: Call) => Outcome;

/** Answers with an item, as the operation's response shows it. */
export function compileShow(collection: Collection, operation: Operation, otherwise: Action): Show {
  const status = successStatus(operation);
  const { resource } = collection;
  const view = resource.viewOf(operation);
  const shown = collection.viewOf(operation);
  if (view === undefined && isUndescribed(resource, operation))
    return (item) => successJson(status, wholeItem(resource, item));
  if (view === undefined || shown === undefined)
    return (_item, input, call) => otherwise(input, call);
  const mediaType = jsonType(view.content.mediaType);
  return (item) => ({ ...success(status, shown.text(item)), mediaType });
}

/** Answers one item. */
export function compileGet(
  collection: Collection,
  operation: Operation,
  otherwise: Action,
): Action {
  const show = compileShow(collection, operation, otherwise);
  return (input, call) => {
    const item = collection.find(operation, call, input);
    return item === undefined
      ? collection.missing(operation, call, input)
      : show(item, input, call);
  };
}
