import {
  isJsonArray,
  isJsonObject,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import type { Keyword } from './keyword/keyword.ts';
import { keywordOf } from './keywords.ts';

/** A schema by its name in a map of schemas, by its index in a list, or by itself. */
export type Member = readonly [key: string, schema: JsonValue];

/** Weighs schemas: each that is in one counts, itself too, and none that it refers to. */
export interface Scales {
  readonly weigh: (schema: JsonValue) => number;
  /** The schemas in the value of a keyword. */
  readonly weighMember: (keyword: Keyword, value: JsonValue) => number;
  readonly listMembers: (keyword: Keyword, value: JsonValue) => readonly Member[];
}

/** Weighs each schema once. */
export function createScales(): Scales {
  const known = new WeakMap<JsonObject, number>();

  function weigh(schema: JsonValue): number {
    if (!isJsonObject(schema)) return 1;
    const weight = known.get(schema) ?? 1 + weighMembers(schema);
    known.set(schema, weight);
    return weight;
  }

  function weighMembers(schema: JsonObject): number {
    let sum = 0;
    for (const [name, value] of Object.entries(schema)) {
      const keyword = keywordOf(name);
      if (value !== undefined && keyword !== undefined && keyword.effect === undefined)
        sum += weighMember(keyword, value);
    }
    return sum;
  }

  function weighMember(keyword: Keyword, value: JsonValue): number {
    return listMembers(keyword, value).reduce((sum, [, schema]) => sum + weigh(schema), 0);
  }

  return { weigh, weighMember, listMembers };
}

function listMembers({ takes }: Keyword, value: JsonValue): readonly Member[] {
  if (takes === 'schema') return [['', value]];
  if (takes === 'schemas' && isJsonArray(value))
    return value.map((schema, index) => [String(index), schema]);
  if ((takes === 'schema-map' || takes === 'pattern-map') && isJsonObject(value))
    return Object.entries(value).map(([name, schema]) => [name, schema ?? true]);
  return [];
}

/** Members of one object whose schemas say the same. */
export interface AlikeMembers {
  readonly names: ReadonlySet<string>;
  /** The schema of each of them. */
  readonly schema: JsonValue;
}

/** Members that are worth being judged by one schema. */
const leastAlike = 20;

/** Schemas that are each looked for in the value by themselves. */
const mostSchemas = 10;

/**
 * Finds the members of a large object that have one schema: those that say most the same first, and
 * the other members. `isPlain`: whether a schema has no other within it.
 */
export function findAlike(
  members: readonly Member[],
  isPlain: (schema: JsonValue) => boolean,
): { readonly alike: readonly AlikeMembers[]; readonly others: readonly Member[] } {
  const byText = Map.groupBy(members, ([, schema]) =>
    isPlain(schema) ? renderJson(assertionsOf(schema)) : '',
  );
  const found = [...byText]
    .filter(([text, group]) => text !== '' && group.length >= leastAlike)
    .toSorted(([, left], [, right]) => right.length - left.length)
    .slice(0, mostSchemas);
  const texts = new Set(found.map(([text]) => text));
  return {
    alike: found.flatMap(([, group]) =>
      group.slice(0, 1).map(([, schema]) => ({
        names: new Set(group.map(([name]) => name)),
        schema,
      })),
    ),
    others: [...byText].flatMap(([text, group]) => (texts.has(text) ? [] : group)),
  };
}

/** What of a schema judges a value. */
function assertionsOf(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => {
      const keyword = keywordOf(name);
      return name === 'nullable' || (keyword !== undefined && keyword.effect === undefined);
    }),
  );
}
