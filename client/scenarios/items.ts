import type {
  Contract,
  JsonObject,
  JsonValue,
  Resource,
  SchemaNode,
} from '../../contract/index.ts';
import { type Scenario, type ScenarioMaker, createScenario } from './scenario.ts';

/** 2^53 + 1: the first integer that a double cannot hold (RFC 8259 section 6). */
const firstUnheld = 9007199254740993n;

const largeIds: ScenarioMaker = (contract) => {
  const listing = needList(contract, ({ item }) => largeMembers(item).length > 0);
  return (
    listing &&
    createScenario({
      id: 'large-ids',
      sentence: 'Every 64-bit integer of every item is beyond 2^53, where a double is not exact.',
      needs: listing,
      start: {
        items: (items, { item }) =>
          items.slice(0, 10).map((each, index) => enlarge(each, item, BigInt(index))),
      },
    })
  );
};

const emptyPages: ScenarioMaker = (contract) => {
  const listing = needList(contract);
  return (
    listing &&
    createScenario({
      id: 'empty-pages',
      sentence: 'There is no item at all: lists are empty.',
      needs: listing,
      start: { items: () => [] },
    })
  );
};

const fullPages: ScenarioMaker = (contract) => {
  const listing = needList(contract);
  return (
    listing &&
    createScenario({
      id: 'full-pages',
      sentence:
        'There are more items than a list may ever hold: every list is as long as it may be.',
      needs: listing,
      start: { items: (items, resource) => fill(items, resource) },
    })
  );
};

function needList(
  { resources }: Contract,
  fits: (resource: Resource) => boolean = () => true,
): Scenario['needs'] | undefined {
  const resource = resources.find(fits);
  return resource && { operation: resource.list.id, requests: 1 };
}

function largeMembers(item: SchemaNode): readonly string[] {
  return [...item.shape().properties].flatMap(([name, schema]) =>
    schema.shape().format === 'int64' ? [name] : [],
  );
}

/** Odd numbers, which a double rounds to even ones; another for each member. */
function enlarge(value: JsonObject, item: SchemaNode, index: bigint): JsonObject {
  const members = largeMembers(item).filter((name) => value[name] !== undefined);
  const numbers = members.map((name, place): [string, JsonValue] => [
    name,
    firstUnheld + 2n * (index * BigInt(members.length) + BigInt(place)),
  ]);
  return { ...value, ...Object.fromEntries(numbers) };
}

/** Half as many again as the longest list. Ids are left to the service. */
function fill(
  items: readonly JsonObject[],
  { idProperty, limit }: Resource,
): readonly JsonObject[] {
  const length = Math.ceil((limit?.maximum ?? 100) * 1.5);
  const bare = items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => name !== idProperty)),
  );
  return Array.from(
    { length: bare.length === 0 ? 0 : length },
    (_, index) => bare[index % bare.length] ?? {},
  );
}

/** Inventories out of the ordinary. */
export const itemScenarios: readonly ScenarioMaker[] = [largeIds, emptyPages, fullPages];
