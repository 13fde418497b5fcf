import {
  type ItemView,
  type JsonObject,
  type JsonValue,
  type Operation,
  isJsonObject,
  renderJson,
  sampleSchema,
} from '../../../contract/index.ts';
import { renderIssues } from '../../http/issue-message.ts';
import type { InferredCollection, Place } from '../../inferred/collection.ts';
import { idsShown } from '../../inferred/view/ids.ts';
import { type MakeSample, idValue } from '../../inferred/view/item-view.ts';
import { valueAt, without } from '../../inferred/view/place.ts';
import { wholeItem } from '../../inferred/view/undescribed.ts';
import type { Entity } from '../../store/entities/entity.ts';
import { type ItemCollection, type NamedItem, unfitItem } from './item-collection.ts';

/** Where the items are, and when. */
export type ItemPlace = Place & { readonly now: number };

/** The items of a collection that is only inferred, as responses show them. */
export function inferredItems(
  collection: InferredCollection,
  path: string,
  place: ItemPlace,
): ItemCollection {
  const { resource } = collection;
  const shown = shownBy(collection);
  const idMember = shown?.view.idMember;
  const schema = shown?.view.item;
  const show = (entity: Entity): JsonObject => showItem(collection, shown, entity);
  const nameItem = (entity: Entity): NamedItem => ({ id: entity.key, item: show(entity) });
  const put = (entity: Entity): NamedItem => {
    collection.partition(place).put(entity, idsShown(resource, show(entity)));
    return nameItem(entity);
  };
  /** With the id that it has or would have, since the document may demand one. */
  const judge = (item: JsonObject, key: string): void => {
    const id =
      idMember === undefined ? undefined : idValue(key, schema?.shape().properties.get(idMember));
    const whole = idMember === undefined || id === undefined ? item : { [idMember]: id, ...item };
    const issues = schema?.validate(whole) ?? [];
    if (issues.length > 0)
      throw unfitItem(`The item breaks the contract: ${renderIssues(issues)}.`);
  };
  const namer = collection.operationOf('create') ?? resource.operations[0]?.operation;
  const canAdd = (item: JsonObject): boolean => {
    const key = namer && collection.keyIn(item, namer);
    return key === undefined || !collection.partition(place).has(key);
  };
  return {
    path,
    template: resource.path,
    idMember,
    schema,
    get count() {
      return collection.partition(place).entities.length;
    },
    get ids() {
      return collection.partition(place).entities.map(({ key }) => key);
    },
    list({ text, offset, limit }) {
      const wanted = text.toLowerCase();
      const { entities } = collection.partition(place);
      const found =
        text === ''
          ? entities
          : entities.filter((entity) => renderJson(show(entity)).toLowerCase().includes(wanted));
      return { total: found.length, items: found.slice(offset, offset + limit).map(nameItem) };
    },
    sample: () => sampleOf(shown, collection.sample, canAdd),
    add(item) {
      if (namer === undefined)
        throw unfitItem('The items of this collection have no id, so none can be added.');
      const entity = collection.create(item, place, namer);
      judge(item, entity.key);
      if (collection.partition(place).has(entity.key))
        throw unfitItem(`An item with the id ${entity.key} already exists.`);
      return put(entity);
    },
    replace(id, item) {
      const known = collection.partition(place).entities.find(({ key }) => key === id);
      if (known === undefined) return undefined;
      judge(item, id);
      const sent = idMember === undefined ? undefined : item[idMember];
      if (sent !== undefined && sent !== id && renderJson(sent) !== id)
        throw unfitItem(
          `The ${idMember} of an item cannot change: it is ${id}, not ${renderJson(sent)}.`,
        );
      const gone = Object.keys(show(known)).filter((name) => !Object.hasOwn(item, name));
      return put({ ...known, members: item, absent: new Set(gone), changedAt: place.now });
    },
    remove(id) {
      if (!collection.partition(place).has(id)) return false;
      collection.remove({ ...place, pathValues: [...place.pathValues, id] });
      return true;
    },
  };
}

const mostSamples = 10;

/** The plainest item that can be added; without the id that is made for it. */
function sampleOf(
  shown: Shown | undefined,
  sample: MakeSample,
  canAdd: (item: JsonObject) => boolean,
): JsonObject {
  if (shown === undefined) return {};
  const { item: schema, idMember } = shown.view;
  const withoutId = (value: JsonValue | undefined): JsonObject =>
    without(isJsonObject(value) ? value : {}, new Set([idMember ?? '']));
  const plain = withoutId(sample(schema));
  if (canAdd(plain)) return plain;
  for (let count = 1; count < mostSamples; count += 1) {
    const { value } = sampleSchema(schema, { direction: 'response', seed: `${count}` });
    const other = withoutId(value);
    if (canAdd(other)) return other;
  }
  return plain;
}

interface Shown {
  readonly operation: Operation;
  readonly view: ItemView;
}

/** The operation that shows most of an item, and where it stands in its response. */
function shownBy({ resource }: InferredCollection): Shown | undefined {
  for (const operation of resource.showing) {
    const { view } = resource.success(operation);
    if (view !== undefined && view.item.shape().types.includes('object'))
      return { operation, view };
  }
  return undefined;
}

function showItem(
  collection: InferredCollection,
  shown: Shown | undefined,
  entity: Entity,
): JsonObject {
  const whole = wholeItem(collection.resource, entity);
  if (shown === undefined) return whole;
  const body = collection.viewOf(shown.operation)?.show(entity);
  const found = valueAt(body, shown.view.place);
  const item = shown.view.isList && Array.isArray(found) ? found[0] : found;
  return isJsonObject(item) ? item : whole;
}
