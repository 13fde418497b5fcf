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

/** A field for a number; the placeholder is what happens without one. */
export function number(name: string, label: string, placeholder: string, hint?: string): Field {
  return { name, label, kind: 'number', placeholder, hint };
}

/** A field for one of some values. */
export function choice(name: string, label: string, options: readonly Option[]): Field {
  return { name, label, kind: 'choice', options };
}

/** Fields that are folded, as they are seldom used. */
export function more(...fields: readonly Field[]): readonly Field[] {
  return fields.map((field) => ({ ...field, isMore: true }));
}

/** What is in the fields of a form, by their names. */
export type Texts = Readonly<Record<string, string>>;

/** Why a text is not a value of its field. */
export class FieldError extends Error {}

interface Codec {
  /** Throws `FieldError`. Never called for an empty text, which leaves the member out. */
  readonly parse: (typed: string) => unknown;
  /** Undefined for a value that the field cannot show. */
  readonly print: (value: unknown) => string | undefined;
}

const text: Codec = {
  parse: (typed) => typed,
  print: (value) => (typeof value === 'string' && !/[\n\r]/.test(value) ? value : undefined),
};

const codecs = {
  text,
  secret: text,
  url: text,
  choice: text,
  radio: text,
  lines: { ...text, print: (value) => (typeof value === 'string' ? value : undefined) },
  // A number in every digit. The mock checks whether it is one that it accepts.
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
  json: { parse: parseJson, print: (value) => JSON.stringify(value, undefined, 2) },
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

/** The value of a field; undefined for none. Throws `FieldError`. */
export function parseField(field: Field, typed: string): unknown {
  const { kind = 'text', label, isRequired = false, pattern } = field;
  if (typed.trim() === '') {
    if (isRequired) throw new FieldError(`${label} is required.`);
    return undefined;
  }
  if (pattern?.[0].test(typed) === false) throw new FieldError(pattern[1]);
  return codecs[kind].parse(typed);
}

/** The text of a field for a value; undefined for one that it cannot show and give back as it is. */
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
