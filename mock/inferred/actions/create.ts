import {
  type InferredResource,
  type ItemView,
  type JsonObject,
  type JsonValue,
  type Operation,
  isJsonObject,
  plainName,
  renderJson,
} from '../../../contract/index.ts';
import {
  type Action,
  type Outcome,
  success,
  successJson,
} from '../../operation/response/outcome.ts';
import { documentedStatuses } from '../../operation/response/documented.ts';
import { refuse } from '../../operation/response/refusal.ts';
import type { Entity } from '../../store/entities/entity.ts';
import type { InferredCollection } from '../collection.ts';
import { valueAt, withValueAt } from '../view/place.ts';
import { idsShown } from '../view/ids.ts';
import { isUndescribed, wholeItem } from '../view/undescribed.ts';
import { sentItems, unsentMembers } from './sent.ts';

/** Stores what is sent as a new item, and answers as documented. */
export function compileInferredCreate(
  collection: InferredCollection,
  operation: Operation,
  otherwise: Action,
): Action {
  const { resource } = collection;
  const { response, status, view } = resource.success(operation);
  const shown = collection.viewOf(operation);
  const tellsPlace =
    status === 201 ||
    !showsUsualId(resource, operation) ||
    response?.headers.some(({ name }) => name.toLowerCase() === 'location') === true;
  const isWhole = view !== undefined && isShownElsewhere(resource, operation);
  const tellsConflict = documentedStatuses(operation).has(409);
  const keyOf = (sent: JsonObject): string | undefined => collection.keyIn(sent, operation);
  const isFree = view === undefined && isUndescribed(resource, operation);
  return (input, call): Outcome => {
    const partition = collection.partition(call);
    const all = sentItems(resource, operation, input.body);
    // What the document shows is there at first, and is no reason to refuse the same.
    const isTaken = (key = ''): boolean => partition.find(key)?.createdAt !== undefined;
    const taken = tellsConflict ? all.map(keyOf).find(isTaken) : undefined;
    if (taken !== undefined)
      return refuse('conflict', `There is already an item with the name or id ${taken}.`);
    partition.disclose();
    const entities = all.map((sent) => {
      const made = collection.create(sent, call, operation);
      const entity = { ...made, absent: unsentMembers(resource, operation, made.members) };
      const body = shown?.show(entity);
      const kept = body !== undefined && isWhole ? withMade(entity, view, body) : entity;
      partition.put(kept, body === undefined ? [] : idsShown(resource, body));
      return { entity, body };
    });
    const [first] = entities;
    const location = first && tellsPlace ? collection.location(call, first.entity.key) : undefined;
    const facts = { location };
    if (isFree && first) return successJson(status, wholeItem(resource, first.entity), facts);
    if (view === undefined || first?.body === undefined) {
      const outcome = otherwise(input, call);
      return outcome.kind === 'success' ? { ...outcome, facts } : outcome;
    }
    const { mediaType, schema } = view.content;
    const bodies = entities.map(({ body = null }) => body);
    const items = bodies.flatMap((body) => valueAt(body, view.place) ?? []);
    const whole = view.isList ? withValueAt(first.body, view.place, items) : first.body;
    const isValid = schema === undefined || schema.validate(whole).length === 0;
    return {
      ...success(status, renderJson(isValid ? whole : first.body), facts),
      mediaType: mediaType === '*/*' ? 'application/json' : mediaType,
    };
  };
}

const usualIds = 8;

/** True where clients find the id without being told: by its name, near the top of the body. */
function showsUsualId({ idNames, success }: InferredResource, operation: Operation): boolean {
  const { view } = success(operation);
  return (
    view?.idMember !== undefined &&
    view.place.length < 2 &&
    idNames.slice(0, usualIds).includes(plainName(view.idMember))
  );
}

/** Whether another operation shows items by the same schema. */
function isShownElsewhere({ showing, success }: InferredResource, operation: Operation): boolean {
  const pointer = success(operation).view?.item.pointer;
  return showing.some((one) => one !== operation && success(one).view?.item.pointer === pointer);
}

/** What the creation shows beside what was sent stays so in all views. */
function withMade(entity: Entity, { place, isList, idMember }: ItemView, body: JsonValue): Entity {
  const found = valueAt(body, place);
  const item = isList && Array.isArray(found) ? found[0] : found;
  if (!isJsonObject(item)) return entity;
  const made = Object.entries(item).flatMap(([name, value]) =>
    name === idMember || value === undefined || Object.hasOwn(entity.members, name)
      ? []
      : [[plainName(name), value] as const],
  );
  return { ...entity, made: { ...Object.fromEntries(made), ...entity.made } };
}
