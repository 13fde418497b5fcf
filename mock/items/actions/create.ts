import type { InferredResource, ItemView } from '../../../contract/resource/resource.ts';
import { renderJson } from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { plainName } from '../../../contract/resource/names.ts';
import { successResponse, successStatus } from '../../../contract/openapi/response.ts';
import { documentedStatuses } from '../../operation/response/documented.ts';
import {
  type Action,
  type Outcome,
  success,
  successJson,
} from '../../operation/response/outcome.ts';
import { isRefusal, refuse } from '../../operation/response/refusal.ts';
import type { Collection } from '../collection.ts';
import type { Item } from '../store/item.ts';
import type { Shown } from '../view/item-view.ts';
import { valueAt, withValueAt } from '../../../contract/json/place.ts';
import { isUndescribed, jsonType, wholeItem } from '../view/undescribed.ts';
import { compileSettle } from './settle.ts';

/** Stores what is sent as a new item, and answers as documented. */
export function compileCreate(
  collection: Collection,
  operation: Operation,
  otherwise: Action,
): Action {
  const { resource } = collection;
  const view = resource.viewOf(operation);
  const status = successStatus(operation);
  const shown = collection.viewOf(operation);
  const tellsPlace =
    status === 201 ||
    !showsUsualId(resource, operation) ||
    successResponse(operation)?.headers.some(({ name }) => name.toLowerCase() === 'location') ===
      true;
  const settle = compileSettle(collection, operation);
  const tellsConflict = documentedStatuses(operation).has(409);
  const isFree = view === undefined && isUndescribed(resource, operation);
  const mediaType = jsonType(view?.content.mediaType ?? '*/*');
  return (input, call): Outcome => {
    const all = collection.sentIn(operation, input.body);
    // What the document shows is there at first, and is not a reason to refuse the same.
    const isTaken = (key: string): boolean => {
      const id = collection.read(call).find(key)?.id;
      return id !== undefined && collection.read(call).isCreated(id);
    };
    const keys = tellsConflict ? all.map((sent) => collection.keyIn(sent, operation)) : [];
    const taken = keys.find((key) => key !== undefined && isTaken(key));
    if (taken !== undefined)
      return refuse('conflict', `There is already an item with the name or id ${taken}.`);
    const items: Item[] = [];
    for (const sent of all) {
      const made = collection.create(sent, call, operation);
      if (isRefusal(made)) return made;
      collection.put(settle(made, call), operation, call);
      collection.disclose(call);
      items.push(made);
    }
    const [first] = items;
    const location = first && tellsPlace ? collection.location(call, first.id) : undefined;
    const facts = { location };
    if (isFree && first) return successJson(status, wholeItem(resource, first), facts);
    if (view === undefined || first === undefined || shown === undefined) {
      const outcome = otherwise(input, call);
      return outcome.kind === 'success' ? { ...outcome, facts } : outcome;
    }
    const text = items.length === 1 ? shown.text(first) : renderSeveral(items, shown, view);
    return { ...success(status, text, facts), mediaType };
  };
}

/** All in one body where it holds a list and stays valid; else the first. */
function renderSeveral(
  items: readonly Item[],
  shown: Shown,
  { content, ...view }: ItemView,
): string {
  const bodies = items.map((item) => shown.value(item));
  const [first = null] = bodies;
  const inner = bodies.flatMap((body) => valueAt(body, view.place) ?? []);
  const whole = view.isList ? withValueAt(first, view.place, inner) : first;
  const isValid = (content.schema?.validate(whole).length ?? 0) === 0;
  return renderJson(isValid ? whole : first);
}

const usualIds = 8;

/** True where clients find the id by themselves: by its name, near the top of the body. */
function showsUsualId({ idNames, viewOf }: InferredResource, operation: Operation): boolean {
  const view = viewOf(operation);
  return (
    view?.idPlace?.length === 1 &&
    view.place.length < 2 &&
    idNames.slice(0, usualIds).includes(plainName(view.idPlace.join('')))
  );
}
