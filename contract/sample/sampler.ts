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
import { mostSampleItems } from '../limits/index.ts';
import { maxItems, maxProperties, minItems, minProperties } from '../schema/keyword/limit.ts';
import { enumeration } from '../schema/keyword/enum.ts';
import { namesOf } from '../schema/keyword/required.ts';
import { type SchemaPart, everyType, type JsonType } from '../schema/keyword/keyword.ts';
import { type } from '../schema/keyword/type.ts';
import { uniqueItems } from '../schema/keyword/unique-items.ts';
import { isVariedName } from './meaning.ts';
import { listNumbers } from './number.ts';
import { listPatternTexts } from './pattern-text.ts';
import { createDraw, type Draw, rotate } from './random.ts';
import { declaredNames, requiredOf, type SampleSchemas } from './sample-schemas.ts';
import { listTexts } from './text.ts';

/** How often a schema may be made within itself, and schemas within one another. */
const mostTurns = 3;
const mostDepth = 60;

/** Ways in which an object or an array is made. */
const mostWays = 4;

/** How often an item is drawn again that the list has already. */
const mostRedraws = 12;

/** Values that one sample may have beyond those required. */
const ampleAllowance = 600;

/** Members of a generated object that are not required. */
export const mostSampleMembers = 1_000;

/** Values of each type, to leave schemas by that a value must not fit. */
const strangers: readonly JsonValue[] = [null, 'other', '', 0, -1, 1, 0.5, true, false, [], {}];

export interface SamplerOptions {
  /** Optional members too, or required ones alone. */
  readonly members: 'all' | 'required';
  /** Values that members at the top have by their name, where they fit. */
  readonly wanted: ReadonlyMap<string, JsonValue>;
  /** Undefined: the plainest values. */
  readonly seed: string | undefined;
}

/** Where in a sample a value is made. */
interface Place {
  /** JSON pointer into the sample. */
  readonly pointer: string;
  /** The member that it is, or whose items it is one of; empty for the whole. */
  readonly name: string;
  /** It is a further item of a list, or within one: values differ from those of the first. */
  readonly isRepeated: boolean;
  /** Values that may still be made in it where they are not required. */
  readonly allowance: number;
  /** Counts the ways of making it: with optional members and without, then drawn again. */
  readonly way: number;
  /** The schemas that are being made around it. */
  readonly around: readonly string[];
  /** The texts of values that it must differ from. */
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

/** A value as it was made. */
interface Built {
  readonly value: JsonValue;
  /** False where it is known not to fit. */
  readonly isSound: boolean;
}

/** Makes one sample: each value by plain recursion, checked by the validator. */
export class Sampler {
  readonly #schemas: SampleSchemas;
  readonly #options: SamplerOptions;

  constructor(schemas: SampleSchemas, options: SamplerOptions) {
    this.#schemas = schemas;
    this.#options = options;
  }

  /** Undefined where no value can be made, such as for a schema that needs itself. */
  make(pointers: readonly string[]): JsonValue | undefined {
    return this.#build(pointers, top)?.value;
  }

  #build(pointers: readonly string[], place: Place): Built | undefined {
    this.#schemas.take(1);
    if (this.#schemas.stepsLeft < 0) return { value: null, isSound: false };
    const key = pointers.join(' ');
    const turns = place.around.filter((one) => one === key).length;
    if (turns >= mostTurns || place.around.length > mostDepth) return undefined;
    const inside = {
      ...place,
      around: [...place.around, key],
      allowance: turns > 0 ? 0 : place.allowance,
    };
    const conjunctions = this.#schemas
      .conjunctions(pointers)
      .toSorted((one, other) => rank(one, inside) - rank(other, inside));
    return firstSound(conjunctions, (parts) => this.#buildOf(parts, pointers, inside));
  }

  /** `pointers`: the schemas that all parts come from, and that the value is judged by. */
  #buildOf(
    parts: readonly SchemaPart[],
    pointers: readonly string[],
    place: Place,
  ): Built | undefined {
    const draw = this.#draw(place);
    const values = enumeration.merge(parts);
    const shown = this.#listShown(parts, pointers, place, draw);
    if (values !== undefined)
      return this.#choose(
        [...shown, ...(draw === undefined ? values : rotate(values, draw))],
        pointers,
        place,
      );
    const known = this.#choose(shown, pointers, place);
    const isDrawnFirst = draw !== undefined && isVaried(parts, place.name);
    if (known?.isSound === true && !isDrawnFirst) return known;
    const made = firstSound(listTypes(parts, place.allowance > 0), (type) => {
      if (type === 'object' || type === 'array')
        return this.#buildStructure(type, parts, pointers, place);
      return this.#choose(this.#listScalars(type, parts, place), pointers, place);
    });
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

  /** Undefined where the plainest values are made. */
  #draw({ pointer, way, isRepeated }: Place): Draw | undefined {
    const { seed } = this.#options;
    const isPlain = seed === undefined && way < 2 && !isRepeated;
    return isPlain ? undefined : createDraw(`${seed ?? ''} ${pointer} ${way}`);
  }

  #listScalars(
    type: Exclude<JsonType, 'object' | 'array'>,
    parts: readonly SchemaPart[],
    place: Place,
  ): Iterable<JsonValue> {
    const draw = this.#draw(place);
    if (type === 'null') return [null];
    if (type === 'boolean') return draw === undefined ? [true, false] : rotate([true, false], draw);
    return type === 'string'
      ? listTexts(parts, place.name, draw, this.#schemas)
      : listNumbers(parts, type === 'integer', place.name, draw);
  }

  /** In several ways; but an object or an array with a part that does not fit is given up. */
  #buildStructure(
    type: 'object' | 'array',
    parts: readonly SchemaPart[],
    pointers: readonly string[],
    place: Place,
  ): Built | undefined {
    let best: Built | undefined;
    for (let way = 0; way < mostWays && this.#schemas.stepsLeft > 0; way += 1) {
      const inside = { ...place, way: place.way * mostWays + way, taken: nothingTaken };
      const built =
        type === 'object' ? this.#buildObject(parts, inside) : this.#buildArray(parts, inside);
      if (built === undefined) continue;
      for (const value of [built.value, this.#deviate(built.value, parts)])
        if (this.#schemas.fits(pointers, value)) return { value, isSound: true };
      best ??= { ...built, isSound: false };
      if (!built.isSound) break;
    }
    return best;
  }

  /** Undefined where a required member cannot be made. */
  #buildObject(parts: readonly SchemaPart[], place: Place): Built | undefined {
    const least = minProperties.merge(parts) ?? 0;
    const most = maxProperties.merge(parts) ?? Infinity;
    const hints = this.#schemas.discriminators(parts);
    const isSent = (name: string): boolean => hints.has(name) || !this.#isHidden(parts, name);
    const asked = [...withDependents(requiredOf(parts), parts)];
    const isRequest = this.#schemas.direction === 'request';
    const required = new Set(isRequest ? asked.filter(isSent) : asked);
    const whole = this.#withDependentSchemas(parts, required);
    if (whole.length > parts.length)
      return this.#build(
        whole.map(({ pointer }) => pointer),
        place,
      );

    const isAll = this.#isWhole(place);
    const declared = declaredNames(parts);
    const optional: string[] = [];
    for (const name of isAll || least > required.size ? declared : []) {
      if (optional.length === mostSampleMembers || this.#schemas.stepsLeft < 0) break;
      const dependents = parts.flatMap(({ schema }) => dependentsOf(schema, name));
      const isClosed = dependents.every((one) => declared.has(one));
      if (!required.has(name) && isClosed && isSent(name)) optional.push(name);
    }
    const isMade = new Set(isAll ? [...required, ...optional] : required);
    const each = Math.floor((place.allowance - isMade.size) / Math.max(1, isMade.size));
    const allowance = Math.min(each, place.allowance);
    const make = (name: string): Built | undefined =>
      this.#buildMember(parts, name, hints.get(name) ?? [], { ...place, allowance });

    const members = new Map<string, JsonValue>();
    let isSound = required.size <= most;
    let due = required.size;
    for (const name of new Set([...[...declared].filter((one) => isMade.has(one)), ...required])) {
      const isRequired = required.has(name);
      if (isRequired) due -= 1;
      else if (members.size + due >= most) continue;
      const made = make(name);
      if (made === undefined && isRequired) return undefined;
      if (made === undefined || (!made.isSound && !isRequired)) continue;
      isSound &&= made.isSound;
      members.set(name, made.value);
    }
    // A map has one member, so that it shows what it holds.
    const holdsOne = isAll && isMade.size === 0 && parts.some(isMap);
    const target = Math.min(most, Math.max(least, holdsOne ? 1 : 0), mostSampleMembers);
    for (const name of members.size < target ? this.#inventNames(parts, optional, place) : []) {
      const made = members.has(name) ? undefined : make(name);
      if (made === undefined || (!made.isSound && members.size >= least)) continue;
      isSound &&= made.isSound;
      members.set(name, made.value);
      if (members.size >= target) break;
    }
    return { value: Object.fromEntries(members), isSound: isSound && members.size >= least };
  }

  /** With the schemas that the presence of required members adds, and of those that these require. */
  #withDependentSchemas(
    parts: readonly SchemaPart[],
    required: ReadonlySet<string>,
  ): readonly SchemaPart[] {
    const all = new Map(parts.map((part) => [part.pointer, part]));
    const names = new Set(required);
    for (const { pointer, schema } of all.values())
      for (const name of Object.keys(objectOf(schema.dependentSchemas))) {
        const added = names.has(name) ? [appendPointer(pointer, 'dependentSchemas', name)] : [];
        for (const part of this.#schemas.parts(added)) {
          all.set(part.pointer, part);
          for (const one of namesOf(part.schema.required)) names.add(one);
        }
      }
    return [...all.values()];
  }

  /** `around`: the place of the object, with the allowance of each member. */
  #buildMember(
    parts: readonly SchemaPart[],
    name: string,
    hints: readonly JsonValue[],
    around: Place,
  ): Built | undefined {
    const pointers = this.#schemas.member(parts, name);
    if (pointers === undefined) return undefined;
    const wanted = around.pointer === '' ? this.#options.wanted.get(name) : undefined;
    const known = this.#choose(wanted === undefined ? hints : [wanted, ...hints], pointers, around);
    const pointer = appendPointer(around.pointer, name);
    return known?.isSound === true ? known : this.#build(pointers, { ...around, pointer, name });
  }

  /** Whether optional members are made too. */
  #isWhole({ allowance, way }: Place): boolean {
    return allowance > 0 && (this.#options.members === 'all') === (way % 2 === 0);
  }

  /** Whether the direction does not carry a member. */
  #isHidden(parts: readonly SchemaPart[], name: string): boolean {
    const flag = this.#schemas.direction === 'request' ? 'readOnly' : 'writeOnly';
    const members = this.#schemas.parts(this.#schemas.member(parts, name) ?? []);
    return members.some(({ schema }) => schema[flag] === true);
  }

  /** Names for further members: those declared, those that schemas ask for, then any. */
  *#inventNames(
    parts: readonly SchemaPart[],
    declared: readonly string[],
    place: Place,
  ): Generator<string> {
    yield* declared;
    const rules = parts
      .filter(({ schema }) => schema.propertyNames !== undefined)
      .map(({ pointer }) => appendPointer(pointer, 'propertyNames'));
    for (const { schema } of this.#schemas.parts(rules)) yield* namesOf(schema.enum);
    for (let index = 0; rules.length > 0 && index < 40; index += 1) {
      const pointer = appendPointer(place.pointer, `name ${index}`);
      const own = { ...place, pointer, name: `key${index}`, isRepeated: index > 0 };
      const made = this.#build(rules, own);
      if (typeof made?.value === 'string' && made.isSound) yield made.value;
    }
    const isAllowed = (name: string): boolean => this.#schemas.fits(rules, name);
    for (const { schema } of parts)
      for (const source of Object.keys(objectOf(schema.patternProperties)))
        for (const name of listPatternTexts(source, anyLength, createDraw(source)).take(20))
          if (isAllowed(name)) yield name;
    for (let index = 1; index < 2000; index += 1) if (isAllowed(`key${index}`)) yield `key${index}`;
  }

  /** Undefined where an item that must be there cannot be made. */
  #buildArray(parts: readonly SchemaPart[], place: Place): Built | undefined {
    const contained = parts.flatMap(containedOf);
    const due = contained.flatMap(({ pointer, least }) =>
      Array.from({ length: least }, () => pointer),
    );
    const least = Math.max(minItems.merge(parts) ?? 0, due.length);
    const most = Math.min(maxItems.merge(parts) ?? Infinity, mostSampleItems);
    const tuple = largest(
      parts.map(({ schema }) => listOf(schema.prefixItems).length),
      1,
    );
    const count = Math.min(Math.max(least, this.#isWhole(place) ? tuple : 0), most);
    const allowance = Math.floor((place.allowance - 1) / Math.max(1, count)) - 1;
    const isUnique = uniqueItems.merge(parts) === true;
    const items: JsonValue[] = [];
    const taken = new Set<string>();
    let isSound = least <= most;
    for (let index = 0; index < count; index += 1) {
      const pointers = this.#schemas.item(parts, index);
      const full = contained.filter((one) => index >= one.most).map(({ pointer }) => pointer);
      const made =
        pointers &&
        this.#buildItem([...pointers, ...due.slice(index, index + 1)], full, index, {
          ...place,
          allowance,
          taken: isUnique ? taken : nothingTaken,
        });
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
    const uncounted =
      full.length === 0
        ? undefined
        : this.#choose(
            strangers.filter((value) => full.every((one) => !this.#schemas.fits([one], value))),
            pointers,
            around,
          );
    if (uncounted?.isSound === true) return uncounted;
    let made: Built | undefined;
    for (let tries = 0; tries < mostRedraws; tries += 1) {
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
   * What schemas show of a value themselves, by examples and defaults: with the wanted members, of a
   * request without what is `readOnly`, and where values are drawn with ids and dates of its own.
   */
  #listShown(
    parts: readonly SchemaPart[],
    pointers: readonly string[],
    place: Place,
    draw: Draw | undefined,
  ): readonly JsonValue[] {
    const shown: JsonValue[] = [];
    for (const { schema } of parts)
      for (const value of [schema.example, ...listOf(schema.examples), schema.default])
        if (value !== undefined) shown.push(this.#asSent(value, pointers));
    const ordered = draw === undefined || shown.length === 0 ? shown : rotate(shown, draw);
    return ordered.flatMap((value): readonly JsonValue[] => {
      if (!isJsonObject(value)) return [value];
      const object = this.#adapt(value, parts, place);
      return draw === undefined ? [object] : [this.#vary(object, parts, place), object];
    });
  }

  /** With the wanted members, and without the optional ones where those are not asked for. */
  #adapt(value: JsonObject, parts: readonly SchemaPart[], place: Place): JsonObject {
    const { members, wanted } = this.#options;
    const required = requiredOf(parts);
    const kept = new Map(
      Object.entries(value).filter(([name]) => members === 'all' || required.has(name)),
    );
    for (const [name, one] of place.pointer === '' ? wanted : []) {
      if (
        this.#schemas.isDeclared(parts, name) &&
        this.#schemas.fits(this.#schemas.member(parts, name) ?? [], one)
      )
        kept.set(name, one);
    }
    return Object.fromEntries(kept);
  }

  /** With other ids, names and dates. */
  #vary(object: JsonObject, parts: readonly SchemaPart[], place: Place): JsonObject {
    const varied: Record<string, JsonValue> = {};
    for (const [name, member] of Object.entries(object)) {
      if (this.#options.wanted.has(name) || !['string', 'number'].includes(typeof member)) continue;
      const pointers = this.#schemas.member(parts, name) ?? [];
      if (!isVaried(this.#schemas.parts(pointers), name)) continue;
      const pointer = appendPointer(place.pointer, name);
      const made = this.#build(pointers, { ...place, pointer, name, taken: nothingTaken });
      if (made?.isSound === true) varied[name] = made.value;
    }
    return { ...object, ...varied };
  }

  /** Of a request without members that are `readOnly`; discriminators stay, as a union needs them. */
  #asSent(value: JsonValue, pointers: readonly string[]): JsonValue {
    const isPlain = typeof value !== 'object' || value === null || pointers.length === 0;
    if (isPlain || this.#schemas.direction === 'response') return value;
    const choices = this.#schemas.conjunctions(pointers);
    const fitting = (parts: readonly SchemaPart[]): boolean =>
      this.#schemas.fits(
        parts.map(({ pointer }) => pointer),
        value,
      );
    const parts = (choices.length > 1 ? choices.find(fitting) : undefined) ?? choices[0] ?? [];
    if (isJsonArray(value))
      return value.map((item, index) => this.#asSent(item, this.#schemas.item(parts, index) ?? []));
    const discriminators = this.#schemas.discriminators(parts);
    const sent = Object.entries(value).flatMap(([name, member]) =>
      member === undefined || (this.#isHidden(parts, name) && !discriminators.has(name))
        ? []
        : [[name, this.#asSent(member, this.#schemas.member(parts, name) ?? [])] as const],
    );
    return Object.fromEntries(sent);
  }

  /**
   * An object changed so that it leaves the schemas that it must not fit: those under `not`, and the
   * branches of `oneOf` that were not chosen. The chosen ones still fit.
   */
  #deviate(value: JsonValue, parts: readonly SchemaPart[]): JsonValue {
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
          listChanges(changed, this.#schemas.parts([unwanted])).find(
            (one) => !this.#schemas.fits([unwanted], one) && this.#schemas.fits(chosen, one),
          ) ?? changed;
    return changed;
  }
}

const anyLength = { min: 0, max: Infinity };

/** The first that is sound, else the first. */
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

/** The object with one member that a schema speaks of left out, added or changed. */
function* listChanges(value: JsonObject, unwanted: readonly SchemaPart[]): Generator<JsonObject> {
  const names = new Set([...declaredNames(unwanted), ...requiredOf(unwanted)]);
  for (const name of names) {
    const { [name]: member, ...rest } = value;
    if (member !== undefined) yield rest;
  }
  for (const name of [...names, 'Another name'])
    for (const stranger of strangers) yield { ...value, [name]: stranger };
  yield { ...value, ...Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`key${index}`, index])) };
}

const variedFormats = ['uuid', 'guid', 'date', 'date-time', 'email', 'ipv4', 'ipv6'];

/** Whether a value is one that differs from item to item: an id, a name, an address, a date. */
function isVaried(parts: readonly SchemaPart[], name: string): boolean {
  if (parts.some(({ schema }) => schema.enum !== undefined || schema.const !== undefined))
    return false;
  return (
    isVariedName(name) ||
    parts.some(({ schema: { format } }) => variedFormats.some((one) => one === format))
  );
}

function isMap({ schema: { additionalProperties, patternProperties } }: SchemaPart): boolean {
  return isJsonObject(additionalProperties) || isJsonObject(patternProperties);
}

/** Names and all that `dependentRequired` asks for with them. */
function withDependents(
  names: ReadonlySet<string>,
  parts: readonly SchemaPart[],
): ReadonlySet<string> {
  const all = new Set(names);
  const asking = parts.filter(({ schema }) => schema.dependentRequired !== undefined);
  for (const name of asking.length === 0 ? [] : all)
    for (const { schema } of asking) for (const other of dependentsOf(schema, name)) all.add(other);
  return all;
}

function dependentsOf({ dependentRequired }: JsonObject, name: string): readonly string[] {
  return namesOf(ownMember(objectOf(dependentRequired), name));
}

/** How many items must fit a schema under `contains`, and how many may. */
interface Contained {
  readonly pointer: string;
  readonly least: number;
  readonly most: number;
}

function containedOf({ pointer, schema }: SchemaPart): readonly Contained[] {
  const { contains, minContains = 1, maxContains = Infinity } = schema;
  if (contains === undefined) return [];
  const least = Math.min(Number(minContains), mostSampleItems);
  return [{ pointer: appendPointer(pointer, 'contains'), least, most: Number(maxContains) }];
}

/** Branches in the order in which they are tried: where little is made, those that take least first. */
function rank(parts: readonly SchemaPart[], { allowance }: Place): number {
  const [likeliest = 'string'] = listTypes(parts, allowance > 0);
  return allowance > 0 ? Number(likeliest === 'null') : weights[likeliest];
}

/** From what takes least to what takes most. */
const weights: Readonly<Record<JsonType, number>> = {
  null: 0,
  boolean: 1,
  integer: 1,
  number: 1,
  string: 1,
  array: 2,
  object: 3,
};

/** The types to try, the likeliest first. `isAmple`: more than the least is made. */
function listTypes(parts: readonly SchemaPart[], isAmple: boolean): readonly JsonType[] {
  const allowed = type.merge(parts);
  const stated = allowed ?? [...new Set([...impliedTypes(parts), ...everyType])];
  const types = stated.filter((one) => one !== 'integer' || !stated.includes('number') || !isAmple);
  if (!isAmple) return types.toSorted((one, other) => weights[one] - weights[other]);
  return types.toSorted((one, other) => Number(one === 'null') - Number(other === 'null'));
}

/** The types that keywords are about where `type` is not there; text where they are about none. */
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
