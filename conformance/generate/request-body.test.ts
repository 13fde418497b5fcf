import { expect, test } from 'vitest';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { plainRequestBody } from './request-body.ts';

/** The plain bodies of an operation that accepts a form, described by lines of YAML. */
async function formsOf(...lines: readonly string[]): Promise<readonly (string | undefined)[]> {
  const { operations } = await loadYaml(`paths:
  /people:
    post:
      requestBody:
        content:
          application/x-www-form-urlencoded:
            ${lines.join('\n            ')}
      responses: { '200': { description: Added. } }
`);
  return operations.map((operation) => plainRequestBody(operation)?.body);
}

test.for([
  ['deepObject', 'name=Ann&address%5Bcity%5D=Ulm&address%5Bplace%5D%5Bhouse%5D=4'],
  ['form', 'name=Ann&address=%7B%22city%22%3A%22Ulm%22%2C%22place%22%3A%7B%22house%22%3A4%7D%7D'],
] as const)('a form writes objects of style %s as %s', async ([style, body]) => {
  const forms = await formsOf(
    'schema: { type: object, properties: { name: { type: string }, address: { type: object } } }',
    'example: { name: Ann, address: { city: Ulm, place: { house: 4 } } }',
    `encoding: { address: { style: ${style}, explode: true } }`,
  );
  expect(forms).toEqual([body]);
});

test.for([
  ['items: { type: string, enum: [red] }', 'tags=red'],
  ['description: Items of any kind.', 'tags=text'],
  ['items: { type: object, properties: { id: { type: integer } } }', 'tags=%7B%7D'],
])('a required list in a form is sent with an item: %s', async ([items, body]) => {
  const tags = `tags: { type: array, ${items} }`;
  const forms = await formsOf(
    `schema: { type: object, required: [tags], properties: { ${tags}, more: { type: array, items: {} } } }`,
    'example: { tags: [], more: [] }',
  );
  expect(forms).toEqual([body]);
});
