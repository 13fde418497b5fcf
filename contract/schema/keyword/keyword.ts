import { isJsonArray, isNumeric, type JsonValue } from '../../json/value.ts';
import type { Judge, KeywordPlace } from './judging.ts';
import { isJsonTypeName, type MergedSchema } from './merged-schema.ts';

/** The type of a keyword's value, and where it contains subschemas. */
export type ValueKind =
  | `schema${'' | 's' | '-map'}`
  | `pattern${'' | '-map'}`
  | `names${'' | '-map'}`
  | `${'' | 'positive '}number`
  | 'count'
  | 'types'
  | 'flag'
  | 'text'
  | 'value'
  | 'values'
  | 'object'
  | 'unsupported';

/** What is wrong with a type, a limit or a step; undefined if it is valid. */
export function valueIssue(kind: ValueKind, value: JsonValue): string | undefined {
  if (kind === 'types') {
    const names = isJsonArray(value) ? value : [value];
    const isEach = names.length > 0 && names.every(isJsonTypeName);
    const isFit = isEach && new Set(names).size === names.length;
    return isFit ? undefined : 'must be a JSON type, or an array of different ones';
  }
  const number = isNumeric(value) ? Number(value) : Number.NaN;
  if (kind === 'count')
    return Number.isInteger(number) && number >= 0 ? undefined : 'must be an integer from 0 on';
  return number > 0 ? undefined : 'must be a number above 0';
}

/** Everything known about one keyword of JSON Schema or of OpenAPI's base vocabulary. */
export interface Keyword {
  readonly name: string;
  /** The type of its value. */
  readonly takes: ValueKind;
  /**
   * `annotation`: constrains nothing, so a `$ref` with only such siblings equals its target. `information`:
   * says more about a value but rejects none. Default: values can violate it.
   */
  readonly effect?: 'annotation' | 'information';
  /** Its subschemas judge the same value as the schema that contains them. */
  readonly isInPlace?: boolean;
  /** Compiles it; undefined if it rejects nothing, or another keyword judges for it. */
  readonly judge?: (place: KeywordPlace) => Judge | undefined;
  /** Its name in requirements; undefined: only the requirement of the whole body covers it. */
  readonly facet?: string;
  /** The combined limit of several schemas for one value; undefined for none. */
  readonly limit?: (schemas: MergedSchema) => Limit | undefined;
}

/** The limit that a keyword sets for a value. */
export interface Limit {
  /** Completes a sentence about a member: `has at least 3 characters`. */
  readonly demand: string;
  /** Values that are just valid for this keyword. */
  readonly edges?: () => readonly JsonValue[];
  /** Values that are just invalid. */
  readonly wrong?: () => readonly WrongValue[];
}

export interface WrongValue {
  /** Completes "is": `one character too short`. */
  readonly name: string;
  readonly value: JsonValue;
  /** 1: the most significant; 1.5: yields to smaller counterexamples. */
  readonly rank: number;
}
