import { keepNumber, parseNumber } from './exact-json.ts';

/** A field of a form, as data. */
export interface Field {
  /** JSON pointer to its value in the body that the form makes: `/delay/from`. */
  readonly name: string;
  readonly label: string;
  /** Default: text. */
  readonly kind?: FieldKind;
  readonly hint?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly isRequired?: boolean;
  /** Bounds of a number. */
  readonly least?: number;
  readonly most?: number;
  /** What an invalid text should look like instead: `a path that starts with a slash`. */
  readonly pattern?: readonly [pattern: RegExp, description: string];
  /** Values of a choice with their labels; empty for none. */
  readonly options?: readonly Option[];
  /** Lines of a text with several. */
  readonly rows?: number;
  /** Folded, with others that are seldom used. */
  readonly isMore?: boolean;
  /** Whether other fields leave room for it. Default: always. */
  readonly isShown?: (texts: Texts) => boolean;
}

export type Option = readonly [value: string, label: string];

/** A field for a whole number; the placeholder is what happens without one. */
export function whole(
  name: string,
  label: string,
  placeholder: string,
  least = 0,
  most = Number.MAX_SAFE_INTEGER,
): Field {
  return { name, label, kind: 'whole', placeholder, least, most };
}

/** The field folded with others that are seldom used. */
export function more(field: Field): Field {
  return { ...field, isMore: true };
}

/** What is in the fields of a form, by their names. */
export type Texts = Readonly<Record<string, string>>;

export type FieldKind =
  | 'text'
  | 'secret'
  | 'lines'
  | 'url'
  | 'whole'
  | 'number'
  | 'exact'
  | 'percent'
  | 'choice'
  | 'radio'
  | 'value'
  | 'check'
  | 'json'
  | 'loose'
  | 'query'
  | 'headers'
  | 'time';

/** Why a text is not a value of its field. */
export class FieldError extends Error {}

interface Codec {
  /** Throws `FieldError`. Never called for an empty text, which leaves the member out. */
  readonly parse: (text: string, field: Field) => unknown;
  /** Undefined for a value that the field cannot show. */
  readonly print: (value: unknown) => string | undefined;
}

const text: Codec = {
  parse: (typed, { pattern }) => {
    if (pattern !== undefined && !pattern[0].test(typed)) throw new FieldError(pattern[1]);
    return typed;
  },
  print: (value) => (typeof value === 'string' && !/[\n\r]/.test(value) ? value : undefined),
};

const number: Codec = {
  parse: (typed, field) => boundNumber(parseNumber(typed.trim()), field),
  print: (value) => (typeof value === 'number' ? `${value}` : undefined),
};

const choice: Codec = { parse: (typed) => typed, print: text.print };

const json: Codec = { parse: parseJson, print: (value) => JSON.stringify(value, undefined, 2) };

const codecs: Readonly<Record<FieldKind, Codec>> = {
  text,
  secret: text,
  url: text,
  lines: { ...text, print: (value) => (typeof value === 'string' ? value : undefined) },
  whole: {
    ...number,
    parse: (typed, field) =>
      boundNumber(/^-?\d{1,15}$/.test(typed.trim()) ? Number(typed) : undefined, field),
  },
  number,
  // A number in every digit. The mock judges anything else.
  exact: {
    parse: (typed) => parseNumber(typed.trim()) ?? typed,
    print: (value) => (typeof value === 'string' ? undefined : JSON.stringify(value)),
  },
  percent: {
    parse: (typed, field) => Number(number.parse(typed, field)) / 100,
    print: (value) =>
      typeof value === 'number' ? `${Number((value * 100).toPrecision(6))}` : undefined,
  },
  choice,
  radio: choice,
  value: { parse: parseJson, print: (value) => JSON.stringify(value) },
  check: { parse: () => true, print: (value) => (value === true ? 'true' : undefined) },
  json,
  loose: {
    parse(typed) {
      try {
        return parseJson(typed);
      } catch {
        return typed;
      }
    },
    print: json.print,
  },
  query: { parse: parseQuery, print: printQuery },
  headers: { parse: parseHeaders, print: printHeaders },
  time: {
    parse(typed) {
      const instant = new Date(`${typed}Z`);
      if (Number.isNaN(instant.getTime())) throw new FieldError('Enter a date and a time.');
      return instant.toISOString();
    },
    print: () => undefined,
  },
};

/** The value of a field; undefined for none. Throws `FieldError`. */
export function parseField(field: Field, typed: string): unknown {
  const { kind = 'text', isRequired = false } = field;
  if (typed.trim() === '') {
    if (isRequired) throw new FieldError(`${field.label} is required.`);
    return undefined;
  }
  return codecs[kind].parse(typed, field);
}

/** The text of a field for a value; undefined for one that it cannot show and give back as it is. */
export function printField(field: Field, value: unknown): string | undefined {
  const { kind = 'text', options } = field;
  const printed = codecs[kind].print(value);
  if (printed === undefined) return undefined;
  if (options !== undefined && options.every(([one]) => one !== printed)) return undefined;
  return kind === 'percent' ||
    isSame(codecs[kind].parse(printed, { ...field, least: -Infinity, most: Infinity }), value)
    ? printed
    : undefined;
}

/** What is wrong with a text; undefined for nothing. */
export function checkField(field: Field, typed: string): string | undefined {
  try {
    parseField(field, typed);
    return undefined;
  } catch (error) {
    if (error instanceof FieldError) return error.message;
    throw error;
  }
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function boundNumber(value: unknown, field: Field): unknown {
  const { kind, least = 0, most = Number.MAX_SAFE_INTEGER } = field;
  const found = Number(value);
  if (value !== undefined && found >= least && found <= most) return value;
  const noun = kind === 'whole' ? 'a whole number' : 'a number';
  const bounds =
    most === Number.MAX_SAFE_INTEGER
      ? `of at least ${show(least)}`
      : `from ${show(least)} to ${show(most)}`;
  throw new FieldError(`Enter ${noun} ${least === -Infinity ? '' : bounds}`.trim() + '.');
}

function show(bound: number): string {
  return bound.toLocaleString('en');
}

function parseJson(typed: string): unknown {
  try {
    return JSON.parse(typed, keepNumber);
  } catch (error) {
    throw new FieldError(`This is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

/** Values by name; a name that is repeated has a list. */
export function parseQuery(typed: string): Record<string, string | string[]> {
  const pairs = [...new URLSearchParams(typed.trim().replace(/^\?/, ''))];
  return Object.fromEntries(
    pairs.map(([name]) => {
      const values = pairs.filter(([one]) => one === name).map(([, value]) => value);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

function printQuery(value: unknown): string | undefined {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(Object(value)))
    for (const one of [values].flat()) query.append(name, textOf(one));
  return query.toString();
}

/** Fields, one a line; a name without a colon is null, which removes the field. */
function parseHeaders(typed: string): Record<string, string | string[] | null> {
  const fields = new Map<string, string[] | null>();
  for (const line of typed.split('\n')) {
    if (line.trim() === '') continue;
    const [, name = '', rest] = /^\s*([^:\s]+)\s*(?::(.*))?$/.exec(line) ?? [];
    if (name === '') throw new FieldError('Enter one header per line, such as X-Trace: 7.');
    if (rest === undefined) fields.set(name, null);
    else fields.set(name, [...(fields.get(name) ?? []), rest.trim()]);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values?.length === 1 ? (values[0] ?? '') : values]),
  );
}

function printHeaders(value: unknown): string | undefined {
  return Object.entries(Object(value))
    .flatMap(([name, values]) =>
      values === null ? [name] : [values].flat().map((one) => `${name}: ${textOf(one)}`),
    )
    .join('\n');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
