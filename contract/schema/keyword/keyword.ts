import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Judge, Judging } from './judging.ts';
import type { ValueKind } from './value-kind.ts';

/** All that this project knows of one keyword of JSON Schema, or of OpenAPI's base vocabulary. */
export interface Keyword {
  readonly name: string;
  /** What its value in a schema must be. */
  readonly takes: ValueKind;
  /**
   * `annotation`: constrains nothing, so that a `$ref` beside it stands for its target alone.
   * `information`: says more about a value but refuses none. Default: a value can break it.
   */
  readonly effect?: 'annotation' | 'information';
  /** Its subschemas judge the same value as the schema that it is in. */
  readonly isInPlace?: boolean;
  /** Compiles it; undefined where it refuses nothing, or another keyword judges for it. */
  readonly judge?: (place: KeywordPlace) => Judge | undefined;
  /** What a requirement calls it; undefined: only that of the whole body covers it. */
  readonly facet?: string;
  /** What several schemas together say of one value by this keyword; undefined: nothing. */
  readonly limit?: (schemas: readonly JsonObject[]) => Limit | undefined;
}

/** A keyword of one schema, while it is compiled. */
export interface KeywordPlace {
  /** What the schema has for it; of the kind that the keyword takes. */
  readonly value: JsonValue;
  /** That value where it is a text; else empty. */
  readonly text: string;
  /** The schema that it is in. */
  readonly schema: JsonObject;
  /** Adds a flaw of the value that is judged; `at`: below it. */
  refuse(judging: Judging, message: () => string, at?: string): void;
  /** Compiles a subschema, by its place below the keyword. */
  subschema(schema: JsonValue, ...place: readonly (string | number)[]): Judge;
  /** Compiles what another keyword of the same schema has for a schema; undefined for none. */
  sibling(name: string): Judge | undefined;
  /** What a `$ref` refers to, compiled when it is first needed. */
  reference(reference: string): Judge;
  /** The pointer of what a `$ref` refers to; undefined where it is no JSON pointer. */
  target(reference: string): string | undefined;
}

/** A keyword that shows in the shape of a value. */
export interface LimitKeyword<Value> extends Keyword {
  readonly limit: (schemas: readonly JsonObject[]) => Limit<Value> | undefined;
}

/** A keyword as it holds for one value. */
export interface Limit<Value = unknown> {
  readonly value: Value;
  /** In words that follow a member: `has at least 3 characters`. */
  readonly demand: string;
  /** Values just valid, as far as this keyword goes. */
  readonly edges?: () => readonly JsonValue[];
  /** Values just invalid. */
  readonly wrong?: () => readonly WrongValue[];
}

export interface WrongValue {
  /** In words that follow "is": `one character too short`. */
  readonly name: string;
  readonly value: JsonValue;
  /** 1: the most telling; 1.5: gives way to smaller counterexamples first. */
  readonly rank: number;
}

/** A keyword that refuses values by a test that needs nothing but the value. */
export function testKeyword(
  place: KeywordPlace,
  isWrong: (value: JsonValue) => boolean,
  message: (value: JsonValue) => string,
): Judge {
  return (value, judging) => {
    if (isWrong(value)) place.refuse(judging, () => message(value));
  };
}
