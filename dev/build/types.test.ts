import { describe, expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { loadContract } from '../../contract/load.ts';
import { renderApiTypes } from './types.ts';

/** The type of a schema as a response's body, on one line. */
const typeOf = async (schema: string): Promise<string | undefined> => {
  const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths: {}
components: { schemas: { Thing: ${schema}, Other: { type: string } } }`;
  const { document } = await loadContract({ text });
  const type = / {4}Thing: (.*?);\n {4}Other/s.exec(renderApiTypes(document))?.[1];
  return type?.replaceAll(/\s+/g, ' ');
};

describe('the type of a schema', () => {
  test.each([
    ['{}', 'unknown'],
    ['{ type: integer }', 'number'],
    ['{ type: [string, "null"] }', '(string | null)'],
    ['{ enum: [a, 1, null] }', '("a" | 1 | null)'],
    ['{ const: 400 }', '400'],
    ['{ type: array, items: { type: string } }', 'string[]'],
    ['{ type: array, items: { enum: [a, b] } }', '("a" | "b")[]'],
    ['{ $ref: "#/components/schemas/Other" }', 'components["schemas"]["Other"]'],
    ['{ oneOf: [{ type: string }, { type: number }] }', '(string | number)'],
    [
      '{ type: string, allOf: [{ $ref: "#/components/schemas/Other" }, { enum: [a, b] }] }',
      'components["schemas"]["Other"] & ("a" | "b")',
    ],
    [
      '{ type: object, required: [a], properties: { a: { type: string, description: An a. }, b-c: { type: boolean } } }',
      '{ /** An a. */ a: string; "b-c"?: boolean; }',
    ],
    ['{ type: object, additionalProperties: { type: number } }', '{ [name: string]: number; }'],
    [
      '{ properties: { a: {} }, additionalProperties: { type: number } }',
      '{ a?: unknown; } & { [name: string]: number; }',
    ],
  ])('%s is %s', async (schema, type) => {
    expect(await typeOf(schema)).toBe(type);
  });
});

test('the types of a document export each component, and what it does not have as an empty type', async () => {
  const { document } = await loadContract({ file: packageFile('openapi.yaml') });
  const names = renderApiTypes(document).matchAll(/^export \w+ (\S+)/gm);
  expect([...names].map(([, name]) => name)).toEqual(
    expect.arrayContaining(['paths', 'webhooks', '$defs', 'Pet', 'ResponseNotFound']),
  );
});
