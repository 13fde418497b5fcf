import type { Pattern } from '../../pattern/pattern.ts';
import { appendPointer, canonicalFragment } from '../../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  isNumeric,
  objectOf,
  type JsonObject,
  type JsonValue,
} from '../../json/value.ts';
import type { Evaluated, Judge, Judging, Violation } from './judging.ts';
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

/** A keyword whose test needs only the value. */
export function testKeyword(
  place: KeywordPlace,
  isWrong: (value: JsonValue) => boolean,
  message: (value: JsonValue) => string,
): Judge {
  return (value, judging) => {
    if (isWrong(value)) place.refuse(judging, () => message(value));
  };
}

/** Judges one member or item of the current value. */
type JudgeWithin<Token> = (
  token: Token,
  inner: JsonValue,
  judging: Judging,
  evaluated: Evaluated | undefined,
) => void;

/** If an object has this many times the members of a schema, the members of the schema are looked up. */
const muchWider = 8;

/** Judges each member of an object. `only`: the members to judge; default: all. */
export function eachMember(judgeMember: JudgeWithin<string>, only?: readonly string[]): Judge {
  return (value, judging, evaluated) => {
    if (!isJsonObject(value)) return;
    const all = judging.namesIn(value);
    const isSparse = only !== undefined && all.length > muchWider * only.length;
    const names = isSparse ? only.filter((name) => Object.hasOwn(value, name)) : all;
    judging.take(isSparse ? only.length : names.length);
    for (const name of names) {
      const member = value[name];
      if (member !== undefined) judgeMember(name, member, judging, evaluated);
    }
  };
}

/** Judges each item of an array. */
export function eachItem(judgeItem: JudgeWithin<number>): Judge {
  return (value, judging, evaluated) => {
    if (!isJsonArray(value)) return;
    for (let index = 0; index < value.length; index += 1) {
      const item = value[index];
      if (item !== undefined) judgeItem(index, item, judging, evaluated);
    }
  };
}

/** Judges members or items that no other keyword evaluated. */
export function judgeUnevaluated(
  each: (judgeOne: JudgeWithin<string | number>) => Judge,
): (place: KeywordPlace) => Judge {
  return (place) => {
    const judge = place.subschema(place.value);
    return each((token, inner, judging, evaluated) => {
      if (evaluated?.has(token) !== true && judging.undecided === undefined)
        judging.judgeWithin(token, judge, inner, evaluated);
    });
  };
}

/** The schemas of a document, during compilation. */
export interface SchemaSource {
  /** The judge of the schema at a canonical pointer, compiled once. */
  compile(pointer: string): Judge;
  /** The judge of a schema. `applicator`: the keyword that contains it. */
  compileAt(schema: JsonValue, pointer: string, applicator: string): Judge;
  /** A pattern, compiled once for all schemas that use it. */
  pattern(source: string): Pattern;
}

/** A keyword in one schema. A large document has hundreds of thousands, which their judges retain. */
export class KeywordPlace {
  /** The schema that contains it. */
  readonly schema: JsonObject;
  readonly #source: SchemaSource;
  readonly #name: string;
  /** Of the schema. */
  readonly #pointer: string;

  constructor(source: SchemaSource, name: string, schema: JsonObject, pointer: string) {
    this.schema = schema;
    this.#source = source;
    this.#name = name;
    this.#pointer = pointer;
  }

  /** Its value in the schema, of the type that the keyword takes. */
  get value(): JsonValue {
    return this.schema[this.#name] ?? null;
  }

  /** Its value if that is a string; else empty. */
  get text(): string {
    return typeof this.value === 'string' ? this.value : '';
  }

  /** Adds a violation of the current value; `at`: a pointer below it. */
  refuse(judging: Judging, message: Violation['message'], at = ''): void {
    // Keyword names need no escaping.
    const schemaPointer = `${this.#pointer}/${this.#name}`;
    judging.refuse({ keyword: this.#name, schemaPointer, message }, at);
  }

  pattern(source: string): Pattern {
    return this.#source.pattern(source);
  }

  /** Compiles a subschema by its path below the keyword. */
  subschema(subschema: JsonValue, ...tokens: readonly (string | number)[]): Judge {
    const pointer = appendPointer(this.#pointer, this.#name, ...tokens);
    return this.#source.compileAt(subschema, pointer, this.#name);
  }

  /** Compiles the subschemas in an array or an object, each with its index or name. */
  subschemas(): readonly (readonly [token: string, judge: Judge])[] {
    const entries = Object.entries(isJsonArray(this.value) ? this.value : objectOf(this.value));
    return entries.map(([token, subschema = true]) => [token, this.subschema(subschema, token)]);
  }

  /** Compiles the schema of another keyword next to it; undefined for none. */
  sibling(name: string): Judge | undefined {
    const subschema = this.schema[name];
    return subschema === undefined
      ? undefined
      : this.#source.compileAt(subschema, appendPointer(this.#pointer, name), name);
  }

  /** The target of a `$ref`, compiled when first needed. Each reference in a chain counts as a step. */
  reference(reference: string): Judge {
    const pointer = canonicalFragment(reference);
    let judge: Judge | undefined;
    return (value, judging, evaluated) => {
      judge ??= this.#source.compile(pointer);
      judging.judgeReferred(judge, value, evaluated);
    };
  }
}
