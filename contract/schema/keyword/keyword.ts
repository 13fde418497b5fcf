import type { CodeKeywordDefinition, KeywordCxt } from 'ajv';
import type { SchemaEngine } from '../engine/engine.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
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
  /** Its subschemas judge the same value as the schema that it stands in. */
  readonly isInPlace?: boolean;
  /** Takes the place of ajv's own where that does not know bigint, or is open to hostile values. */
  readonly code?: (context: KeywordCxt, engine: SchemaEngine) => void;
  /** What is put right in ajv's own. */
  readonly repair?: (engine: SchemaEngine) => Partial<CodeKeywordDefinition>;
  /** Its name in ajv, where that reads the keyword's own name in a way of its own. */
  readonly engineName?: string;
  /** For people, without the value's path: `must be at most 100`. */
  readonly message?: (facts: IssueFacts) => string;
  /** What a requirement calls it; undefined: only that of the whole body covers it. */
  readonly facet?: string;
  /** What several schemas together say of one value by this keyword; undefined: nothing. */
  readonly limit?: (schemas: readonly JsonObject[]) => Limit | undefined;
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
  /** Values just lawful, as far as this keyword goes. */
  readonly edges?: () => readonly JsonValue[];
  /** Values just unlawful. */
  readonly wrong?: () => readonly WrongValue[];
}

export interface WrongValue {
  /** In words that follow "is": `one character too short`. */
  readonly name: string;
  readonly value: JsonValue;
  /** 1: the most telling; 1.5: gives way to smaller counterexamples first. */
  readonly rank: number;
}

/** What a message is made of. */
export interface IssueFacts {
  /** The keyword's value in the schema. */
  readonly limit: unknown;
  /** The value that was refused. */
  readonly value: unknown;
  /** What the engine adds. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The issues of the alternatives, for `anyOf` and `oneOf`. */
  readonly branches: readonly { readonly at: string; readonly message: string }[];
}
