import { PetstoreError } from '../error/petstore-error.ts';
import { appendPointer } from './pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  isNumeric,
  mapMembers,
  ownMember,
  type JsonObject,
  type JsonValue,
} from './value.ts';

/** Reads an untrusted value of one shape, and writes it; implies its type. */
export interface Codec<T> {
  /**
   * @param at JSON pointer (RFC 6901) to the value, for errors
   * @throws {PetstoreError} with code `shape` and the pointer, for the first error
   */
  read(value: JsonValue, at: string): T;
  /** Reads back unchanged. */
  render(value: T): JsonValue;
  /** The JSON Schema (2020-12) of accepted values; absent for any JSON. */
  readonly schema?: (refer: SchemaReference) => JsonObject;
}

/** The schema of a codec within another: inline or as a reference. */
export type SchemaReference = (codec: Codec<unknown>) => JsonObject;

/** The type of the values of a codec. */
export type TypeOf<C extends Codec<unknown>> = ReturnType<C['read']>;

/** An optional member. */
export interface OptionalCodec<T> extends Codec<T> {
  readonly isOptional: true;
}

/** The codec of an object. */
export interface ObjectCodec<T> extends Codec<T> {
  render(value: T): JsonObject;
}

type Members = Readonly<Record<string, Codec<unknown>>>;

type Flat<T> = { [Name in keyof T]: T[Name] };

type OptionalNames<M extends Members> = {
  [Name in keyof M]: M[Name] extends OptionalCodec<unknown> ? Name : never;
}[keyof M];

type ObjectOf<M extends Members> = Flat<
  { readonly [Name in keyof M as Exclude<Name, OptionalNames<M>>]: TypeOf<M[Name]> } & {
    readonly [Name in keyof M as Extract<Name, OptionalNames<M>>]?: TypeOf<M[Name]> | undefined;
  }
>;

type Variants = Readonly<Record<string, Members>>;

type VariantOf<Tag extends string, V extends Variants> = {
  [Kind in keyof V]: Flat<{ readonly [T in Tag]: Kind } & ObjectOf<V[Kind]>>;
}[keyof V];

/** The error for a value of the wrong shape: its pointer and the expected shape. */
export function shapeError(at: string, reason: string): PetstoreError {
  return new PetstoreError('shape', `${at === '' ? 'the whole' : at} ${reason}`, { place: at });
}

function plain<T extends JsonValue>(
  isWanted: (value: JsonValue) => value is T,
  wanted: string,
  schema: JsonObject,
): Codec<T> {
  return {
    schema: () => schema,
    read(value, at) {
      if (isWanted(value)) return value;
      throw shapeError(at, `has to be ${wanted}`);
    },
    render: (value) => value,
  };
}

/** Any JSON. */
export const json: Codec<JsonValue> = { read: (value) => value, render: (value) => value };

/** An object with any members. */
export const jsonObject: Codec<JsonObject> = plain(isJsonObject, 'an object', { type: 'object' });

export const text: Codec<string> = plain((value) => typeof value === 'string', 'a text', {
  type: 'string',
});

export const flag: Codec<boolean> = plain((value) => typeof value === 'boolean', 'true or false', {
  type: 'boolean',
});

/** A number within a range, inclusive. */
function between(
  type: 'integer' | 'number',
  least: number,
  most: number,
  wanted: string,
): Codec<number> {
  return plain(
    (value): value is number =>
      typeof value === 'number' &&
      (type === 'number' || Number.isInteger(value)) &&
      value >= least &&
      value <= most,
    wanted,
    {
      type,
      ...(least > Number.MIN_SAFE_INTEGER && { minimum: least }),
      ...(most !== Infinity && most !== Number.MAX_SAFE_INTEGER && { maximum: most }),
    },
  );
}

/** A whole number within a range, inclusive. */
export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Codec<number> {
  const end = most === Number.MAX_SAFE_INTEGER ? 'on' : `to ${most}`;
  return between('integer', least, most, `a whole number from ${least} ${end}`);
}

/** Any number; integers beyond 2^53 are rounded. */
export const number: Codec<number> = {
  schema: () => ({ type: 'number' }),
  read(value, at) {
    if (isNumeric(value)) return Number(value);
    throw shapeError(at, 'has to be a number');
  },
  render: (value) => value,
};

/** A number from 0, including fractions. */
export const quantity: Codec<number> = between('number', 0, Infinity, 'a number from 0 on');

/** Milliseconds since the Unix epoch, including fractions, within the range of a date. */
export const milliseconds: Codec<number> = between(
  'number',
  0,
  8.64e15,
  'a time in milliseconds since 1970',
);

/** One of several strings. */
export function oneOf<const T extends string>(choices: readonly T[]): Codec<T> {
  return plain(
    (value): value is T => choices.some((choice) => choice === value),
    `one of ${choices.join(', ')}`,
    { enum: choices },
  );
}

/** A value that may be null. */
export function orNull<T>(codec: Codec<T>): Codec<T | null> {
  return {
    schema: (refer) => ({ anyOf: [refer(codec), { type: 'null' }] }),
    read: (value, at) => (value === null ? null : codec.read(value, at)),
    render: (value) => (value === null ? null : codec.render(value)),
  };
}

/** A value that may be undefined, written as `null`. */
export function orUndefined<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    schema: (refer) => ({ anyOf: [refer(codec), { type: 'null' }] }),
    read: (value, at) => (value === null ? undefined : codec.read(value, at)),
    render: (value) => (value === undefined ? null : codec.render(value)),
  };
}

export function list<T>(codec: Codec<T>, most = Infinity): Codec<readonly T[]> {
  return {
    schema: (refer) => ({
      type: 'array',
      items: refer(codec),
      ...(most < Infinity && { maxItems: most }),
    }),
    read(value, at) {
      if (!isJsonArray(value)) throw shapeError(at, 'has to be a list');
      if (value.length > most) throw shapeError(at, `has to have at most ${most} entries`);
      return value.map((each, index) => codec.read(each, appendPointer(at, index)));
    },
    render: (value) => value.map((each) => codec.render(each)),
  };
}

/** An object whose members all have the same shape. */
export function map<T>(codec: Codec<T>): Codec<Readonly<Record<string, T>>> {
  return {
    schema: (refer) => ({ type: 'object', additionalProperties: refer(codec) }),
    read: (value, at) =>
      mapMembers(jsonObject.read(value, at), (member, name) =>
        codec.read(member ?? null, appendPointer(at, name)),
      ),
    render: (value) => mapMembers(value, (member) => codec.render(member)),
  };
}

/** A shape with a condition on its values; `wanted` completes "has to be". */
export function refine<T>(
  codec: Codec<T>,
  isWanted: (value: T) => boolean,
  wanted: string,
): Codec<T> {
  return {
    ...codec,
    read(value, at) {
      const found = codec.read(value, at);
      if (isWanted(found)) return found;
      throw shapeError(at, `has to be ${wanted}`);
    },
  };
}

/** The same values, with additional keywords in the schema. */
export function annotate<C extends Codec<unknown>>(codec: C, keywords: JsonObject): C {
  return { ...codec, schema: (refer) => ({ ...refer(codec), ...keywords }) };
}

/** The same values, with a description in the schema. */
export function described<C extends Codec<unknown>>(codec: C, description: string): C {
  return annotate(codec, { description });
}

/** An optional member of an object. */
export function optional<T>(codec: Codec<T>): OptionalCodec<T> {
  return { ...codec, schema: (refer) => refer(codec), isOptional: true };
}

/** An object with these members; others are ignored. */
export function openObject<const M extends Members>(members: M): ObjectCodec<ObjectOf<M>> {
  return object(members, false);
}

/** An object with exactly these members. */
export function object<const M extends Members>(
  members: M,
  isClosed = true,
): ObjectCodec<ObjectOf<M>> {
  const all = Object.entries<Codec<unknown>>(members);
  const names = all.map(([name]) => name);
  const needed = names.filter((name) => !('isOptional' in (members[name] ?? {})));
  return {
    schema: (refer) => ({
      type: 'object',
      ...(needed.length > 0 && { required: needed }),
      ...(isClosed && { additionalProperties: false }),
      properties: Object.fromEntries(all.map(([name, codec]) => [name, refer(codec)])),
    }),
    read(value, at) {
      const found = jsonObject.read(value, at);
      const unknown = isClosed && Object.keys(found).find((name) => !names.includes(name));
      if (typeof unknown === 'string')
        throw shapeError(
          appendPointer(at, unknown),
          `is unknown here; there are ${names.join(', ')}`,
        );
      const missing = needed.find((name) => ownMember(found, name) === undefined);
      if (missing !== undefined) throw shapeError(appendPointer(at, missing), 'is missing');
      const entries: readonly (readonly unknown[])[] = all.flatMap(([name, codec]) => {
        const member = ownMember(found, name);
        return member === undefined ? [] : [[name, codec.read(member, appendPointer(at, name))]];
      });
      return Object.fromEntries(entries);
    },
    render(value) {
      const given: Readonly<Record<string, unknown>> = Object(value);
      const rendered = all.filter(
        ([name, codec]) => !('isOptional' in codec) || given[name] !== undefined,
      );
      return Object.fromEntries(rendered.map(([name, codec]) => [name, codec.render(given[name])]));
    },
  };
}

/** Objects with a member `kind`, each with exactly the members of its kind. */
export function variants<const V extends Variants>(byKind: V): Codec<VariantOf<'kind', V>> {
  return variantsOf('kind', {}, byKind, true);
}

/** Objects with a member `tag`, common members and those of their kind; others are ignored. */
export function openVariants<
  const Tag extends string,
  const Common extends Members,
  const V extends Variants,
>(
  tag: Tag,
  common: Common,
  byKind: V,
): Codec<VariantOf<Tag, { [Kind in keyof V]: Common & V[Kind] }>> {
  return variantsOf(tag, common, byKind, false);
}

function variantsOf<T>(
  tag: string,
  common: Members,
  byKind: Variants,
  isClosed: boolean,
): Codec<T> {
  const kind = oneOf(Object.keys(byKind));
  const kinds = Object.entries(byKind);
  const shapes = new Map<string, Codec<unknown>>(
    kinds.map(([name, members]) => [
      name,
      object({ [tag]: kind, ...common, ...members }, isClosed),
    ]),
  );
  return {
    schema: (refer) => ({
      ...openObject({ [tag]: kind, ...common }).schema?.(refer),
      allOf: kinds.flatMap(([name, members]) => {
        const { required, properties } = openObject(members).schema?.(refer) ?? {};
        return Object.keys(members).length === 0
          ? []
          : {
              if: { properties: { [tag]: { const: name } } },
              // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
              then: { ...(required !== undefined && { required }), properties },
            };
      }),
      ...(isClosed && { unevaluatedProperties: false }),
    }),
    read(value, at) {
      const found = ownMember(jsonObject.read(value, at), tag);
      const place = appendPointer(at, tag);
      if (found === undefined) throw shapeError(place, 'is missing');
      return Object(shapes.get(kind.read(found, place))?.read(value, at));
    },
    render(value) {
      const given: Readonly<Record<string, unknown>> = Object(value);
      return shapes.get(String(given[tag]))?.render(value) ?? null;
    },
  };
}
