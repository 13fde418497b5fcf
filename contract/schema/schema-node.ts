import type { JsonObject, JsonValue } from '../json/value.ts';
import type { JsonType } from './keyword/value-kind.ts';
import type { Limit } from './keyword/keyword.ts';
import type { Bound } from './keyword/bound.ts';
import type { Direction } from './keyword/judging.ts';

/** A schema of the document with its validator, which is exact for integers of any size. */
export interface SchemaNode {
  /** JSON pointer of where the schema is defined: `#/components/schemas/Pet`. */
  readonly pointer: string;
  /** The schema itself; a `$ref` at its top is already followed, nested ones are not. */
  readonly schema: JsonObject | boolean;
  /**
   * Validates a value. Empty: it fits, or that cannot be decided. All errors, not only the first.
   * Never throws. `direction`: a `request` may lack required members that are `readOnly` (OpenAPI
   * 3.1, Schema Object). Default: `response`.
   */
  validate(value: JsonValue, direction?: Direction): readonly Issue[];
  /** As `validate`, and what keeps a value from being judged to its end. Never throws. */
  judge(value: JsonValue, direction?: Direction): SchemaJudgement;
  /** The view without `$ref` and `allOf`: what a value of this schema looks like. */
  shape(): Shape;
  /** The schemas of the same document. */
  readonly lookup: SchemaLookup;
}

/** Finds schemas of one document. */
export interface SchemaLookup {
  /** As 2020-12 has it, its `$ref` not followed. Throws ContractError where there is none. */
  find(pointer: string): JsonObject | boolean;
  /** The pointer of the schema that a `$ref` names. Throws SyntaxError where it is none. */
  target(reference: string): string;
  /** One node for each schema. A `$ref` that is alone is followed. Throws ContractError where there is none. */
  node(pointer: string): SchemaNode;
  /** A node that validates by several schemas at once and whose shape is theirs merged. */
  intersection(pointers: readonly string[]): SchemaNode;
}

/** What a schema says of a value. */
export interface SchemaJudgement {
  /** Those that hold whatever could not be decided. */
  readonly issues: readonly Issue[];
  /** Left out where the value was judged to its end. */
  readonly undecided?: Undecided | undefined;
  /** Steps that judging took, where they are many. */
  readonly steps?: number | undefined;
}

/**
 * Why a value was not judged to its end. `steps`: that takes more than is allowed; `depth`: it is
 * nested beyond the stack; `pattern`: matching one of its texts takes more steps than is allowed;
 * `schema`: the schema cannot judge it.
 */
export interface Undecided {
  readonly kind: 'steps' | 'depth' | 'pattern' | 'schema';
  /** Completes "it": `takes more than 20000 steps to be judged`. */
  readonly reason: string;
}

/** Where and why a value breaks a schema. Data; the words are in `message`. */
export interface Issue {
  /** JSON pointer into the value, `` for the whole; for `required`, to the missing member. */
  readonly at: string;
  /** The keyword that refused it: `required`, `type`, `enum`, `minimum`, `format`, ... */
  readonly keyword: string;
  /** JSON pointer into the document of that keyword. */
  readonly schemaPointer: string;
  /** For people, complete and without the value's path: `must be one of "a", "b"`. */
  readonly message: string;
}

/** A schema with references followed and `allOf` merged; a union keeps its alternatives. */
export interface Shape {
  /** What each keyword says of the value, in the order of the table of keywords. */
  readonly limits: () => readonly ShapeLimit[];
  /** JSON types allowed, all seven if the schema does not say. */
  readonly types: readonly JsonType[];
  readonly format: string | undefined;
  /** From `enum` and `const`; undefined where neither is. */
  readonly values: readonly JsonValue[] | undefined;
  readonly minimum: Bound | undefined;
  readonly maximum: Bound | undefined;
  readonly multipleOf: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: string | undefined;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: ReadonlySet<string>;
  /** False: none beyond `properties`. */
  readonly additional: SchemaNode | boolean;
  readonly items: SchemaNode | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly alternatives: readonly SchemaNode[];
  readonly default: JsonValue | undefined;
  readonly examples: readonly JsonValue[];
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
}

export interface ShapeLimit extends Limit {
  /** What a requirement that names the keyword is called; undefined where none does. */
  readonly facet: string | undefined;
}

/** For a value that is nested deeper than the stack, which need not come from `parseJson`. */
export const tooDeep: Issue = {
  at: '',
  keyword: '$ref',
  schemaPointer: '#',
  message: 'is nested too deep to be validated',
};

/** The default of a schema; undefined where it has none, or one that it does not allow itself. */
export function possibleDefault(node: SchemaNode): JsonValue | undefined {
  const value = node.shape().default;
  return value !== undefined && node.validate(value).length === 0 ? value : undefined;
}
