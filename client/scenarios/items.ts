import { withoutMember } from '../../contract/json/place.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import type { ScenarioDraft, ScenarioMaker } from './scenario.ts';

/** 2^53 + 1: the first integer that a double cannot hold (RFC 8259 section 6). */
const firstUnheld = 9007199254740993n;

/** Inventories out of the ordinary. */
export const itemScenarios: readonly ScenarioMaker[] = [
  listing(
    {
      id: 'large-ids',
      sentence: 'Every 64-bit integer of every item is beyond 2^53, where a double is not exact.',
      start: {
        items: (items, { item }) =>
          items.slice(0, 10).map((each, index) => enlarge(each, item, BigInt(index))),
      },
    },
    ({ item }) => largeMembers(item).length > 0,
  ),
  listing({
    id: 'empty-pages',
    sentence: 'There are no items: lists are empty.',
    start: { items: () => [] },
  }),
  listing({
    id: 'full-pages',
    sentence: 'There are more items than a list can hold: every list has the maximum length.',
    start: { items: fill },
  }),
];

/** A scenario that takes a list of a resource that fits. */
function listing(
  draft: ScenarioDraft,
  fits: (resource: Resource) => boolean = () => true,
): ScenarioMaker {
  return ({ resources }) => {
    const list = resources.find(fits)?.list;
    return list && { ...draft, needs: { operation: list.id, requests: 1 } };
  };
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
function fill(items: readonly JsonObject[], { idPlace, limit }: Resource): readonly JsonObject[] {
  const length = Math.ceil((limit?.maximum ?? 100) * 1.5);
  const bare = items.map((item) => withoutMember(item, idPlace));
  return Array.from(
    { length: bare.length === 0 ? 0 : length },
    (_, index) => bare[index % bare.length] ?? {},
  );
}
