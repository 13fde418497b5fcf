import type { Operation } from '../../../contract/index.ts';
import { hasTotal } from '../../operation/response/headers.ts';
import { type Action, success, successJson } from '../../operation/response/outcome.ts';
import type { InferredCollection } from '../collection.ts';
import { compileListView } from '../list/list-view.ts';
import { isUndescribed, wholeItem } from '../view/undescribed.ts';

/** Answers the items of a collection. */
export function compileInferredList(
  collection: InferredCollection,
  operation: Operation,
  otherwise: Action,
): Action {
  const { resource } = collection;
  const { status, view, response } = resource.success(operation);
  if (view === undefined && isUndescribed(resource, operation))
    return (_input, call) => {
      const partition = collection.partition(call);
      partition.disclose();
      return successJson(
        status,
        partition.entities.map((entity) => wholeItem(resource, entity)),
      );
    };
  if (view === undefined) return otherwise;
  const render = compileListView(collection, operation, view);
  const { mediaType } = view.content;
  const type = mediaType === '*/*' ? 'application/json' : mediaType;
  const isTotalTold = hasTotal(operation);
  const hasLink = response?.headers.some(({ name }) => name.toLowerCase() === 'link') === true;
  return (input, call) => {
    collection.partition(call).disclose();
    const { text, next, total } = render(input, call);
    const link = hasLink && next !== undefined ? { next } : undefined;
    const facts = isTotalTold ? { ...link, total } : link;
    return { ...success(status, text, facts), mediaType: type };
  };
}
