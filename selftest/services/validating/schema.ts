/** A parsed JSON value: integers are exact. */
export type Value = null | boolean | number | bigint | string | readonly Value[] | Fields;

export interface Fields {
  readonly [name: string]: Value;
}

/** A schema as a route declares it. */
export type Schema =
  | { readonly type: 'integer'; readonly minimum: bigint; readonly maximum: bigint }
  | { readonly type: 'string'; readonly enum?: readonly string[] }
  | {
      readonly type: 'object';
      readonly required: readonly string[];
      readonly properties: Readonly<Record<string, Schema>>;
    };

/** What the validator does to values that do not fit, all of it off where the service is strict. */
export interface Coercion {
  /** Texts, booleans and null become numbers; numbers and booleans become texts. */
  readonly types: boolean;
  /** A list of one value stands for the value. */
  readonly lists: boolean;
  /** A fraction loses what is behind the point. */
  readonly fractions: boolean;
  /** A null counts as absent. */
  readonly nulls: boolean;
  /** A value of an enumeration may be in any case. */
  readonly cases: boolean;
  /** Texts lose the white space around them. */
  readonly trim: boolean;
  /** Properties that are required have these values where they are absent. */
  readonly defaults: Fields;
  /** Properties that the schema does not have are kept. */
  readonly additional: boolean;
}

/** A value that does not keep its schema. */
export class ValidationError extends Error {
  constructor(at: string, keyword: string) {
    super(`${at} must ${keyword}`);
  }
}

/** The value as the handler gets it. @throws {ValidationError} */
export function validate(schema: Schema, value: Value, at: string, coercion: Coercion): Value {
  const [one] = Array.isArray(value) && coercion.lists && value.length === 1 ? value : [value];
  switch (schema.type) {
    case 'object':
      return validateObject(schema, one, at, coercion);
    case 'integer':
      return validateInteger(schema, one, at, coercion);
    case 'string':
      return validateText(schema, one, at, coercion);
  }
}

function validateObject(
  { required, properties }: Extract<Schema, { type: 'object' }>,
  value: Value,
  at: string,
  coercion: Coercion,
): Fields {
  if (!isFields(value)) throw new ValidationError(at, 'be object');
  const given = Object.entries({ ...coercion.defaults, ...value }).filter(
    ([, each]) => !(coercion.nulls && each === null),
  );
  for (const name of required)
    if (!given.some(([each]) => each === name))
      throw new ValidationError(at, `have required property '${name}'`);
  const known = given.filter(([name]) => coercion.additional || Object.hasOwn(properties, name));
  return Object.fromEntries(
    known.map(([name, each]) => {
      const schema = properties[name];
      return [name, schema ? validate(schema, each, `${at}/${name}`, coercion) : each];
    }),
  );
}

function validateInteger(
  { minimum, maximum }: Extract<Schema, { type: 'integer' }>,
  value: Value,
  at: string,
  coercion: Coercion,
): bigint {
  const integer = typeof value === 'bigint' ? value : toInteger(value, coercion);
  if (integer === undefined) throw new ValidationError(at, 'be integer');
  if (integer < minimum) throw new ValidationError(at, `be >= ${minimum}`);
  if (integer > maximum) throw new ValidationError(at, `be <= ${maximum}`);
  return integer;
}

function toInteger(value: Value, { types, fractions }: Coercion): bigint | undefined {
  if (typeof value === 'number')
    return fractions || Number.isInteger(value) ? BigInt(Math.trunc(value)) : undefined;
  if (!types) return undefined;
  if (value === null || typeof value === 'boolean') return BigInt(Number(value));
  return typeof value === 'string' && /^[+-]?\d+$/.test(value) ? BigInt(value) : undefined;
}

function validateText(
  { enum: values }: Extract<Schema, { type: 'string' }>,
  value: Value,
  at: string,
  { types, cases, trim }: Coercion,
): string {
  const isScalar = typeof value !== 'object' || value === null;
  const text =
    typeof value === 'string' ? value : types && isScalar ? String(value ?? '') : undefined;
  if (text === undefined) throw new ValidationError(at, 'be string');
  const trimmed = trim ? text.trim() : text;
  if (!values) return trimmed;
  const found = values.find((each) => each === (cases ? trimmed.toLowerCase() : trimmed));
  if (found === undefined) throw new ValidationError(at, 'be equal to one of the allowed values');
  return found;
}

export function isFields(value: Value): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
