import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
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
