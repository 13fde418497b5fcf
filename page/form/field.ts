import { keepNumber, parseNumber } from './exact-json.ts';

/** A field of a form, as data. */
export interface Field {
  /** JSON pointer to its value in the body of the form: `/delay/from`. */
  readonly name: string;
  readonly label: string;
  /** Default: text. */
  readonly kind?: FieldKind;
  readonly hint?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly isRequired?: boolean;
  /** Description of valid input, for the error message: `a path that starts with a slash`. */
  readonly pattern?: readonly [pattern: RegExp, description: string];
  /** Options of a choice with their labels; the empty value stands for none. */
  readonly options?: readonly Option[];
  /** Rows of a multi-line text. */
  readonly rows?: number;
  /** Collapsed with other rarely used fields. */
  readonly isMore?: boolean;
  /** Whether the texts of other fields make it applicable. Default: always. */
  readonly isShown?: (texts: Texts) => boolean;
}

export type Option = readonly [value: string, label: string];

/** A numeric field. The placeholder says what happens if it is empty. */
export function number(name: string, label: string, placeholder: string, hint?: string): Field {
  return { name, label, kind: 'number', placeholder, hint };
}

/** A field with fixed options. */
export function choice(name: string, label: string, options: readonly Option[]): Field {
  return { name, label, kind: 'choice', options };
}

/** Marks fields as collapsed, because they are rarely used. */
export function more(...fields: readonly Field[]): readonly Field[] {
  return fields.map((field) => ({ ...field, isMore: true }));
}

/** The texts of fields, by field name. */
export type Texts = Readonly<Record<string, string>>;

/** A text is not a valid value of its field. */
export class FieldError extends Error {}

interface Codec {
  /** Throws `FieldError`. Not called for an empty text, which omits the member. */
  readonly parse: (typed: string) => unknown;
  /** Undefined for a value that the field cannot show. */
  readonly print: (value: unknown) => string | undefined;
}

const text: Codec = {
  parse: (typed) => typed,
  print: (value) => (typeof value === 'string' && !/[\n\r]/.test(value) ? value : undefined),
};

const json: Codec = { parse: parseJson, print: (value) => JSON.stringify(value, undefined, 2) };

const codecs = {
  text,
  secret: text,
  url: text,
  choice: text,
  radio: text,
  lines: { ...text, print: (value) => (typeof value === 'string' ? value : undefined) },
  // Keeps every digit of a number. The mock validates it.
  number: {
    parse(typed) {
      const value = parseNumber(typed.trim());
      if (value === undefined) throw new FieldError('Enter a number.');
      return value;
    },
    print(value) {
      const printed = JSON.stringify(value);
      return typeof value === 'string' || parseNumber(printed) === undefined ? undefined : printed;
    },
  },
  value: { parse: parseJson, print: (value) => JSON.stringify(value) },
  check: { parse: () => true, print: (value) => (value === true ? 'true' : undefined) },
  json,
  /** JSON if it parses, else text. */
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
} satisfies Record<string, Codec>;

export type FieldKind = keyof typeof codecs;

/** The value of a field; undefined if empty. Throws `FieldError`. */
export function parseField(field: Field, typed: string): unknown {
  const { kind = 'text', label, isRequired = false, pattern } = field;
  if (typed.trim() === '') {
    if (isRequired) throw new FieldError(`${label} is required.`);
    return undefined;
  }
  if (pattern?.[0].test(typed) === false) throw new FieldError(pattern[1]);
  return codecs[kind].parse(typed);
}

/** The text of a field for a value; undefined if the field could not return it unchanged. */
export function printField({ kind = 'text', options }: Field, value: unknown): string | undefined {
  const codec: Codec = codecs[kind];
  const printed = codec.print(value);
  if (printed === undefined) return undefined;
  if (options?.every(([one]) => one !== printed) === true) return undefined;
  return JSON.stringify(codec.parse(printed)) === JSON.stringify(value) ? printed : undefined;
}

function parseJson(typed: string): unknown {
  try {
    return JSON.parse(typed, keepNumber);
  } catch (error) {
    throw new FieldError(`This is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

/** Query parameters as an object; repeated names become a list. */
export function parseQuery(typed: string): Record<string, string | string[]> {
  const query = new URLSearchParams(typed.trim().replace(/^\?/, ''));
  return Object.fromEntries([...query.keys()].map((name) => [name, unlist(query.getAll(name))]));
}

function printQuery(value: unknown): string | undefined {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(Object(value)))
    for (const one of [values].flat()) query.append(name, textOf(one));
  return query.toString();
}

/** Headers, one per line. A name without a colon becomes null, which removes the header. */
function parseHeaders(typed: string): Record<string, string | string[] | null> {
  const fields = new Map<string, string[] | null>();
  for (const line of typed.split('\n')) {
    if (line.trim() === '') continue;
    const [, name = '', rest] = /^\s*([^:\s]+)\s*(?::(.*))?$/.exec(line) ?? [];
    if (name === '') throw new FieldError('Enter one header per line, such as X-Trace: 7.');
    fields.set(name, rest === undefined ? null : [...(fields.get(name) ?? []), rest.trim()]);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values && unlist(values)]));
}

function printHeaders(value: unknown): string | undefined {
  return Object.entries(Object(value))
    .flatMap(([name, values]) =>
      values === null ? [name] : [values].flat().map((one) => `${name}: ${textOf(one)}`),
    )
    .join('\n');
}

function unlist([first = '', ...others]: readonly string[]): string | string[] {
  return others.length === 0 ? first : [first, ...others];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
