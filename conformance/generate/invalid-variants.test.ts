import { expect, test } from 'vitest';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import { loadContract } from '../../contract/load.ts';
import { schemaDocument } from '../../test/contract/hostile-documents.ts';
import { listInvalidVariants } from './invalid-variants.ts';
import { mostBrokenBodies } from './invalid-variants.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

async function countVariants(length: number): Promise<number> {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const document = schemaDocument({ type: 'object', required: names, properties });
  const contract = await loadContract({ text: JSON.stringify(document) });
  const operation = contract.operations.find(({ requestBody }) => requestBody !== undefined);
  const node = jsonContent(operation?.requestBody?.content ?? [])?.schema;
  if (node === undefined) throw new Error('the document has a body');
  const refused = names.map((name) => ({ id: name, path: [name], facet: 'required' }));
  const valid = Object.fromEntries(names.map((name) => [name, name.repeat(length)]));
  return listInvalidVariants(refused, node, valid).length;
}

test('bodies are broken up to mostBrokenBodies', async () => {
  const most = mostBrokenBodies;
  expect(await countVariants(1)).toBe(names.length);
  // Of eight texts each broken body holds seven: two such bodies are within the limit.
  expect(await countVariants(Math.floor(most / 16))).toBe(2);
});
