import { appendPointer, parsePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue, listOf, objectOf } from '../json/value.ts';
import { createPattern, type Pattern } from '../pattern/pattern.ts';
import { mappedPointer } from '../schema/keyword/branch.ts';
import { enumeration } from '../schema/keyword/enum.ts';
import type { Direction } from '../schema/keyword/judging.ts';
import { namesOf } from '../schema/keyword/required.ts';
import { type SchemaPart, everyType } from '../schema/keyword/keyword.ts';
import { isOfType, type } from '../schema/keyword/type.ts';
import type { SchemaRegistry } from '../schema/schema-node.ts';

/** Combinations of `oneOf`, `anyOf` and `if` that are looked at for one value, and kept. */
const mostChoices = 200;
const mostKept = 60;

/** Parts of a schema that are read, as for a member, that count as one step. */
const lookupsInStep = 100;

/** Steps of the validator that count as one. */
const judgingSteps = 100;

/** The schemas of a document as samples are made from them; all that is read counts as steps. */
export class SampleSchemas {
  readonly direction: Direction;
  readonly #registry: SchemaRegistry;
  readonly #patterns = new Map<string, Pattern>();
  readonly #parts = new Map<string, readonly SchemaPart[]>();
  readonly #members = new WeakMap<readonly SchemaPart[], MemberIndex>();
  readonly #conjunctions = new Map<string, readonly (readonly SchemaPart[])[]>();
  #stepsLeft: number;

  /** `steps`: values made and judged. */
  constructor(registry: SchemaRegistry, direction: Direction, steps: number) {
    this.#registry = registry;
    this.direction = direction;
    this.#stepsLeft = steps;
  }

  get stepsLeft(): number {
    return this.#stepsLeft;
  }

  take(steps: number): void {
    this.#stepsLeft -= steps;
  }

  /** The schemas with those they refer to and those of `allOf`. */
  parts(pointers: readonly string[]): readonly SchemaPart[] {
    const key = pointers.join(' ');
    const parts = this.#parts.get(key) ?? this.#read(pointers);
    this.#parts.set(key, parts);
    return parts;
  }

  #read(pointers: readonly string[]): readonly SchemaPart[] {
    const parts = this.#registry.parts(pointers);
    this.take(parts.length / lookupsInStep);
    return parts;
  }

  /** The schemas of each combination of branches that schemas allow. */
  conjunctions(pointers: readonly string[]): readonly (readonly SchemaPart[])[] {
    const key = pointers.join(' ');
    const known = this.#conjunctions.get(key);
    if (known !== undefined) return known;
    const found: (readonly SchemaPart[])[] = [];
    let left = mostChoices;
    const resolve = (chosen: readonly string[], resolved: ReadonlySet<string>): void => {
      left -= 1;
      if (left < 0 || found.length >= mostKept || this.#stepsLeft < 0) return;
      const parts = this.#read(chosen);
      if (this.#isContradiction(parts)) return;
      const unions = parts.flatMap(listUnions).filter(({ pointer }) => !resolved.has(pointer));
      const [open] = unions;
      // Each takes a choice.
      if (unions.length > left) return;
      if (open === undefined) found.push(parts);
      for (const branch of open?.branches ?? [])
        resolve([...chosen, ...branch], new Set(resolved).add(open?.pointer ?? ''));
    };
    resolve(pointers, new Set());
    this.#conjunctions.set(key, found);
    return found;
  }

  /** Whether a value fits all of the schemas; one that does not compile refuses nothing. */
  fits(pointers: readonly string[], value: JsonValue): boolean {
    return pointers.every((pointer) => {
      this.take(1);
      if (this.#stepsLeft < 0) return true;
      const judgement = this.#registry.node(pointer).judge(value, this.direction);
      const { issues, undecided, steps = 0 } = judgement;
      this.take(Math.floor(steps / judgingSteps));
      return issues.length === 0 && (undecided === undefined || undecided.kind === 'schema');
    });
  }

  /** The schemas that `patternProperties` of one part have for a member. */
  #ofPatterns({ pointer, schema }: SchemaPart, name: string): readonly string[] {
    return Object.keys(objectOf(schema.patternProperties)).flatMap((source) => {
      const pattern = this.#patterns.get(source) ?? createPattern(source);
      this.#patterns.set(source, pattern);
      return pattern.match(name) === true
        ? [appendPointer(pointer, 'patternProperties', source)]
        : [];
    });
  }

  /** Whether `properties` or `patternProperties` speak of a member. */
  isDeclared(parts: readonly SchemaPart[], name: string): boolean {
    const { declared, others } = this.#index(parts);
    return declared.has(name) || others.some((part) => this.#ofPatterns(part, name).length > 0);
  }

  #index(parts: readonly SchemaPart[]): MemberIndex {
    const index = this.#members.get(parts) ?? indexMembers(parts);
    this.#members.set(parts, index);
    return index;
  }

  /** The schemas of a member by its name; undefined where no such member is allowed. */
  member(parts: readonly SchemaPart[], name: string): readonly string[] | undefined {
    const index = this.#index(parts);
    this.take(parts.length / lookupsInStep);
    if (this.#stepsLeft < 0) return [];
    const found = new Set(index.declared.get(name));
    const own = index.others.map((part) => this.#ofPatterns(part, name));
    for (const one of own.flat()) found.add(one);
    const isKnown = found.size > 0;
    for (const [at, { pointer, schema }] of index.others.entries()) {
      const isOwn = Object.hasOwn(objectOf(schema.properties), name) || own[at]?.length !== 0;
      const keyword =
        schema.additionalProperties === undefined
          ? 'unevaluatedProperties'
          : 'additionalProperties';
      if (isOwn || (isKnown && keyword === 'unevaluatedProperties')) continue;
      if (schema[keyword] === false) return undefined;
      if (isJsonObject(schema[keyword])) found.add(appendPointer(pointer, keyword));
    }
    return [...found];
  }

  /** The schemas of an item by its index; undefined where there may be none. */
  item(parts: readonly SchemaPart[], index: number): readonly string[] | undefined {
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

  /**
   * The values that discriminators (OpenAPI 3.1, Discriminator Object) ask of members, by name: the
   * names by which the schemas among the parts are mapped, else their own. The likeliest first.
   */
  discriminators(parts: readonly SchemaPart[]): ReadonlyMap<string, readonly JsonValue[]> {
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

  /** Whether the parts plainly fit no value, so that nothing need be built. */
  #isContradiction(parts: readonly SchemaPart[]): boolean {
    const types = type.merge(parts) ?? everyType;
    if (types.length === 0 || parts.length < 2) return types.length === 0;
    const isAllowed = (value: JsonValue): boolean => types.some((one) => isOfType(value, one));
    return enumeration.merge(parts)?.some(isAllowed) === false;
  }
}

/** Where schemas speak of members. */
interface MemberIndex {
  /** The schemas that `properties` have, by name. */
  readonly declared: ReadonlyMap<string, readonly string[]>;
  /** Those that speak of members that they do not name. */
  readonly others: readonly SchemaPart[];
}

function indexMembers(parts: readonly SchemaPart[]): MemberIndex {
  const declared = new Map<string, string[]>();
  for (const { pointer, schema } of parts)
    for (const name of Object.keys(objectOf(schema.properties))) {
      const places = declared.get(name) ?? [];
      places.push(appendPointer(pointer, 'properties', name));
      declared.set(name, places);
    }
  const others = parts.filter(
    ({ schema }) =>
      (schema.patternProperties ?? schema.additionalProperties ?? schema.unevaluatedProperties) !==
      undefined,
  );
  return { declared, others };
}

/** Schemas of which some must hold: for each choice, the schemas that it adds. */
interface Union {
  readonly pointer: string;
  readonly branches: readonly (readonly string[])[];
}

function listUnions({ pointer, schema }: SchemaPart): readonly Union[] {
  const at = (name: string, ...rest: readonly number[]): string =>
    appendPointer(pointer, name, ...rest);
  const unions = ['oneOf', 'anyOf'].map((name) => ({
    pointer: at(name),
    branches: listOf(schema[name]).map((_one, index) => [at(name, index)]),
  }));
  const present = (...names: readonly string[]): readonly string[] =>
    names.filter((name) => schema[name] !== undefined).map((name) => at(name));
  if (schema.if !== undefined)
    unions.push({
      pointer: at('if'),
      branches: [[...present('if', 'then')], [...present('else')]],
    });
  return unions.filter(({ branches }) => branches.length > 0);
}

export function requiredOf(parts: readonly SchemaPart[]): ReadonlySet<string> {
  return new Set(parts.flatMap(({ schema }) => namesOf(schema.required)));
}

/** The names that `properties` of the parts have. */
export function declaredNames(parts: readonly SchemaPart[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { schema } of parts)
    if (isJsonObject(schema.properties))
      for (const name of Object.keys(schema.properties)) names.add(name);
  return names;
}

/** The name of a schema of the components. */
function componentName({ pointer }: SchemaPart): readonly string[] {
  return /^#\/components\/schemas\/[^/]+$/.test(pointer) ? parsePointer(pointer).slice(-1) : [];
}
