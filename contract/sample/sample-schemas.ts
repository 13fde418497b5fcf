import { appendPointer, parsePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue, listOf, objectOf } from '../json/value.ts';
import { mappedPointer } from '../schema/keyword/branch.ts';
import type { Direction } from '../schema/keyword/judging.ts';
import { MergedSchema, type SchemaPart } from '../schema/keyword/merged-schema.ts';
import { isOfType } from '../schema/keyword/value.ts';
import type { SchemaRegistry } from '../schema/schema-node.ts';

/** Most combinations of `oneOf`, `anyOf` and `if` that are visited for one value, and kept. */
const maxChoices = 200;
const maxKept = 60;

/** Lookups of schemas that count as one step. */
const lookupsInStep = 100;

/** Steps of the validator that count as one. */
const judgingSteps = 100;

/** The schemas of a document for one sample, in all attempts. Reading them takes steps, which are limited. */
export class SampleSchemas {
  readonly direction: Direction;
  /** Values that may still be made and judged. */
  stepsLeft = 0;
  /** A member used up its share of the steps. */
  isSpent = false;
  readonly #registry: SchemaRegistry;
  readonly #merged = new Map<string, MergedSchema>();
  readonly #conjunctions = new Map<string, readonly MergedSchema[]>();
  readonly #unions = new Map<SchemaPart, readonly Union[]>();

  constructor(registry: SchemaRegistry, direction: Direction) {
    this.#registry = registry;
    this.direction = direction;
  }

  /** Schemas merged with those that they refer to, and those of `allOf`. */
  merge(pointers: readonly string[]): MergedSchema {
    const key = pointers.join(' ');
    let merged = this.#merged.get(key);
    if (merged === undefined) {
      this.#merged.set(key, (merged = this.#registry.merge(pointers)));
      this.stepsLeft -= merged.parts.length / lookupsInStep;
    }
    return merged;
  }

  /** The merged schemas of each combination of branches. */
  conjunctions(pointers: readonly string[]): readonly MergedSchema[] {
    const key = pointers.join(' ');
    const known = this.#conjunctions.get(key);
    if (known !== undefined) return known;
    const found: MergedSchema[] = [];
    let left = maxChoices;
    const resolve = (
      chosen: readonly string[],
      merged: MergedSchema,
      open: readonly Union[],
    ): void => {
      const { parts } = merged;
      left -= 1;
      if (left < 0 || found.length >= maxKept || this.stepsLeft < 0) return;
      this.stepsLeft -= parts.length / lookupsInStep;
      // Each union needs at least one more choice.
      if (isContradiction(merged) || open.length > left) return;
      const [next, ...others] = open;
      if (next === undefined) found.push(this.#registry.merge(chosen));
      for (const branch of next?.branches ?? []) {
        const added = this.#registry.parts(branch).filter((one) => !parts.includes(one));
        const unions = added.flatMap((one) => this.#unionsOf(one));
        const both = new MergedSchema([...parts, ...added]);
        resolve([...chosen, ...branch], both, [...others, ...unions]);
      }
    };
    const whole = this.#registry.merge(pointers);
    resolve(
      pointers,
      whole,
      whole.parts.flatMap((one) => this.#unionsOf(one)),
    );
    if (this.stepsLeft >= 0) this.#conjunctions.set(key, found);
    return found;
  }

  #unionsOf(part: SchemaPart): readonly Union[] {
    let unions = this.#unions.get(part);
    if (unions === undefined) this.#unions.set(part, (unions = listUnions(part)));
    return unions;
  }

  /** Whether a value fits all of the schemas. One that does not compile accepts any value. */
  fits(pointers: readonly string[], value: JsonValue): boolean {
    return pointers.every((pointer) => {
      this.stepsLeft -= 1;
      if (this.stepsLeft < 0) return true;
      const judgement = this.#registry.node(pointer).judge(value, this.direction);
      const { isSound, undecided, steps = 0 } = judgement;
      this.stepsLeft -= Math.floor(steps / judgingSteps);
      return isSound && (undecided === undefined || undecided.kind === 'schema');
    });
  }

  /** Whether `properties` or `patternProperties` name a member. */
  isDeclared(merged: MergedSchema, name: string): boolean {
    return merged.partsAbout(name).some((part) => this.#listNamed(part, name).length > 0);
  }

  /** The schemas that `properties` and `patternProperties` of one part have for a member. */
  #listNamed({ pointer, schema }: SchemaPart, name: string): readonly string[] {
    const found = Object.hasOwn(objectOf(schema.properties), name)
      ? [appendPointer(pointer, 'properties', name)]
      : [];
    for (const source of Object.keys(objectOf(schema.patternProperties)))
      if (this.#registry.pattern(source).match(name) === true)
        found.push(appendPointer(pointer, 'patternProperties', source));
    return found;
  }

  /** The schemas of a member by its name; undefined if it is forbidden. */
  member(merged: MergedSchema, name: string): readonly string[] | undefined {
    this.stepsLeft -= merged.parts.length / lookupsInStep;
    if (this.stepsLeft < 0) return [];
    const found = new Set<string>();
    const others: SchemaPart[] = [];
    for (const part of merged.partsAbout(name)) {
      const named = this.#listNamed(part, name);
      for (const one of named) found.add(one);
      if (named.length === 0) others.push(part);
    }
    const isEvaluated = found.size > 0;
    for (const { pointer, schema } of others) {
      const isClosable = schema.additionalProperties !== undefined;
      if (!isClosable && isEvaluated) continue;
      const keyword = isClosable ? 'additionalProperties' : 'unevaluatedProperties';
      if (schema[keyword] === false) return undefined;
      if (isJsonObject(schema[keyword])) found.add(appendPointer(pointer, keyword));
    }
    return [...found];
  }

  /** The schemas of an item by its index; undefined if it is forbidden. */
  item({ parts }: MergedSchema, index: number): readonly string[] | undefined {
    const found: string[] = [];
    for (const { pointer, schema } of parts) {
      const keyword = schema.items === undefined ? 'unevaluatedItems' : 'items';
      if (index < listOf(schema.prefixItems).length)
        found.push(appendPointer(pointer, 'prefixItems', index));
      else if (schema[keyword] === false) return undefined;
      else if (isJsonObject(schema[keyword])) found.push(appendPointer(pointer, keyword));
    }
    return found;
  }
}

/**
 * Values for members that are discriminators (OpenAPI 3.1, Discriminator Object), by the name of the
 * member, likeliest first: names mapped to schemas among the parts, then names of these schemas.
 */
export function discriminatorValues({
  parts,
}: MergedSchema): ReadonlyMap<string, readonly JsonValue[]> {
  const values = new Map<string, readonly JsonValue[]>();
  for (const part of parts) {
    const { propertyName, mapping } = objectOf(part.schema.discriminator);
    if (typeof propertyName !== 'string') continue;
    const names = Object.keys(objectOf(mapping));
    const others = parts.filter((one) => one !== part);
    const isAmong = (name: string): boolean =>
      others.some(({ pointer }) => pointer === mappedPointer(part.schema, name));
    const own = [...others, part].flatMap(componentName);
    values.set(propertyName, [...names.filter(isAmong), ...own, ...names]);
  }
  return values;
}

/** The name of a schema in `components`; empty for any other. */
function componentName({ pointer }: SchemaPart): readonly string[] {
  return /^#\/components\/schemas\/[^/]+$/.test(pointer) ? parsePointer(pointer).slice(-1) : [];
}

/** Whether it is obvious that no value fits the schemas. */
function isContradiction({ types, values, parts }: MergedSchema): boolean {
  const isAllowed = (value: JsonValue): boolean => types.some((one) => isOfType(value, one));
  return types.length === 0 || (parts.length > 1 && values?.some(isAllowed) === false);
}

/** A choice between branches, each with the schemas that it adds. */
interface Union {
  readonly pointer: string;
  readonly branches: readonly (readonly string[])[];
}

function listUnions({ pointer, schema }: SchemaPart): readonly Union[] {
  const unions: Union[] = [];
  for (const name of ['oneOf', 'anyOf']) {
    const at = appendPointer(pointer, name);
    const branches = listOf(schema[name]).map((_one, index) => [appendPointer(at, index)]);
    if (branches.length > 0) unions.push({ pointer: at, branches });
  }
  if (schema.if !== undefined) {
    const [condition, positive, negative] = ['if', 'then', 'else'].map((name) =>
      schema[name] === undefined ? [] : [appendPointer(pointer, name)],
    );
    const branches = [[...(condition ?? []), ...(positive ?? [])], negative ?? []];
    unions.push({ pointer: appendPointer(pointer, 'if'), branches });
  }
  return unions;
}
