import { expect, test } from 'vitest';
import { judgeDocument, loadYaml } from '../../test/conformance/judge-document.ts';
import { rerunDifferences } from '../../test/conformance/log-run.ts';

/** A document whose operation `addDog` takes such a body, beside one that can be asked. */
const load = (body: string, further = '') =>
  loadYaml(`
paths:
  /cats:
    get:
      operationId: listCats
      responses: { '200': { description: Cats. } }
  /dogs:
    post:
      operationId: addDog
      requestBody: { required: true, content: { application/json: { schema: ${body} } } }
      responses: { '201': { description: The dog. }, '400': { description: Refused. } }
${further}
components:
  schemas:
    Animal:
      type: object
      required: [kind]
      properties: { kind: { type: string } }
      discriminator: { propertyName: kind, mapping: { dog: '#/components/schemas/Dog' } }
    Dog:
      allOf:
        - $ref: '#/components/schemas/Animal'
        - { type: object, properties: { kind: { const: dog }, bark: { type: string } } }
    Endless: { type: object, required: [next], properties: { next: { $ref: '#/components/schemas/Endless' } } }
`);

test.each([
  ['of which nothing is allowed', 'false'],
  ['of a type that it forbids', '{ type: integer, not: { type: number } }'],
  [
    'that inherits a contradiction',
    "{ allOf: [{ $ref: '#/components/schemas/Dog' }, { properties: { kind: { const: cat } } }] }",
  ],
])('a body %s leaves an operation without a valid request: inconclusive', async (_what, body) => {
  const contract = await load(body);
  const report = await judgeDocument(contract);
  expect(
    report.exchanges.filter(
      ({ request, intent }) => request.operation === 'addDog' && intent.kind === 'valid',
    ),
  ).toEqual([]);
  expect(report).toMatchObject({
    outcome: 'inconclusive',
    inconclusive: expect.stringContaining('addDog was never called: '),
    unserved: [expect.objectContaining({ operation: 'addDog' })],
  });
  expect(await rerunDifferences(contract, report)).toEqual([]);
  expect(await judgeDocument(contract, { skip: ['addDog'] })).toMatchObject({
    outcome: 'conforms',
  });
  expect(await judgeDocument(contract, { readOnly: true })).toMatchObject({ outcome: 'conforms' });
});

test.each([
  ['with inheritance', "{ $ref: '#/components/schemas/Dog' }"],
  ['of a base with a discriminator', "{ $ref: '#/components/schemas/Animal' }"],
  ['that never ends, with an end', "{ $ref: '#/components/schemas/Endless' }"],
  ['of any value', '{}'],
])('a body %s is sent', async (_what, body) => {
  const report = await judgeDocument(await load(body));
  expect(report).toMatchObject({ outcome: 'conforms', unserved: [] });
  expect(report.exchanges.some(({ request }) => request.operation === 'addDog')).toBe(true);
});

test('an operation that changes items is called only if the run may: else inconclusive', async () => {
  const contract = await load(
    '{}',
    `
  /birds/{id}:
    delete:
      operationId: removeBird
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '204': { description: Gone. }, '404': { description: None. } }
`,
  );
  const report = await judgeDocument(contract, { disposable: false });
  expect(report).toMatchObject({
    outcome: 'inconclusive',
    inconclusive: expect.stringContaining('removeBird was never called: '),
  });
});

test('a required parameter without a valid value leaves its operation without a valid request', async () => {
  const contract = await load(
    '{}',
    `
  /birds:
    get:
      operationId: listBirds
      parameters: [{ name: day, in: query, required: true, schema: { type: string, pattern: '^[0-9]{8}$', not: { type: string } } }]
      responses: { '200': { description: Birds. }, '400': { description: Refused. } }`,
  );
  const report = await judgeDocument(contract);
  expect(report).toMatchObject({
    outcome: 'inconclusive',
    inconclusive: expect.stringContaining('the query parameter day has no valid value'),
  });
});
