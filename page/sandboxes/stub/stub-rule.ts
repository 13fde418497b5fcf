import type { StubRule } from '../../session/types.ts';
import { keepNumber } from '../items/exact-json.ts';

/** A rule, or the field that is wrong and why. */
export type StubResult =
  | { readonly rule: StubRule }
  | { readonly field: string; readonly message: string };

/** What the whole numbers of the form may be, and what they are called there. */
const wholes = {
  status: ['The status', 200, 599],
  times: ['The number of requests', 1, Number.MAX_SAFE_INTEGER],
  delay: ['The delay', 0, 600_000],
} as const;

/** The stub that a form asks for. An empty field says nothing; bounds are those of the mock. */
export function readStub(fields: ReadonlyMap<string, string>): StubResult {
  const text = (name: string): string => fields.get(name) ?? '';
  const numbers: { -readonly [Name in keyof typeof wholes]?: number } = {};
  for (const name of ['status', 'times', 'delay'] as const) {
    const [label, least, most] = wholes[name];
    const number = /^\d{1,15}$/.test(text(name)) ? Number(text(name)) : Number.NaN;
    if (text(name) === '') continue;
    if (!(number >= least && number <= most))
      return { field: name, message: `${label} is a whole number ${renderBounds(least, most)}.` };
    numbers[name] = number;
  }
  if (text('path') !== '' && !/^\/[^?#]*$/.test(text('path')))
    return { field: 'path', message: 'The path starts with a slash; the query has its own field.' };
  const contains = parseJson(text('sent'));
  if (text('sent') !== '' && contains === undefined)
    return { field: 'sent', message: 'What the body has is JSON, such as {"name":"Tom"}.' };
  const headers = readHeaders(text('headers'));
  if (headers === undefined)
    return {
      field: 'headers',
      message: 'Each line of the headers is a name, a colon and a value.',
    };
  const { status, times, delay } = numbers;
  const request = {
    ...(text('operation') !== '' && { operation: text('operation') }),
    ...(text('path') !== '' && { path: text('path') }),
    ...(text('query') !== '' && { query: readQuery(text('query')) }),
    ...(contains !== undefined && { body: { contains: contains.value } }),
  };
  const rule: StubRule = {
    ...(text('label') !== '' && { name: text('label') }),
    request,
    response: {
      ...(status !== undefined && { status }),
      ...(delay !== undefined && { delay }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...readBody(text('body'), text('example')),
    },
    ...(times !== undefined && { times }),
  };
  return { rule };
}

function renderBounds(least: number, most: number): string {
  return most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
}

/** JSON where it is JSON, else the text. */
function readBody(body: string, example: string): NonNullable<StubRule['response']> {
  if (body === '') return example === '' ? {} : { example };
  const json = parseJson(body);
  return json === undefined ? { text: body } : { body: json.value };
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text, keepNumber) };
  } catch {
    return undefined;
  }
}

/** Values by name; a name that occurs again has a list. */
function readQuery(text: string): Record<string, string | string[]> {
  const pairs = [...new URLSearchParams(text)];
  return Object.fromEntries(
    pairs.map(([name]) => {
      const values = pairs.flatMap(([one, value]) => (one === name ? [value] : []));
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

/** Undefined where a line is no header. */
function readHeaders(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^([^:\s]+):(.*)$/.exec(line.trim()));
  if (pairs.includes(null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', (pair?.[2] ?? '').trim()]));
}
