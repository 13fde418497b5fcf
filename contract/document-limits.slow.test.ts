import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  documentOf,
  ok,
  referTo,
  schemaDocument,
  times,
} from '../test/contract/compose-document.ts';
import type { JsonValue } from './json/value.ts';
import type { Contract } from './contract.ts';
import { loadContract } from './load.ts';
import { sampleSchema } from './sample/sample.ts';
import { maxSampleHeader, maxSampleItems, maxSampleText } from './limits/index.ts';
import { maxCheckSteps, maxImpossible } from './sample/sample-check.ts';
import { maxSampleMembers } from './sample/sample.ts';
import { maxJudgementSteps } from './schema/keyword/judging.ts';
import { maxDiagnosticText, maxDiagnostics } from './source/diagnostic.ts';
import { maxMediaTypes, maxResponseTypes } from './repair/swagger.ts';
import { maxEntries } from './repair/walk.ts';
import { maxBytes, maxLevels, maxMembers, maxNameText, maxValues } from './source/tree.ts';

const options = { validate: true };

const load = (document: object) => loadContract({ text: JSON.stringify(document) }, options);

/** The errors and warnings of a document, as pointer and message. */
async function messages(document: object): Promise<readonly string[]> {
  const { diagnostics, operations } = await load(document);
  expect(operations.map(({ path }) => path)).toContain('/good');
  return diagnostics.map(({ pointer, message }) => `${pointer} ${message}`);
}

const nested = (levels: number): unknown =>
  times(levels, (at) => at).reduce<unknown>((inner) => [inner], []);

const schemaAt = '#/paths/~1hostile/get/responses/200/content/application~1json/schema';

test('a file of maxBytes is read, and a larger one is rejected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(documentOf({})).padEnd(1_000_000));
  expect((await loadContract({ file }, options)).operations).toHaveLength(1);
  truncateSync(file, maxBytes + 1);
  await expect(loadContract({ file }, options)).rejects.toThrow(
    'the file has 33554433 bytes, at most 33554432 are read',
  );
});

test('a document that is nested deeper than maxLevels is refused', async () => {
  const most = maxLevels;
  // The document itself is a level, and the innermost list is empty.
  expect(await messages(documentOf({}, { 'x-deep': nested(most - 2) }))).toEqual([]);
  const message = 'nested more than 500 levels deep';
  await expect(load(documentOf({}, { 'x-deep': nested(most + 2) }))).rejects.toThrow(message);
  const yaml = `openapi: 3.1.0\npaths: {}\nx-deep: ${'['.repeat(most + 20)}1${']'.repeat(most + 20)}\n`;
  await expect(loadContract({ text: yaml }, options)).rejects.toThrow('at most 500 levels');
});

test('a document with a name that is too long, or with values below too many long names, is rejected', async () => {
  const long = 'n'.repeat(maxNameText);
  expect(await messages(documentOf({}, { 'x-a': { [long]: 1 } }))).toEqual([]);
  await expect(load(documentOf({}, { 'x-a': { [`${long}n`]: 1 } }))).rejects.toThrow(
    `the name ${'n'.repeat(40)}… has 1001 characters, at most 1000 are read`,
  );
  const below = times(6, (at) => at).reduce<object>((inner) => ({ [long]: inner }), { a: 1 });
  await expect(load(documentOf({}, { 'x-a': below }))).rejects.toThrow(
    'the names around a value have more than 5000 characters',
  );
});

test('the files of a document have no more than maxValues values', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const list = { type: 'integer', enum: times(maxMembers - 5, (at) => at) };
  for (const at of times(12, (one) => one))
    writeFileSync(join(folder, `f${at}.json`), JSON.stringify(list));
  const properties = Object.fromEntries(times(12, (at) => [`p${at}`, { $ref: `f${at}.json` }]));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(schemaDocument({ type: 'object', properties })));
  const { diagnostics } = await loadContract({ file }, options);
  const refused = diagnostics.filter(({ message }) => message.includes('more than 1000000 values'));
  expect(refused.map((one) => one.file)).toEqual(['f10.json', 'f11.json']);
});

test('a document of more than maxValues is refused', async () => {
  const text = (count: number): string =>
    `openapi: 3.1.0\npaths: {}\nx-a: &a [${'x,'.repeat(2_000)}]\nx-b: [${'*a,'.repeat(count / 2_000)}]\n`;
  const most = maxValues;
  await expect(loadContract({ text: text(most / 2) }, options)).resolves.toBeDefined();
  await expect(loadContract({ text: text(most) }, options)).rejects.toThrow('more than 1000000');
  await expect(
    load(documentOf({}, { 'x-a': times(11, () => times(most / 10, () => 1)) })),
  ).rejects.toThrow('the document has more than 1000000 values');
});

test('with aliases resolved, the strings of a document have at most maxBytes', async () => {
  const text = (count: number): string =>
    `openapi: 3.1.0\npaths: {}\nx-a: &a "${'x'.repeat(2 ** 20)}"\nx-b: [${'*a,'.repeat(count)}]\n`;
  const most = maxBytes / 2 ** 20;
  await expect(loadContract({ text: text(most - 2) }, options)).resolves.toBeDefined();
  await expect(loadContract({ text: text(most) }, options)).rejects.toThrow(
    'the document has more than 33554432 characters',
  );
});

test('a list or an object has at most maxMembers', async () => {
  const most = maxMembers;
  const values = (count: number): object =>
    schemaDocument({ type: 'string', enum: times(count, (at) => `v${at}`) });
  expect(await messages(values(most))).toEqual([]);
  await expect(load(values(most + 1))).rejects.toThrow(
    'a value has 100001 items, at most 100000 are read',
  );
});

test('at most maxDiagnostics are listed, and a last line says that there may be more', async () => {
  const most = maxDiagnostics;
  const unknown = (count: number): object =>
    documentOf({}, Object.fromEntries(times(count, (at) => [`unknown${at}`, 1])));
  expect(await messages(unknown(most))).toHaveLength(most);
  const all = await messages(unknown(most + 7));
  expect(all).toHaveLength(most + 1);
  expect(all.at(-1)).toBe('# there may be more problems: at most 2000 are listed');
});

test('reported diagnostics have at most maxDiagnosticText characters', async () => {
  const long = 'x'.repeat(maxNameText);
  const unknown = (count: number): object => {
    const wrong = times(count, (at) => [`p${at}`, { type: 'int' }] as const);
    const below = times(4, (at) => at).reduce<object>(
      (properties) => ({ [long]: { properties } }),
      Object.fromEntries(wrong),
    );
    return documentOf({}, { components: { schemas: { S: { properties: below } } } });
  };
  const length = 4 * maxNameText;
  expect(await messages(unknown(400))).toHaveLength(400);
  const all = await messages(unknown(1_000));
  expect(all.length).toBeLessThan(maxDiagnosticText / length + 1);
  expect(all.at(-1)).toBe('# there may be more problems: at most 2097152 characters are listed');
});

test('a union and patternProperties may be wide', async () => {
  const union = await load(schemaDocument({ oneOf: times(maxEntries, (at) => ({ const: at })) }));
  const patternProperties = Object.fromEntries(times(maxEntries, (at) => [`^p${at}$`, {}]));
  const closed = { type: 'object', patternProperties, additionalProperties: false };
  const patterns = await load(schemaDocument(closed));
  const judge = ({ operations }: typeof union, value: JsonValue) =>
    operations[1]?.responses[0]?.content[0]?.schema?.validate(value).length;
  expect([judge(union, 999), judge(union, 1_000)]).toEqual([0, 1]);
  expect([judge(patterns, { p999: 1 }), judge(patterns, { p1000: 1 })]).toEqual([0, 1]);
});

test('a schema with more than maxEntries members in a keyword accepts any value', async () => {
  const wide = (count: number): object => ({
    type: 'object',
    properties: Object.fromEntries(times(count, (at) => [`p${at}`, { type: 'string' }])),
    additionalProperties: false,
  });
  const narrow = await load(schemaDocument(wide(maxEntries)));
  expect(narrow.diagnostics).toEqual([]);
  expect(schemaOf(narrow)?.validate({ other: 1 })).toHaveLength(1);
  const contract = await load(schemaDocument(wide(maxEntries + 1)));
  expect(contract.diagnostics[0]).toMatchObject({
    level: 'error',
    message: 'has 1001 members, and at most 1000 are read',
    fix: 'Divide it; until then any value is accepted.',
  });
  expect(schemaOf(contract)?.validate({ other: 1 })).toEqual([]);
});

test('of other lists and maps, the first maxEntries are read, and of components all', async () => {
  const count = maxEntries + 1;
  const parameters = times(count, (at) => ({ name: `q${at}`, in: 'query', schema: {} }));
  const headers = Object.fromEntries(times(count, (at) => [`X-${at}`, { schema: {} }]));
  const schemas = Object.fromEntries(times(count, (at) => [`S${at}`, { type: 'string' }]));
  const responses = { 200: { description: 'Fine.', headers } };
  const { diagnostics, operations, document } = await load(
    documentOf({ '/wide': { get: { parameters, responses } } }, { components: { schemas } }),
  );
  expect(diagnostics.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
    '#/paths/~1wide/get/parameters has 1001 members, and at most 1000 are read',
    '#/paths/~1wide/get/responses/200/headers has 1001 members, and at most 1000 are read',
  ]);
  const wide = operations.find(({ path }) => path === '/wide');
  expect(wide?.parameters).toHaveLength(maxEntries);
  expect(wide?.responses[0]?.headers).toHaveLength(maxEntries);
  expect(document).toHaveProperty(['components', 'schemas', `S${maxEntries}`]);
});

/** Schemas that lead to `S0` in two ways each. */
const doubling = (most: number, S0: object) =>
  Object.fromEntries(
    times(most + 1, (at) => {
      const below = referTo(`S${at - 1}`);
      return [`S${at}`, at === 0 ? S0 : { allOf: [below, below] }];
    }),
  );

const schemaOf = ({ operations }: Contract) => operations[1]?.responses[0]?.content[0]?.schema;

test('a value is judged once by a schema, in however many ways that is led to', async () => {
  const whole = await load(schemaDocument(referTo('S30'), doubling(30, { type: 'integer' })));
  const judge = (value: JsonValue) => schemaOf(whole)?.judge(value);
  expect(judge(1)).toMatchObject({ issues: [], undecided: undefined });
  expect(judge('a')?.issues).toMatchObject([
    { at: '', message: 'must be an integer, not the string "a"' },
  ]);
  const self = referTo('A');
  const A = {
    type: 'object',
    properties: { a: self, b: { type: 'string' } },
    patternProperties: { '^a': { anyOf: [self, { type: 'null' }] } },
    additionalProperties: false,
  };
  const tree = schemaOf(await load(schemaDocument(self, { A })));
  const deep = (levels: number, inner: JsonValue): JsonValue =>
    times(levels, (at) => at).reduce<JsonValue>((below) => ({ a: below }), inner);
  expect(tree?.judge(deep(40, {}))).toMatchObject({ issues: [], undecided: undefined });
  const found = tree?.judge(deep(40, { b: 1 })).issues ?? [];
  expect(found[0]).toMatchObject({
    at: `${'/a'.repeat(40)}/b`,
    message: 'must be a string, not 1',
  });
  const above = times(40, (at) => '/a'.repeat(at + 1)).toReversed();
  expect(found.map(({ at }) => at)).toEqual([`${above[0]}/b`, ...above]);
});

test('a value that takes more than maxJudgementSteps is not judged', async () => {
  // What schemas evaluate is collected in each of the ways.
  const B = { allOf: [referTo('S30')], unevaluatedProperties: false };
  const A = {
    dependentSchemas: { b: B },
    properties: { a: {}, b: {} },
    additionalProperties: false,
  };
  const schemas = { A, ...doubling(30, { properties: { b: {} } }) };
  const contract = await load(schemaDocument(referTo('A'), schemas));
  const judge = (value: JsonValue) => schemaOf(contract)?.validate(value);
  expect(judge({ a: 1 })).toEqual([]);
  // Whether it fits is not known: neither a valid value is refused nor another one.
  expect(judge({ b: 1 })).toEqual([]);
  expect(judge({ b: 1, c: 1 })).toEqual([]);
  expect(judge({ c: 1 })).not.toEqual([]);
  expect(contract.diagnostics.map(({ message }) => message)).toEqual([
    `takes more than ${maxJudgementSteps} steps to be judged: its references lead to one value in many ways`,
  ]);
  // A long list is not a deep one: it may take as many steps as it has values.
  const list = await load(
    schemaDocument(
      { type: 'array', items: referTo('B') },
      { B: { $ref: '#/components/schemas/C' }, C: { properties: { b: referTo('B') } } },
    ),
  );
  expect(schemaOf(list)?.validate(times(10 * maxJudgementSteps, () => ({})))).toEqual([]);
});

test('at most maxImpossible schemas without a valid value are reported', async () => {
  const impossible = (count: number): object => {
    const paths = times(count, (at): [string, object] => {
      const schema = { type: 'string', minLength: 2, maxLength: 9, enum: ['a'], title: `${at}` };
      return [`/p${at}`, { get: { responses: ok(schema) } }];
    });
    return documentOf(Object.fromEntries(paths));
  };
  expect(await messages(impossible(maxImpossible - 1))).toHaveLength(maxImpossible - 1);
  const all = await messages(impossible(maxImpossible + 5));
  expect(all).toHaveLength(maxImpossible + 1);
  expect(all.at(-1)).toBe(
    `# for ${maxImpossible} schemas no value was found; the responses after them were not checked`,
  );
});

test('the search for schemas without a valid value takes at most maxCheckSteps', async () => {
  const wide = (count: number): object => {
    const names = times(800, (at) => `p${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
    const A = { type: 'object', required: names, properties };
    const paths = times(count, (at): [string, object] => [
      `/p${at}`,
      { get: { responses: ok({ ...A, title: `${at}` }) } },
    ]);
    return documentOf(Object.fromEntries(paths));
  };
  expect(await messages(wide(20))).toEqual([]);
  const all = await messages(wide(400));
  expect(all).toHaveLength(1);
  expect(all[0]).toMatch(
    new RegExp(
      String.raw`^#/paths/~1p\d+/\S+ samples of its responses take more than ${maxCheckSteps} steps; from this one on they were not checked$`,
    ),
  );
});

test('media type lists of a Swagger document have at most maxMediaTypes', async () => {
  const produces = times(maxMediaTypes + 1, (at) => `application/x${at}+json`);
  const responses = { 200: { description: 'Fine.', schema: { type: 'string' } } };
  const { diagnostics, operations } = await load({
    swagger: '2.0',
    info: { title: 'a', version: '1' },
    produces,
    paths: { '/a': { get: { responses } } },
  });
  expect(operations[0]?.responses[0]?.content).toHaveLength(maxMediaTypes);
  expect(diagnostics.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
    `#/produces lists ${maxMediaTypes + 1} media types, and only the first ${maxMediaTypes} are read`,
  ]);
});

test('responses of a Swagger document have maxResponseTypes media types together, then one each', async () => {
  const produces = times(maxMediaTypes, (at) => `application/x${at}+json`);
  const count = maxResponseTypes / maxMediaTypes + 2;
  const response = { description: 'Fine.', schema: { type: 'string' } };
  const responses = (at: number) => ({
    responses: { 200: response, 201: response },
    operationId: `o${at}`,
  });
  const paths = Object.fromEntries(times(count / 2, (at) => [`/p${at}`, { get: responses(at) }]));
  const { diagnostics, operations } = await load({
    swagger: '2.0',
    info: { title: 'a', version: '1' },
    produces,
    paths,
  });
  expect(operations.at(-1)?.responses.map(({ content }) => content.length)).toEqual([20, 1]);
  expect(diagnostics.map(({ code }) => code)).toEqual(['too-large']);
});

test('a sample has at most maxSampleItems and strings of maxSampleText', async () => {
  const items = (minItems: number): object => schemaDocument({ type: 'array', minItems });
  const text = (minLength: number): object => schemaDocument({ type: 'string', minLength });
  expect(await messages(items(maxSampleItems))).toEqual([]);
  expect(await messages(text(maxSampleText))).toEqual([]);
  expect(await messages(items(maxSampleItems + 1))).toContain(
    `${schemaAt} no value was found that fits it: the value must have at least 1001 items`,
  );
  expect(await messages(text(maxSampleText + 1))).toContain(
    `${schemaAt} no value was found that fits it: the value must have at least 1048577 characters`,
  );
});

test('the total length of the strings in a sample is bounded', async () => {
  const count = 50;
  const properties = Object.fromEntries(
    times(count, (at) => [`p${at}`, { type: 'string', minLength: maxSampleText }]),
  );
  const texts = { type: 'object', required: Object.keys(properties), properties };
  expect(await messages(schemaDocument(texts))).toContainEqual(
    expect.stringMatching(/no value was found that fits it: \/p\d+ must have at least 1048576/),
  );
  const { operations } = await load(schemaDocument(texts));
  const schema = operations[1]?.responses[0]?.content[0]?.schema;
  const sample = schema && sampleSchema(schema, { direction: 'response' });
  expect(JSON.stringify(sample?.value).length).toBeLessThan((count / 5) * maxSampleText);
});

test('a sample has all required members and at most maxSampleMembers others', async () => {
  const most = maxSampleMembers;
  const part = (names: readonly string[]): object => ({
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names.filter((name) => name.startsWith('r')),
  });
  const members = (optional: number): object => ({
    type: 'object',
    allOf: [
      ...times(optional / most, (index) => part(times(most, (at) => `p${index}-${at}`))),
      ...times(2, (index) => part(times(most, (at) => `r${index}-${at}`))),
    ],
  });
  expect(await messages(schemaDocument(members(most)))).toEqual([]);
  const { operations } = await load(schemaDocument(members(10 * most)));
  const schema = operations[1]?.responses[0]?.content[0]?.schema;
  const sample = schema && sampleSchema(schema, { direction: 'response' });
  expect(sample?.issues).toEqual([]);
  expect(Object.keys(sample?.value ?? {})).toHaveLength(3 * most);
});

test('parameters and headers beyond maxSampleHeader and maxSampleText are reported', async () => {
  const sizes = (header: number, parameter: number, minItems: number): object => {
    const response = {
      description: 'Fine.',
      headers: { A: { schema: { type: 'string', minLength: header } } },
    };
    const list = { type: 'array', minItems, items: { type: 'string' } };
    const parameters = [
      { name: 'a', in: 'query', schema: { type: 'string', minLength: parameter } },
      { name: 'b', in: 'query', schema: list },
    ];
    return documentOf({ '/sizes': { get: { parameters, responses: { 200: response } } } });
  };
  expect(await messages(sizes(maxSampleHeader, maxSampleText, maxSampleItems))).toEqual([]);
  expect(await messages(sizes(maxSampleHeader + 1, maxSampleText + 1, maxSampleItems + 1))).toEqual(
    [
      '#/paths/~1sizes/get/parameters/0/schema its values have at least 1048577 characters, at most 1048576 are made',
      '#/paths/~1sizes/get/parameters/1/schema its values have at least 1001 items, at most 1000 are made',
      '#/paths/~1sizes/get/responses/200/headers/A/schema its values have at least 8193 characters, at most 8192 are made',
    ],
  );
});
