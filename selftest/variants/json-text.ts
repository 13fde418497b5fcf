import type { Parts } from '../service/behaviour.ts';
import { type Json, isRecord, renderJson } from '../service/json.ts';
import { type Variant, listVariants } from '../subject/variant.ts';

const grammar =
  'RFC 8259: white space between tokens, escapes in strings and the order of members carry no meaning.';
const numbers =
  'JSON Schema 2020-12 section 4.2.3 and RFC 8259 section 6: 1, 1.0 and 1e0 are one and the same integer.';

/** How the parts of a JSON text are written. */
interface Pen {
  readonly integer: (value: bigint) => string;
  readonly text: (value: string) => string;
  readonly space: (depth: number) => string;
  readonly names: (names: readonly string[]) => readonly string[];
}

const plainPen: Pen = {
  integer: String,
  text: (value) => JSON.stringify(value),
  space: () => '',
  names: (names) => names,
};

function write(value: Json, pen: Pen, depth = 0): string {
  if (typeof value === 'bigint') return pen.integer(value);
  if (typeof value === 'string') return pen.text(value);
  const inner = pen.space(depth + 1);
  const list = (items: readonly string[]): string =>
    items.length === 0 ? '' : `${inner}${items.join(`,${inner}`)}${pen.space(depth)}`;
  if (Array.isArray(value))
    return `[${list(value.map((item: Json) => write(item, pen, depth + 1)))}]`;
  if (!isRecord(value)) return renderJson(value);
  const choice = inner === '' ? '' : ' ';
  return `{${list(pen.names(Object.keys(value)).map((name) => `${pen.text(name)}${choice}:${choice}${write(value[name] ?? null, pen, depth + 1)}`))}}`;
}

const writeWith = (pen: Partial<Pen>): Parts => ({
  serialise: (body) => write(body, { ...plainPen, ...pen }),
});

function escapeUnits(text: string, isEscaped: (unit: number) => boolean): string {
  const escape = (unit: string): string =>
    isEscaped(unit.charCodeAt(0)) ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : unit;
  return text.split('').map(escape).join('');
}

const escapeEverything = (value: string): string => `"${escapeUnits(value, () => true)}"`;
const escapeForeign = (value: string): string =>
  escapeUnits(JSON.stringify(value), (unit) => unit > 126);

/** JSON texts that say the same in other characters. */
export const jsonTextVariants: readonly Variant[] = [
  ...listVariants('json', grammar, writeWith, {
    pretty: ['Bodies are pretty-printed.', { space: (depth) => `\n${'  '.repeat(depth)}` }],
    'carriage-returns': [
      'Bodies are pretty-printed with CR, LF and tabs.',
      { space: (depth) => `\r\n${'\t'.repeat(depth)}` },
    ],
  }),
  {
    id: 'json-white-space-around',
    summary: 'White space stands before and after each body.',
    valid: grammar,
    behaviour: () => ({ serialise: (body) => ` \n\t${renderJson(body)}\r\n\n` }),
  },
  ...listVariants('json', grammar, writeWith, {
    escaped: ['Every character beyond ASCII is written as an escape.', { text: escapeForeign }],
    'escaped-upper-case': [
      'Escapes have capitals as digits, and the solidus is escaped.',
      {
        text: (value) =>
          escapeForeign(value)
            .replaceAll(/\\u[0-9a-f]{4}/g, (escape) => `\\u${escape.slice(2).toUpperCase()}`)
            .replaceAll('/', '\\/'),
      },
    ],
    'all-escaped': [
      'Every character is written as an escape, also in the names of members.',
      { text: escapeEverything },
    ],
    'point-zero': [
      'Integers are written with a fraction, as 1.0.',
      { integer: (value) => `${value}.0` },
      numbers,
    ],
    exponent: [
      'Integers are written with an exponent, as 1e0.',
      { integer: (value) => `${value}e0` },
      numbers,
    ],
    'shifted-exponent': [
      'Integers are written with a point and an exponent, as 12.0E+0 or 1200e-2.',
      { integer: (value) => (value % 2n === 0n ? `${value}.0E+0` : `${value}00e-2`) },
      numbers,
    ],
    'members-backwards': [
      'Members come in the opposite order.',
      { names: (names) => names.toReversed() },
    ],
    'members-sorted': ['Members are sorted by name.', { names: (names) => names.toSorted() }],
  }),
];
