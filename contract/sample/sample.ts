import { largest } from '../list/list.ts';
import { appendPointer } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  ownMember,
  renderJson,
} from '../json/value.ts';
import { maxSampleItems } from '../limits/index.ts';
import { isJsonMediaType } from '../openapi/media-type.ts';
import {
  everyType,
  type JsonType,
  type MergedSchema,
  namesOf,
  type SchemaPart,
} from '../schema/keyword/merged-schema.ts';
import type { Issue, SchemaNode } from '../schema/schema-node.ts';
import { isVariedName } from './meaning.ts';
import { listNumbers } from './number.ts';
import { listPatternTexts } from './pattern-text.ts';
import { createDraw, type Draw, rotate } from './random.ts';
import { discriminatorValues, SampleSchemas } from './sample-schemas.ts';
import { listTexts } from './text.ts';

export interface SampleOptions {
  /**
   * `request`: members that are readOnly are left out, required ones too (OpenAPI 3.1, Schema
   * Object). `response`: members that are writeOnly are left out unless they are required.
   */
  readonly direction: 'request' | 'response';
  /** Another seed gives another value if the schema allows more than one. Default: the plainest. */
  readonly seed?: string;
  /** Optional members too, or required ones alone. Default: `all` of a response. */
  readonly members?: 'all' | 'required';
  /** Values of top-level members by name, which are used if they fit. */
  readonly wanted?: ReadonlyMap<string, JsonValue>;
}

export interface Sample {
  /** The value with the fewest issues. */
  readonly value: JsonValue;
  /** Empty if the value is valid. */
  readonly issues: readonly Issue[];
  /** Values made and judged, of all attempts. */
  readonly steps: number;
}

/**
 * Most values that are made and validated in one attempt, and fewest if the samples of other schemas of
 * the document took many.
 */
const maxSteps = 9000;
const leastSteps = 200;

/** Part of the steps left for the document that an attempt may take. */
const stepShare = 1 / 25;

/** Most nested values of one schema, and of all schemas. */
const maxTurns = 3;
const maxDepth = 60;

/** Most attempts at an object or an array. */
const maxWays = 4;

/** How often a duplicate item of a list is drawn again. */
const maxRedraws = 12;

/** Most optional values in one sample. */
const ampleAllowance = 600;

/** Most optional members of a generated object. */
export const maxSampleMembers = 1_000;

/** Values of each type, for members and items that must not fit a schema. */
const strangers: readonly JsonValue[] = [null, 'other', '', 0, -1, 1, 0.5, true, false, [], {}];

/** A value of a schema, from its examples, else its keywords; the same for the same options. */
export function sampleSchema(schema: SchemaNode, options: SampleOptions): Sample {
  const { direction, members = direction === 'response' ? 'all' : 'required', seed } = options;
  const attempts = [
    { members },
    { members: members === 'all' ? 'required' : 'all' },
    { members, seed: `${seed ?? ''} 1` },
    { members, seed: `${seed ?? ''} 2` },
  ] as const;
  const { registry } = schema;
  const isFirst = schema.sampleSteps === undefined;
  // Kept, so that a schema has the same value each time.
  const most = (schema.sampleSteps ??= Math.floor(
    Math.min(maxSteps, Math.max(leastSteps, registry.sampleStepsLeft * stepShare)),
  ));
  const schemas = new SampleSchemas(registry, direction);
  let best: Sample | undefined;
  let ended = 0;
  let steps = 0;
  for (const attempt of attempts) {
    schemas.stepsLeft = most;
    schemas.isSpent = false;
    const value = new Sampler(schemas, { ...options, ...attempt }).make(schema.pointers) ?? null;
    const issues = schema.validate(value, direction);
    steps += most - schemas.stepsLeft;
    if (best === undefined || issues.length < best.issues.length) best = { value, issues, steps };
    if (issues.length === 0) break;
    // If two attempts use up their steps, others would too.
    if (schemas.isSpent || schemas.stepsLeft < 0) ended += 1;
    if (ended === 2) break;
  }
  if (isFirst) registry.sampleStepsLeft -= steps;
  return { value: null, issues: [], ...best, steps };
}

/** The place of a value in a sample, and what limits the value there. */
interface Place {
  /** JSON pointer into the sample. */
  readonly pointer: string;
  /** The name of the member, or of the array of which it is an item; empty for the whole. */
  readonly name: string;
  /** It is, or is in, an item of an array after the first one, so its values have to differ. */
  readonly isRepeated: boolean;
  /** Optional values that may still be made in it. */
  readonly allowance: number;
  /** Number of the attempt: with and without optional members, then with other values. */
  readonly way: number;
  /** Keys of the schemas of the values that contain it. */
  readonly around: readonly string[];
  /** JSON of the values that it must differ from. */
  readonly taken: ReadonlySet<string>;
}

const nothingTaken: ReadonlySet<string> = new Set();

const top: Place = {
  pointer: '',
  name: '',
  isRepeated: false,
  allowance: ampleAllowance,
  way: 0,
  around: [],
  taken: nothingTaken,
};

interface Built {
  readonly value: JsonValue;
  /** False if it is known to be invalid. */
  readonly isSound: boolean;
}

/**
 * Makes one sample recursively, and validates each value. `pointers`: the schemas of a value;
 * `schemas`: these merged, with one combination of their branches.
 */
class Sampler {
  readonly #schemas: SampleSchemas;
  readonly #options: SampleOptions;
  readonly #wanted: ReadonlyMap<string, JsonValue>;

  constructor(schemas: SampleSchemas, options: SampleOptions) {
    this.#schemas = schemas;
    this.#options = options;
    this.#wanted = options.wanted ?? new Map();
  }

  /** Undefined if no value can be made, such as for a schema that requires itself. */
  make(pointers: readonly string[]): JsonValue | undefined {
    return this.#build(pointers, top)?.value;
  }

  #build(pointers: readonly string[], place: Place): Built | undefined {
    this.#schemas.stepsLeft -= 1;
    if (this.#schemas.stepsLeft < 0) return { value: null, isSound: false };
    const key = pointers.join(' ');
    const turns = place.around.filter((one) => one === key).length;
    if (turns >= maxTurns || place.around.length > maxDepth) return undefined;
    const inside = {
      ...place,
      around: [...place.around, key],
      allowance: turns > 0 ? 0 : place.allowance,
    };
    const conjunctions = this.#schemas
      .conjunctions(pointers)
      .toSorted((one, other) => rank(one, inside) - rank(other, inside));
    return firstSound(conjunctions, (schemas) => this.#buildOf(schemas, pointers, inside));
  }

  #buildOf(schemas: MergedSchema, pointers: readonly string[], place: Place): Built | undefined {
    const draw = this.#draw(place);
    const { values } = schemas;
    const shown = this.#listShown(schemas, pointers, place, draw);
    const listed = values === undefined || draw === undefined ? values : rotate(values, draw);
    const known = this.#choose([...shown, ...(listed ?? [])], pointers, place);
    if (values !== undefined) return known;
    const isDrawnFirst = draw !== undefined && isVaried(schemas, place.name);
    if (known?.isSound === true && !isDrawnFirst) return known;
    const made = firstSound(listTypes(schemas, place.allowance > 0), (type) =>
      type === 'object' || type === 'array'
        ? this.#buildStructure(type, schemas, pointers, place)
        : this.#choose(this.#listScalars(type, schemas, place, draw), pointers, place),
    );
    return made?.isSound !== true && known?.isSound === true ? known : made;
  }

  /** The first value that fits, else the first. */
  #choose(
    values: Iterable<JsonValue>,
    pointers: readonly string[],
    { taken }: Place,
  ): Built | undefined {
    const isFree = (value: JsonValue): boolean => taken.size === 0 || !taken.has(renderJson(value));
    return firstSound(values, (value) => ({
      value,
      isSound: isFree(value) && this.#schemas.fits(pointers, value),
    }));
  }

  /** Undefined for the plainest values. */
  #draw({ pointer, way, isRepeated }: Place): Draw | undefined {
    const { seed } = this.#options;
    const isPlain = seed === undefined && way < 2 && !isRepeated;
    return isPlain ? undefined : createDraw(`${seed ?? ''} ${pointer} ${way}`);
  }

  #listScalars(
    type: Exclude<JsonType, 'object' | 'array'>,
    schemas: MergedSchema,
    place: Place,
    draw: Draw | undefined,
  ): Iterable<JsonValue> {
    const { name } = place;
    if (type === 'null') return [null];
    if (type === 'boolean') return draw === undefined ? [true, false] : rotate([true, false], draw);
    return type === 'string'
      ? this.#listTexts(schemas, place, draw)
      : listNumbers(schemas, type === 'integer', name, draw);
  }

  /** Texts that are JSON first, where the schema describes what they are. */
  *#listTexts(schemas: MergedSchema, place: Place, draw: Draw | undefined): Generator<string> {
    for (const { pointer, schema } of schemas.parts) {
      const { contentSchema, contentMediaType: mediaType } = schema;
      const isJson = typeof mediaType === 'string' && isJsonMediaType(mediaType);
      if (!isJson || !isJsonObject(contentSchema)) continue;
      const made = this.#build([appendPointer(pointer, 'contentSchema')], place);
      if (made !== undefined) yield renderJson(made.value);
    }
    yield* listTexts(schemas, place.name, draw, this.#schemas);
  }

  /** Tries several times, unless a member or item is invalid. */
  #buildStructure(
    type: 'object' | 'array',
    schemas: MergedSchema,
    pointers: readonly string[],
    place: Place,
  ): Built | undefined {
    let best: Built | undefined;
    for (let way = 0; way < maxWays && this.#schemas.stepsLeft > 0; way += 1) {
      const inside = { ...place, way: place.way * maxWays + way, taken: nothingTaken };
      const built =
        type === 'object' ? this.#buildObject(schemas, inside) : this.#buildArray(schemas, inside);
      if (built === undefined) continue;
      for (const value of [built.value, this.#deviate(built.value, schemas)])
        if (this.#schemas.fits(pointers, value)) return { value, isSound: true };
      best ??= { ...built, isSound: false };
      if (!built.isSound) break;
    }
    return best;
  }

  /** Undefined if a required member cannot be made. */
  #buildObject(schemas: MergedSchema, place: Place): Built | undefined {
    // Names are listed only if needed, because most objects of a deep document stay empty.
    const { minProperties: least = 0, maxProperties: most = Infinity, parts } = schemas;
    const hints = discriminatorValues(schemas);
    const isSent = (name: string): boolean => hints.has(name) || !this.#isHidden(schemas, name);
    const isRequest = this.#schemas.direction === 'request';
    const asked = [...withDependents(schemas)];
    const required = new Set(isRequest ? asked.filter(isSent) : asked);
    // Each declared one would take a step.
    const maxJudged = this.#schemas.stepsLeft / 2;
    if (required.size > maxJudged && schemas.declared.intersection(required).size > maxJudged)
      return undefined;
    const whole = this.#withDependentSchemas(parts, required);
    if (whole.length > parts.length) return this.#build(whole, place);

    const isAll = this.#isWhole(place);
    const asking = parts.filter(({ schema }) => schema.dependentRequired !== undefined);
    const optional: string[] = [];
    for (const name of isAll || least > required.size ? schemas.declared : []) {
      if (optional.length === maxSampleMembers || this.#schemas.stepsLeft < 0) break;
      const dependents = asking.flatMap(({ schema }) => dependentsOf(schema, name));
      const isClosed = dependents.every((one) => schemas.declared.has(one));
      if (!required.has(name) && isClosed && isSent(name)) optional.push(name);
    }
    const wanted = new Set(isAll ? [...required, ...optional] : required);
    const each = Math.floor((place.allowance - wanted.size) / Math.max(1, wanted.size));
    const inside = { ...place, allowance: Math.min(each, place.allowance) };

    const members = new Map<string, JsonValue>();
    let isSound = required.size <= most;
    let due = required.size;
    const add = (name: string, isAsked: boolean): boolean => {
      const made = this.#buildMember(schemas, name, hints.get(name) ?? [], inside);
      if (made === undefined || (!made.isSound && !isAsked)) return made !== undefined;
      isSound &&= made.isSound;
      members.set(name, made.value);
      return true;
    };
    const ordered = wanted.size === 0 ? [] : [...schemas.declared].filter((one) => wanted.has(one));
    for (const name of new Set([...ordered, ...required])) {
      const isRequired = required.has(name);
      if (isRequired) due -= 1;
      else if (members.size + due >= most) continue;
      if (!add(name, isRequired) && isRequired) return undefined;
    }
    // A map has one member, so that it shows what it holds.
    const holdsOne = isAll && wanted.size === 0 && parts.some(isMap);
    const target = Math.min(most, Math.max(least, holdsOne ? 1 : 0), maxSampleMembers);
    for (const name of members.size < target ? this.#inventNames(schemas, optional, place) : []) {
      if (!members.has(name)) add(name, members.size < least);
      if (members.size >= target) break;
    }
    return { value: Object.fromEntries(members), isSound: isSound && members.size >= least };
  }

  /** Pointers of the parts, and of those that `dependentSchemas` add for the members, repeatedly. */
  #withDependentSchemas(
    parts: readonly SchemaPart[],
    present: ReadonlySet<string>,
  ): readonly string[] {
    const all = new Map(parts.map((part) => [part.pointer, part]));
    const names = new Set(present);
    for (const { pointer, schema } of all.values())
      for (const name of Object.keys(objectOf(schema.dependentSchemas))) {
        if (!names.has(name)) continue;
        const added = appendPointer(pointer, 'dependentSchemas', name);
        for (const part of this.#schemas.merge([added]).parts) {
          all.set(part.pointer, part);
          for (const one of namesOf(part.schema.required)) names.add(one);
        }
      }
    return [...all.keys()];
  }

  /** `around`: the place of the object, with the allowance of each member. */
  #buildMember(
    schemas: MergedSchema,
    name: string,
    hints: readonly JsonValue[],
    around: Place,
  ): Built | undefined {
    const pointers = this.#schemas.member(schemas, name);
    if (pointers === undefined) return undefined;
    const wanted = around.pointer === '' ? this.#wanted.get(name) : undefined;
    const known = this.#choose(wanted === undefined ? hints : [wanted, ...hints], pointers, around);
    const pointer = appendPointer(around.pointer, name);
    if (known?.isSound === true) return known;
    // A member that cannot be made leaves some steps for those after it.
    const reserve = Math.floor(Math.max(0, this.#schemas.stepsLeft) / 8);
    this.#schemas.stepsLeft -= reserve;
    const made = this.#build(pointers, { ...around, pointer, name });
    const isSpent = this.#schemas.stepsLeft < 0;
    this.#schemas.isSpent ||= isSpent;
    this.#schemas.stepsLeft = isSpent ? reserve : this.#schemas.stepsLeft + reserve;
    return made && { ...made, isSound: made.isSound && !isSpent };
  }

  /** Whether optional members are made too. */
  #isWhole({ allowance, way }: Place): boolean {
    return allowance > 0 && (this.#options.members === 'all') === (way % 2 === 0);
  }

  /** Whether a member is not sent in this direction. */
  #isHidden(schemas: MergedSchema, name: string): boolean {
    const flag = this.#schemas.direction === 'request' ? 'readOnly' : 'writeOnly';
    return this.#schemas.merge(this.#schemas.member(schemas, name) ?? [])[flag];
  }

  /** Names for more members: declared ones, those that fit `propertyNames` or patterns, then any. */
  *#inventNames(
    { parts }: MergedSchema,
    declared: readonly string[],
    place: Place,
  ): Generator<string> {
    yield* declared;
    const rules = parts
      .filter(({ schema }) => schema.propertyNames !== undefined)
      .map(({ pointer }) => appendPointer(pointer, 'propertyNames'));
    for (let index = 0; rules.length > 0 && index < 40; index += 1) {
      const pointer = appendPointer(place.pointer, `name ${index}`);
      const own = { ...place, pointer, name: `key${index}`, isRepeated: index > 0 };
      const made = this.#build(rules, own);
      if (typeof made?.value === 'string' && made.isSound) yield made.value;
    }
    const isAllowed = (name: string): boolean => this.#schemas.fits(rules, name);
    for (const { schema } of parts)
      for (const source of Object.keys(objectOf(schema.patternProperties)))
        for (const name of listPatternTexts(source, 0, Infinity, createDraw(source)).take(20))
          if (isAllowed(name)) yield name;
    for (let index = 1; index < 2000; index += 1) if (isAllowed(`key${index}`)) yield `key${index}`;
  }

  /** Undefined if a required item cannot be made. */
  #buildArray(schemas: MergedSchema, place: Place): Built | undefined {
    const { minItems = 0, maxItems = Infinity, uniqueItems: isUnique, parts } = schemas;
    const contained = parts.flatMap(({ pointer, schema }) => {
      const { contains, minContains = 1, maxContains = Infinity } = schema;
      const counted = Math.min(Number(minContains), maxSampleItems);
      const at = appendPointer(pointer, 'contains');
      return contains === undefined ? [] : [{ at, least: counted, most: Number(maxContains) }];
    });
    const due = contained.flatMap(({ at, least: counted }) => Array<string>(counted).fill(at));
    const least = Math.max(minItems, due.length);
    const most = Math.min(maxItems, maxSampleItems);
    const tuple = largest(
      parts.map(({ schema }) => listOf(schema.prefixItems).length),
      1,
    );
    const count = Math.min(Math.max(least, this.#isWhole(place) ? tuple : 0), most);
    const allowance = Math.floor((place.allowance - 1) / Math.max(1, count)) - 1;
    const items: JsonValue[] = [];
    const taken = new Set<string>();
    let isSound = least <= most;
    for (let index = 0; index < count; index += 1) {
      const pointers = this.#schemas.item(schemas, index);
      const full = contained.filter((one) => index >= one.most).map(({ at }) => at);
      const inside = { ...place, allowance, taken: isUnique ? taken : nothingTaken };
      const made =
        pointers &&
        this.#buildItem([...pointers, ...due.slice(index, index + 1)], full, index, inside);
      if (made === undefined && index < least) return undefined;
      if (made === undefined || (!made.isSound && index >= least)) break;
      isSound &&= made.isSound;
      items.push(made.value);
      taken.add(renderJson(made.value));
    }
    return { value: items, isSound };
  }

  /**
   * `full`: the schemas under `contains` that no further item may fit. `around`: the place of the
   * array, with the allowance of each item.
   */
  #buildItem(
    pointers: readonly string[],
    full: readonly string[],
    index: number,
    around: Place,
  ): Built | undefined {
    if (full.length > 0) {
      const isUncounted = (value: JsonValue): boolean =>
        full.every((one) => !this.#schemas.fits([one], value));
      const uncounted = this.#choose(strangers.filter(isUncounted), pointers, around);
      if (uncounted?.isSound === true) return uncounted;
    }
    let made: Built | undefined;
    for (let tries = 0; tries < maxRedraws; tries += 1) {
      made = this.#build(pointers, {
        ...around,
        pointer: appendPointer(around.pointer, index + tries * 1e6),
        isRepeated: around.isRepeated || index + tries > 0,
      });
      if (made === undefined || !around.taken.has(renderJson(made.value))) return made;
    }
    return made && { ...made, isSound: false };
  }

  /**
   * Examples and defaults of the schemas: with the wanted members, for a request without `readOnly`
   * members, and if values are drawn, with other ids, names and dates.
   */
  #listShown(
    schemas: MergedSchema,
    pointers: readonly string[],
    place: Place,
    draw: Draw | undefined,
  ): readonly JsonValue[] {
    const shown = schemas.parts
      .flatMap(({ schema }) => [schema.example, ...listOf(schema.examples), schema.default])
      .filter((value) => value !== undefined)
      .map((value) => this.#asSent(value, pointers));
    const ordered = draw === undefined || shown.length === 0 ? shown : rotate(shown, draw);
    return ordered.flatMap((value): readonly JsonValue[] => {
      if (!isJsonObject(value)) return [value];
      const object = this.#adapt(value, schemas, place);
      return draw === undefined ? [object] : [this.#vary(object, schemas, place), object];
    });
  }

  /** With the wanted members, and without optional ones unless all members are made. */
  #adapt(value: JsonObject, schemas: MergedSchema, place: Place): JsonObject {
    const isKept = (name: string): boolean =>
      this.#options.members === 'all' || schemas.required.has(name);
    const kept = new Map(Object.entries(value).filter(([name]) => isKept(name)));
    for (const [name, one] of place.pointer === '' ? this.#wanted : [])
      if (
        this.#schemas.isDeclared(schemas, name) &&
        this.#schemas.fits(this.#schemas.member(schemas, name) ?? [], one)
      )
        kept.set(name, one);
    return Object.fromEntries(kept);
  }

  /** With other ids, names and dates. */
  #vary(object: JsonObject, schemas: MergedSchema, place: Place): JsonObject {
    const varied: Record<string, JsonValue> = {};
    for (const [name, member] of Object.entries(object)) {
      if (this.#wanted.has(name) || !['string', 'number'].includes(typeof member)) continue;
      const pointers = this.#schemas.member(schemas, name) ?? [];
      if (!isVaried(this.#schemas.merge(pointers), name)) continue;
      const pointer = appendPointer(place.pointer, name);
      const made = this.#build(pointers, { ...place, pointer, name, taken: nothingTaken });
      if (made?.isSound === true) varied[name] = made.value;
    }
    return { ...object, ...varied };
  }

  /** For a request without `readOnly` members, except discriminators, which unions need. */
  #asSent(value: JsonValue, pointers: readonly string[]): JsonValue {
    const isPlain = typeof value !== 'object' || value === null || pointers.length === 0;
    if (isPlain || this.#schemas.direction === 'response') return value;
    const [first, ...others] = this.#schemas.conjunctions(pointers);
    const isFit = ({ parts }: MergedSchema): boolean =>
      this.#schemas.fits(
        parts.map(({ pointer }) => pointer),
        value,
      );
    const schemas =
      others.length === 0 || first === undefined || isFit(first)
        ? first
        : (others.find(isFit) ?? first);
    if (schemas === undefined) return value;
    if (isJsonArray(value))
      return value.map((item, index) =>
        this.#asSent(item, this.#schemas.item(schemas, index) ?? []),
      );
    const discriminators = discriminatorValues(schemas);
    const sent = Object.entries(value).flatMap(([name, member]) =>
      member === undefined || (this.#isHidden(schemas, name) && !discriminators.has(name))
        ? []
        : [[name, this.#asSent(member, this.#schemas.member(schemas, name) ?? [])] as const],
    );
    return Object.fromEntries(sent);
  }

  /**
   * Changes an object so that it no longer fits schemas under `not`, and branches of `oneOf` that were
   * not chosen, but still fits the chosen branches.
   */
  #deviate(value: JsonValue, { parts }: MergedSchema): JsonValue {
    if (!isJsonObject(value)) return value;
    const known = new Set(parts.map(({ pointer }) => pointer));
    const branches = parts.flatMap(({ pointer, schema }) =>
      listOf(schema.oneOf).map((_one, index) => appendPointer(pointer, 'oneOf', index)),
    );
    const excluded = parts
      .filter(({ schema }) => schema.not !== undefined)
      .map(({ pointer }) => appendPointer(pointer, 'not'));
    const chosen = branches.filter((pointer) => known.has(pointer));
    let changed = value;
    for (const unwanted of [...excluded, ...branches.filter((one) => !known.has(one))])
      if (this.#schemas.fits([unwanted], changed) && this.#schemas.stepsLeft > 0)
        changed =
          listChanges(changed, this.#schemas.merge([unwanted])).find(
            (one) => !this.#schemas.fits([unwanted], one) && this.#schemas.fits(chosen, one),
          ) ?? changed;
    return changed;
  }
}

/** The first sound result, else the first one. */
function firstSound<Item>(
  items: Iterable<Item>,
  make: (item: Item) => Built | undefined,
): Built | undefined {
  let first: Built | undefined;
  for (const item of items) {
    const built = make(item);
    if (built?.isSound === true) return built;
    first ??= built;
  }
  return first;
}

/** The object with one member removed, added or changed, then with several more. */
function* listChanges(
  value: JsonObject,
  { declared, required }: MergedSchema,
): Generator<JsonObject> {
  const names = new Set([...declared, ...required]);
  for (const name of names) {
    const { [name]: member, ...rest } = value;
    if (member !== undefined) yield rest;
  }
  for (const name of [...names, 'Another name'])
    for (const stranger of strangers) yield { ...value, [name]: stranger };
  yield { ...value, ...Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`key${index}`, index])) };
}

const variedFormats = ['uuid', 'guid', 'date', 'date-time', 'email', 'ipv4', 'ipv6'];

/** Whether a value usually differs between items: an id, a name, an address, a date. */
function isVaried({ parts }: MergedSchema, name: string): boolean {
  if (parts.some(({ schema }) => (schema.enum ?? schema.const) !== undefined)) return false;
  return (
    isVariedName(name) ||
    parts.some(({ schema: { format } }) => variedFormats.some((one) => one === format))
  );
}

function isMap({ schema: { additionalProperties, patternProperties } }: SchemaPart): boolean {
  return isJsonObject(additionalProperties) || isJsonObject(patternProperties);
}

/** The required names, and those that `dependentRequired` adds to them. */
function withDependents({ required, parts }: MergedSchema): ReadonlySet<string> {
  const all = new Set(required);
  const asking = parts.filter(({ schema }) => schema.dependentRequired !== undefined);
  for (const name of asking.length === 0 ? [] : all)
    for (const { schema } of asking) for (const other of dependentsOf(schema, name)) all.add(other);
  return all;
}

function dependentsOf({ dependentRequired }: JsonObject, name: string): readonly string[] {
  return namesOf(ownMember(objectOf(dependentRequired), name));
}

/** Orders combinations of branches: null last; if no optional values are left, the smallest first. */
function rank(schemas: MergedSchema, { allowance }: Place): number {
  const [likeliest = 'string'] = listTypes(schemas, allowance > 0);
  return allowance > 0 ? Number(likeliest === 'null') : weights[likeliest];
}

/** From what takes least to what takes most; null only where no other scalar fits. */
const weights: Readonly<Record<JsonType, number>> = {
  boolean: 0,
  integer: 0,
  number: 0,
  string: 0,
  null: 1,
  array: 2,
  object: 3,
};

/** The types to try, in order. `isAmple`: optional values are made too. */
function listTypes({ types, parts }: MergedSchema, isAmple: boolean): readonly JsonType[] {
  const isOpen = types.length === everyType.length;
  const stated = isOpen ? [...new Set([...impliedTypes(parts), ...everyType])] : types;
  const tried = stated.filter((one) => one !== 'integer' || !stated.includes('number') || !isAmple);
  return isAmple
    ? tried.toSorted((one, other) => Number(one === 'null') - Number(other === 'null'))
    : tried.toSorted((one, other) => weights[one] - weights[other]);
}

/** The types that the keywords imply for a schema without `type`; a string if they imply none. */
function impliedTypes(parts: readonly SchemaPart[]): readonly JsonType[] {
  const found = everyType.filter((type) =>
    parts.some(({ schema }) => Object.keys(schema).some((name) => impliedBy[type]?.test(name))),
  );
  return found.length === 0 ? ['string'] : found;
}

const impliedBy: Readonly<Partial<Record<JsonType, RegExp>>> = {
  object: /[pP]ropert(y|ies)|^required$|^dependent/,
  array: /^(items|prefixItems|contains|minItems)$/,
  string: /^(pattern|minLength|format)$/,
  number: /^(exclusiveM|m)(in|ax)imum$|^multipleOf$/,
};
