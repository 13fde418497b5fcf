import {
  type InferredResource,
  type InferredRole,
  type JsonObject,
  type JsonValue,
  isJsonObject,
  membersOf,
  plainName,
  sampleSchema,
} from '../../contract/index.ts';
import { plainEntity } from '../store/entities/entity.ts';
import type { Partition } from '../store/entities/partition.ts';
import { idsShown } from './view/ids.ts';
import { type MakeSample, bodyWithoutEntity } from './view/item-view.ts';
import { valueAt } from './view/place.ts';

const mostExamples = 20;
const madeItems = 2;

/** Fills a partition with the items that the document shows, else with a few that are made up. */
export function seedPartition(
  partition: Partition,
  resource: InferredResource,
  sample: MakeSample,
  nextKey: () => string,
): void {
  for (const item of exampleItems(resource)) {
    const key = item.key ?? nextKey();
    if (!partition.has(key))
      partition.put(plainEntity(key, item.members), idsShown(resource, item.members));
  }
  if (partition.entities.length === 0)
    for (let count = 0; count < madeItems; count += 1) {
      const entity = plainEntity(nextKey());
      const made = count === 0 ? entity.made : variedMembers(resource, `${count}`);
      partition.put({ ...entity, made }, idsShown(resource, sampledItem(resource, sample)));
    }
  for (const key of parameterIds(resource))
    if (!partition.has(key)) partition.put(plainEntity(key));
}

/** An item as the list shows it before anything is known of it, without the id that is its own. */
function sampledItem({ operations, success }: InferredResource, sample: MakeSample): JsonValue {
  const list = operations.find(({ role }) => role === 'list')?.operation;
  const view = list && success(list).view;
  const found = view && valueAt(bodyWithoutEntity(view, sample), view.place);
  const item = (Array.isArray(found) ? found[0] : found) ?? null;
  if (view?.idMember === undefined || !isJsonObject(item)) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== view.idMember));
}

/** Texts and numbers that tell an item from the first one, where every view may show them. */
function variedMembers({ showing, success }: InferredResource, seed: string): JsonObject {
  const views = showing
    .map((operation) => success(operation).view)
    .filter((one) => one !== undefined);
  const [first] = views;
  if (first === undefined) return {};
  const { value } = sampleSchema(first.item, { direction: 'response', seed });
  const named = views.map(({ item }) => membersOf(item));
  const made = Object.entries(isJsonObject(value) ? value : {}).filter(
    ([name, member]) =>
      (typeof member === 'string' || typeof member === 'number') &&
      named.every((members) => {
        const schema = members.get(name);
        return (
          schema === undefined ||
          (schema.shape().values === undefined && schema.validate(member).length === 0)
        );
      }),
  );
  return Object.fromEntries(made.map(([name, member]) => [plainName(name), member]));
}

interface ExampleItem {
  readonly key: string | undefined;
  readonly members: JsonObject;
}

/** Items in examples of the list, then of one item. */
function exampleItems({ operations, success }: InferredResource): readonly ExampleItem[] {
  const inView = (wanted: InferredRole): readonly ExampleItem[] => {
    const operation = operations.find(({ role }) => role === wanted)?.operation;
    const view = operation && success(operation).view;
    if (view === undefined) return [];
    return view.content.examples.flatMap(({ value }) => {
      const found = valueAt(value, view.place);
      const items: readonly (JsonValue | undefined)[] = Array.isArray(found) ? found : [found];
      return items.filter(isJsonObject).map((members) => {
        const id = view.idMember === undefined ? undefined : members[view.idMember];
        return { key: isId(id) ? `${id}` : undefined, members };
      });
    });
  };
  const listed = inView('list');
  const single = inView('get').filter(({ key }) => key !== undefined);
  return [...listed, ...single].slice(0, mostExamples);
}

/** Ids that the document shows for the path parameter. */
function parameterIds({ idParameter }: InferredResource): readonly string[] {
  if (idParameter === undefined) return [];
  const { examples, default: standard } = idParameter.schema.shape();
  return [...idParameter.examples, ...examples, standard].filter(isId).map(String);
}

function isId(value: JsonValue | undefined): value is string | number | bigint {
  return (
    (typeof value === 'string' && value !== '') ||
    typeof value === 'number' ||
    typeof value === 'bigint'
  );
}
