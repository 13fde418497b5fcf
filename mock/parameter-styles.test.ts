import { expect, test } from 'vitest';
import { type JsonValue, isJsonArray, isJsonObject, renderJson } from '../contract/json/value.ts';
import type { Operation } from '../contract/openapi/operation.ts';
import { loadContract } from '../contract/load.ts';
import { createRandom, type Random } from '../contract/sample/random.ts';
import { Choices } from './choice/choices.ts';
import { compileParameters } from './operation/request/input.ts';
import type { RequestHeaders } from './http/message.ts';
import { compileRouters } from './operation/router.ts';
import { Store } from './items/store/store.ts';
import { success } from './operation/response/outcome.ts';

interface Form {
  readonly in: string;
  readonly style: string;
  readonly explode: boolean;
}

/** The parts of a request that show the parameter `p`, by RFC 6570 and the OpenAPI table. */
function render({ in: place, style, explode }: Form, value: JsonValue): string {
  const code = place === 'header' ? String : encodeURIComponent;
  const text = (part: JsonValue | undefined): string =>
    code(typeof part === 'string' ? part : renderJson(part ?? null));
  const members = isJsonObject(value) ? Object.entries(value) : [];
  const pairs = members.map(([name, part]) => `${code(name)}=${text(part)}`);
  const turns = members.flatMap(([name, part]) => [code(name), text(part)]);
  const items = isJsonArray(value) ? value.map(text) : isJsonObject(value) ? turns : [text(value)];
  switch (style) {
    case 'simple':
      return (isJsonObject(value) && explode ? pairs : items).join(',');
    case 'label':
      return `.${(isJsonObject(value) && explode ? pairs : items).join(explode ? '.' : ',')}`;
    case 'matrix':
      if (!explode) return `;p=${items.join(',')}`;
      if (isJsonObject(value)) return `;${pairs.join(';')}`;
      return items.map((item) => `;p=${item}`).join('');
    case 'deepObject':
      return members
        .flatMap(([name, part]) =>
          (isJsonArray(part) ? part : [part]).map(
            (one) => `${encodeURIComponent(`p[${name}]`)}=${text(one)}`,
          ),
        )
        .join('&');
    default: {
      const glue = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '|' : ',';
      if (!explode) return `p=${items.join(glue)}`;
      if (isJsonObject(value)) return pairs.join(place === 'cookie' ? '; ' : '&');
      return items.map((item) => `p=${item}`).join(place === 'cookie' ? '; ' : '&');
    }
  }
}

async function compile(form: Form, schema: object): Promise<Operation> {
  const contract = await loadContract({
    text: JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Styles', version: '1' },
      paths: {
        [form.in === 'path' ? '/x/{p}/y' : '/x/y']: {
          get: {
            parameters: [{ name: 'p', required: true, schema, ...form }],
            responses: { 204: { description: 'Done.' } },
          },
        },
      },
    }),
  });
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('There is no operation.');
  contracts.set(operation, contract);
  return operation;
}

const contracts = new WeakMap<Operation, Awaited<ReturnType<typeof loadContract>>>();

/** The value that the mock reads; the refusal where it reads none. */
function read(operation: Operation, form: Form, text: string): unknown {
  const contract = contracts.get(operation);
  if (contract === undefined) throw new Error('There is no contract.');
  const choices = new Choices(contract, {});
  const readParameters = compileParameters(operation, choices);
  const headers: RequestHeaders =
    form.in === 'header' ? { p: text } : form.in === 'cookie' ? { cookie: `a=1; ${text}` } : {};
  const target =
    form.in === 'path' ? `/x/${text}/y` : form.in === 'query' ? `/x/y?${text}` : '/x/y';
  const router = compileRouters(choices, () => () => success(204, ''))(0);
  const { pathTexts, query } = router.find('GET', target);
  const request = { method: 'GET', target, headers, content: undefined };
  const values = readParameters({
    request,
    pathTexts,
    pathValues: pathTexts,
    query,
    sandbox: { store: new Store(), listCount: 0 },
    now: 0,
  });
  return values.kind === 'input' ? values.parameters.get(`${form.in} p`) : values.message;
}

const places = ['path', 'query', 'header', 'cookie'];
const stylesOf: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};
const forms: readonly Form[] = places.flatMap((place) =>
  (stylesOf[place] ?? []).flatMap((style) =>
    [true, false].map((explode) => ({ in: place, style, explode })),
  ),
);

const integer = { type: 'integer' };
const word = { type: 'string', minLength: 1 };
const object = {
  type: 'object',
  properties: { n: integer, text: word, flag: { type: 'boolean' } },
  additionalProperties: false,
};
const schemas: Readonly<Record<string, object>> = {
  integer,
  word,
  boolean: { type: 'boolean' },
  'integer or word': { oneOf: [integer, { type: 'string', pattern: '^[^0-9-]' }] },
  'array of integers': { type: 'array', items: integer },
  'array of words': { type: 'array', items: word },
  object,
};

/** Values of the schemas; texts in headers are plain, since nothing there is encoded. */
function draw(name: string, random: Random, isPlain: boolean): JsonValue {
  const letters = isPlain ? 'abcXYZ-' : 'abcXYZ-,.;=&|/? %é+#';
  const pick = (): string => letters[Math.floor(random() * letters.length)] ?? 'a';
  const drawWord = (): string => `w${pick()}${pick()}${pick()}`;
  const drawInteger = (): number => Math.floor(random() * 2000) - 1000;
  const count = 1 + Math.floor(random() * 4);
  switch (name) {
    case 'integer':
      return drawInteger();
    case 'boolean':
      return random() < 0.5;
    case 'integer or word':
      return random() < 0.5 ? drawInteger() : drawWord();
    case 'array of integers':
      return Array.from({ length: count }, drawInteger);
    case 'array of words':
      return Array.from({ length: count }, drawWord);
    case 'object':
      return { n: drawInteger(), text: drawWord(), flag: random() < 0.5 };
    default:
      return drawWord();
  }
}

/** What the table of styles leaves undefined. */
function isDefined({ in: place, style, explode }: Form, name: string): boolean {
  const isObject = name === 'object';
  const isArray = name.startsWith('array');
  if (style === 'deepObject') return isObject;
  if (style.endsWith('Delimited')) return !explode && (isArray || isObject);
  return !(place === 'cookie' && explode && isArray && name === 'array of words');
}

test.each(
  forms.flatMap((form) =>
    Object.keys(schemas)
      .filter((name) => isDefined(form, name))
      .map((name) => [form.in, form.style, form.explode, name, form] as const),
  ),
)('%s, %s, exploded %s: %s', async (_place, _style, _explode, name, form) => {
  const operation = await compile(form, schemas[name] ?? {});
  const random = createRandom(form.style.length * 31 + name.length);
  for (let round = 0; round < 25; round += 1) {
    // A label ends at a dot, and a space or a bar is not part of the values that it separates.
    const isPlain = form.in === 'header' || form.style === 'label' || /Delim/.test(form.style);
    const value = draw(name, random, isPlain);
    const text = render(form, value);
    expect([text, read(operation, form, text)]).toEqual([text, value]);
  }
});

const query: Form = { in: 'query', style: 'form', explode: true };
const listed: Form = { ...query, explode: false };
const deep: Form = { ...query, style: 'deepObject' };
const strings = { type: 'array', items: { type: 'string' } };

test.each<[Form, object, string, unknown]>([
  [listed, strings, 'p=', []],
  [listed, strings, 'p=a%2Cb', ['a,b']],
  [listed, { ...strings, items: integer }, 'p=1%2C2', [1, 2]],
  [{ ...listed, style: 'pipeDelimited' }, strings, 'p=a%7Cb', ['a', 'b']],
  [{ ...listed, style: 'spaceDelimited' }, strings, 'p=a+b', ['a', 'b']],
  [{ ...listed, style: 'tabDelimited' }, strings, 'p=a%09b', ['a', 'b']],
  [query, { type: 'object', properties: { a: integer } }, '', {}],
  [query, { type: 'object', properties: { a: strings } }, 'a=1&a=2', { a: ['1', '2'] }],
  [query, { type: 'object', additionalProperties: integer }, 'a=1&b=2', { a: 1, b: 2 }],
  [deep, { type: 'object', properties: { a: strings } }, 'p[a][0]=x&p[a][1]=y', { a: ['x', 'y'] }],
  [deep, { type: 'object', properties: { a: strings } }, 'p[a][]=x', { a: ['x'] }],
  [deep, { properties: { a: { properties: { b: integer } } } }, 'p[a][b]=1', { a: { b: 1 } }],
  [query, {}, 'p=5', 5],
  [query, {}, 'p=five', 'five'],
  [query, { enum: ['1', '2'] }, 'p=1', '1'],
  [query, { anyOf: [integer, strings] }, 'p=a&p=b', ['a', 'b']],
  [query, { oneOf: [object, { type: 'string', maxLength: 3 }] }, 'n=4', { n: 4 }],
  [query, object, 'p=%7B%22n%22%3A1%7D', { n: 1 }],
  [query, integer, 'p=1&p=2', 'p must be sent once (query parameter p)'],
])('%j of schema %j reads %s', async (form, schema, text, expected) => {
  expect(read(await compile(form, schema), form, text)).toEqual(expected);
});
