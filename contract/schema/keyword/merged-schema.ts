import {
  compareNumbers,
  isJsonArray,
  isNumeric,
  listOf,
  objectOf,
  type JsonObject,
  type JsonValue,
} from '../../json/value.ts';
import { largest, smallest } from '../../list/list.ts';
import { createMembership } from './equality.ts';

export const everyType = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
] as const;

export type JsonType = (typeof everyType)[number];

export function isJsonTypeName(value: JsonValue): boolean {
  return everyType.some((name) => name === value);
}

/** The strings of an array; a single string as an array. */
export function namesOf(value: JsonValue | undefined): readonly string[] {
  const names = typeof value === 'string' ? [value] : listOf(value);
  return names.filter((name) => typeof name === 'string');
}

/** One of several schema objects that all apply to a value. */
export interface SchemaPart {
  readonly pointer: string;
  readonly schema: JsonObject;
}

/** One end of a range of numbers. */
export interface Bound {
  readonly value: number | bigint;
  readonly exclusive: boolean;
}

/** Schema objects that all apply to one value, and their combined keywords. */
export class MergedSchema {
  readonly parts: readonly SchemaPart[];
  #types: readonly JsonType[] | undefined;
  #required: ReadonlySet<string> | undefined;
  #declared: ReadonlySet<string> | undefined;
  #places: ReturnType<typeof groupByName> | undefined;

  constructor(parts: readonly SchemaPart[]) {
    this.parts = parts;
  }

  /** The allowed JSON types; all seven if no schema has `type`. */
  get types(): readonly JsonType[] {
    return (this.#types ??= everyType.filter((name) =>
      this.parts.every(({ schema }) => isAllowed(schema, name)),
    ));
  }
  /** From `enum` and `const`; undefined if neither is. */
  get values(): readonly JsonValue[] | undefined {
    let values: readonly JsonValue[] | undefined;
    for (const { schema } of this.parts)
      for (const own of [schema.enum, schema.const === undefined ? undefined : [schema.const]])
        if (isJsonArray(own)) values = values?.filter(createMembership(own)) ?? own;
    return values;
  }
  /** The first of several, like `pattern` and `multipleOf`. */
  get format(): string | undefined {
    return this.#list('format')
      .filter((one) => typeof one === 'string')
      .find((one) => one !== '');
  }
  /** What the document says of a value, in words. */
  get description(): string {
    return this.#list('description')
      .filter((one) => typeof one === 'string')
      .join(' ');
  }
  get pattern(): string | undefined {
    return this.#list('pattern').find((one) => typeof one === 'string');
  }
  get multipleOf(): number | undefined {
    return this.#list('multipleOf').find((one) => typeof one === 'number');
  }
  /** The tightest of several, like all that follow. */
  get minimum(): Bound | undefined {
    return this.#tightest('minimum', 'exclusiveMinimum', 1);
  }
  get maximum(): Bound | undefined {
    return this.#tightest('maximum', 'exclusiveMaximum', -1);
  }
  get minLength(): number | undefined {
    return this.#count('minLength', largest);
  }
  get maxLength(): number | undefined {
    return this.#count('maxLength', smallest);
  }
  get minItems(): number | undefined {
    return this.#count('minItems', largest);
  }
  get maxItems(): number | undefined {
    return this.#count('maxItems', smallest);
  }
  get minProperties(): number | undefined {
    return this.#count('minProperties', largest);
  }
  get maxProperties(): number | undefined {
    return this.#count('maxProperties', smallest);
  }
  get uniqueItems(): boolean {
    return this.#list('uniqueItems').includes(true);
  }
  get readOnly(): boolean {
    return this.#list('readOnly').includes(true);
  }
  get writeOnly(): boolean {
    return this.#list('writeOnly').includes(true);
  }
  get default(): JsonValue | undefined {
    return this.#list('default')[0];
  }
  get required(): ReadonlySet<string> {
    return (this.#required ??= new Set(this.#list('required').flatMap(namesOf)));
  }
  /** The names in `properties`. */
  get declared(): ReadonlySet<string> {
    return (this.#declared ??= new Set(
      this.#list('properties').flatMap((properties) => Object.keys(objectOf(properties))),
    ));
  }

  /**
   * The schemas that can say something about a member: those that name it in `properties`, and those
   * that are about any name. Hundreds of others may be merged with them.
   */
  partsAbout(name: string): readonly SchemaPart[] {
    if (this.parts.length <= fewParts)
      return this.parts.filter(
        ({ schema }) => isAboutAnyName(schema) || Object.hasOwn(objectOf(schema.properties), name),
      );
    this.#places ??= groupByName(this.parts);
    const { named, ofAnyName } = this.#places;
    const places = new Set([...(named.get(name) ?? []), ...ofAnyName]);
    return [...places].toSorted((a, b) => a - b).flatMap((place) => this.parts[place] ?? []);
  }

  /** The values of a keyword in all schemas. */
  #list(name: string): readonly JsonValue[] {
    return this.parts.map(({ schema }) => schema[name]).filter((one) => one !== undefined);
  }

  #count(name: string, choose: (counts: readonly number[]) => number): number | undefined {
    const counts = this.#list(name).filter((one) => typeof one === 'number');
    return counts.length === 0 ? undefined : choose(counts);
  }

  /** `inwards`: 1 from a minimum, -1 from a maximum. */
  #tightest(inclusive: string, exclusive: string, inwards: number): Bound | undefined {
    const bounds = [inclusive, exclusive].flatMap((name) =>
      this.#list(name)
        .filter(isNumeric)
        .map((value) => ({ value, exclusive: name === exclusive })),
    );
    const order = (one: Bound, other: Bound): number =>
      inwards * compareNumbers(other.value, one.value) ||
      Number(other.exclusive) - Number(one.exclusive);
    return bounds.toSorted(order)[0];
  }
}

/** Up to this many schemas are searched for a name without an index, which would list all their names. */
const fewParts = 4;

/** Whether a schema has rules for members of any name. */
function isAboutAnyName({
  patternProperties,
  additionalProperties,
  unevaluatedProperties,
}: JsonObject): boolean {
  return (patternProperties ?? additionalProperties ?? unevaluatedProperties) !== undefined;
}

/** Indices of the schemas with `properties`, by name, and of those with rules for any name. */
function groupByName(parts: readonly SchemaPart[]) {
  const named = new Map<string, number[]>();
  const ofAnyName: number[] = [];
  for (const [place, { schema }] of parts.entries()) {
    if (isAboutAnyName(schema)) ofAnyName.push(place);
    for (const name of Object.keys(objectOf(schema.properties))) {
      const places = named.get(name) ?? [];
      named.set(name, places);
      places.push(place);
    }
  }
  return { named, ofAnyName };
}

function isAllowed({ type }: JsonObject, name: JsonType): boolean {
  if (type === undefined) return true;
  const names = namesOf(type);
  return names.includes(name) || (name === 'integer' && names.includes('number'));
}
