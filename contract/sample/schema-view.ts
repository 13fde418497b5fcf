import { addAll } from '../list/list.ts';
import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, listOf, type JsonObject, type JsonValue } from '../json/value.ts';
import { createPattern, type Pattern } from '../pattern/pattern.ts';
import type { Direction } from '../schema/keyword/judging.ts';
import { enumeration } from '../schema/keyword/enum.ts';
import { namesOf } from '../schema/keyword/required.ts';
import { allowedTypes, isOfType } from '../schema/keyword/type.ts';
import { everyType } from '../schema/keyword/value-kind.ts';
import type { SchemaLookup } from '../schema/schema-node.ts';

/** One schema object of several that must all hold for a value. */
export interface Part {
  readonly pointer: string;
  readonly schema: JsonObject;
  /** Pointers of the schemas that hold with it: what it refers to, and its `allOf`. */
  readonly allied: readonly string[];
  readonly unions: readonly Union[];
  readonly patterns: readonly (readonly [source: string, pattern: Pattern])[];
}

/** Schemas of which some must hold: for each choice, the schemas that it adds. */
interface Union {
  readonly pointer: string;
  readonly branches: readonly (readonly string[])[];
}

/** What making one sample may still cost. */
export interface SampleBudget {
  left: number;
}

/** Combinations of `oneOf`, `anyOf` and `if` that are looked at for one value, and kept. */
const mostChoices = 200;
const mostKept = 60;

/** Parts in which a member is looked for that count as one step. */
const lookupsInStep = 400;

/** Steps of the validator that count as one. */
const judgingSteps = 100;

/** The schemas of a document as samples are made from them; remembers what it has read. */
export class SchemaView {
  readonly direction: Direction;
  readonly #lookup: SchemaLookup;
  readonly #budget: SampleBudget;
  readonly #parts = new Map<string, Part | boolean>();
  readonly #conjunctions = new Map<string, readonly (readonly Part[])[]>();

  constructor(lookup: SchemaLookup, direction: Direction, budget: SampleBudget) {
    this.#lookup = lookup;
    this.direction = direction;
    this.#budget = budget;
  }

  /** The pointer of what a `$ref` refers to. */
  target(reference: string): string {
    return this.#lookup.target(reference);
  }

  /** The schemas with those they refer to and those of `allOf`; undefined if one fits no value. */
  parts(pointers: readonly string[]): readonly Part[] | undefined {
    const found = new Map<string, Part>();
    const pending = [...pointers];
    for (let pointer = pending.shift(); pointer !== undefined; pointer = pending.shift()) {
      if (found.has(pointer)) continue;
      const part = this.#partAt(pointer);
      if (part === false) return undefined;
      if (part === true) continue;
      found.set(pointer, part);
      addAll(pending, part.allied);
    }
    return [...found.values()];
  }

  /** The schemas of each combination of branches that schemas allow. */
  conjunctions(pointers: readonly string[]): readonly (readonly Part[])[] {
    const key = pointers.join(' ');
    const known = this.#conjunctions.get(key);
    if (known !== undefined) return known;
    const found: (readonly Part[])[] = [];
    let left = mostChoices;
    const resolve = (chosen: readonly string[], resolved: ReadonlySet<string>): void => {
      left -= 1;
      const all = left < 0 || found.length >= mostKept ? undefined : this.parts(chosen);
      if (all === undefined || this.#isContradiction(all, 2)) return;
      const open = all
        .flatMap(({ unions }) => unions)
        .find(({ pointer }) => !resolved.has(pointer));
      if (open === undefined) found.push(all);
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
      this.#budget.left -= 1;
      if (this.#budget.left < 0) return true;
      const judgement = this.#lookup.node(pointer).judge(value, this.direction);
      const { issues, undecided, steps = 0 } = judgement;
      this.#budget.left -= Math.floor(steps / judgingSteps);
      const isGivenUp = undecided !== undefined && undecided.kind !== 'schema';
      return issues.length === 0 && !isGivenUp;
    });
  }

  /** The schemas of a member in `properties` and `patternProperties` of one part. */
  member({ pointer, schema, patterns }: Part, name: string): readonly string[] {
    const { properties } = schema;
    const found =
      isJsonObject(properties) && Object.hasOwn(properties, name)
        ? [appendPointer(pointer, 'properties', name)]
        : [];
    for (const [source, pattern] of patterns)
      if (pattern.match(name) === true)
        found.push(appendPointer(pointer, 'patternProperties', source));
    return found;
  }

  /** The schemas of a member by its name; undefined where no such member is allowed. */
  memberPointers(parts: readonly Part[], name: string): readonly string[] | undefined {
    this.#budget.left -= parts.length / lookupsInStep;
    const found = new Set<string>();
    const members = parts.map((part) => this.member(part, name));
    const isKnown = members.some((own) => own.length > 0);
    for (const [index, { pointer, schema }] of parts.entries()) {
      const own = members[index] ?? [];
      const { additionalProperties: further, unevaluatedProperties: unevaluated } = schema;
      for (const one of own) found.add(one);
      if (own.length === 0 && further === false) return undefined;
      if (own.length === 0 && isJsonObject(further))
        found.add(appendPointer(pointer, 'additionalProperties'));
      if (isKnown || further !== undefined) continue;
      if (unevaluated === false) return undefined;
      if (isJsonObject(unevaluated)) found.add(appendPointer(pointer, 'unevaluatedProperties'));
    }
    return [...found];
  }

  #partAt(pointer: string): Part | boolean {
    const known = this.#parts.get(pointer);
    if (known !== undefined) return known;
    const schema = this.#lookup.find(pointer);
    const part = typeof schema === 'boolean' ? schema : this.#createPart(pointer, schema);
    this.#parts.set(pointer, part);
    return part;
  }

  #createPart(pointer: string, schema: JsonObject): Part {
    const { patternProperties: sources, oneOf, anyOf, if: condition, $ref: reference } = schema;
    const allied = listOf(schema.allOf).map((_one, at) => appendPointer(pointer, 'allOf', at));
    if (typeof reference === 'string') allied.unshift(this.target(reference));
    // A large document has hundreds of thousands of parts, most of them without any of these.
    return {
      pointer,
      schema,
      allied: allied.length === 0 ? none : allied,
      unions: (oneOf ?? anyOf ?? condition) === undefined ? none : listUnions(pointer, schema),
      patterns: isJsonObject(sources)
        ? Object.keys(sources).map((source) => [source, createPattern(source)])
        : none,
    };
  }

  /** Whether the parts plainly fit no value, so that nothing need be built. */
  #isContradiction(parts: readonly Part[], depth: number): boolean {
    if (parts.length < 2) return false;
    const schemas = parts.map(({ schema }) => schema);
    const types = allowedTypes(schemas) ?? everyType;
    const values = enumeration.limit(schemas)?.value;
    if (types.length === 0) return true;
    if (values?.some((value) => types.some((one) => isOfType(value, one))) === false) return true;
    if (depth === 0 || types.length !== 1 || types[0] !== 'object') return false;
    return [...requiredOf(parts)].some((name) => {
      const pointers = this.memberPointers(parts, name);
      const members = pointers && this.parts(pointers);
      return members === undefined || this.#isContradiction(members, depth - 1);
    });
  }
}

const none: readonly never[] = [];

function listUnions(pointer: string, schema: JsonObject): readonly Union[] {
  const unions: Union[] = [];
  for (const name of ['oneOf', 'anyOf']) {
    const at = appendPointer(pointer, name);
    const branches = listOf(schema[name]).map((_one, index) => [appendPointer(at, index)]);
    if (branches.length > 0) unions.push({ pointer: at, branches });
  }
  if (schema.if === undefined) return unions;
  const part = (name: string): readonly string[] =>
    schema[name] === undefined ? [] : [appendPointer(pointer, name)];
  const branches = [[...part('if'), ...part('then')], part('else')];
  return [...unions, { pointer: appendPointer(pointer, 'if'), branches }];
}

const intricateKeywords = [
  'not',
  'dependentSchemas',
  'dependentRequired',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'minProperties',
  'maxProperties',
] as const;

/** Whether a keyword can refuse what all parts allow by themselves. */
export function isIntricate(parts: readonly Part[]): boolean {
  return parts.some(
    ({ unions, schema }) =>
      unions.length > 0 || intricateKeywords.some((name) => schema[name] !== undefined),
  );
}

export function requiredOf(parts: readonly Part[]): ReadonlySet<string> {
  return new Set(parts.flatMap(({ schema }) => namesOf(schema.required)));
}
