import { expect, test } from 'vitest';
import { loadContract } from '../../../contract/load.ts';
import { renderYaml } from '../../../contract/source/yaml.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';
import { composeControlDocument, loadControlContract } from './document.ts';
import { declarationOf } from './operations.ts';
import { type OperationId, routes } from './routes.ts';

const ids = Object.keys(routes).filter((id): id is OperationId => id in routes);

test('the document is valid OpenAPI and has every operation', async () => {
  const text = await renderYaml(composeControlDocument());
  const { diagnostics, operations } = await loadContract({ text, name: 'control.yaml' });
  expect(diagnostics).toEqual([]);
  expect(operations.map(({ id, method, path }) => [id, `${method} ${path}`])).toEqual(
    expect.arrayContaining(Object.entries(routes)),
  );
});

test('a codec reads what its schema accepts, and writes what its schema promises', async () => {
  const { operations } = await loadControlContract();
  for (const id of ids) {
    const operation = operations.find((one) => one.id === id);
    const { body, response } = declarationOf(id);
    const sent = operation?.requestBody?.content[0]?.schema;
    const received = operation?.responses
      .find(({ status }) => status.startsWith('2'))
      ?.content.find(({ mediaType }) => mediaType === 'application/json')?.schema;
    expect([id, sent === undefined, received === undefined]).toEqual([
      id,
      body === undefined,
      response === undefined,
    ]);
    for (const seed of ['1', '2', '3', '4', '5']) {
      const request = sent && sampleSchema(sent, { direction: 'request', seed });
      const isValid = request !== undefined && request.issues.length === 0;
      if (isValid) body?.read(request.value, id);
      const value = received && sampleSchema(received, { direction: 'response', seed }).value;
      const written = value === undefined ? null : response?.render(response.read(value, ''));
      expect([id, received?.validate(written ?? null) ?? []]).toEqual([id, []]);
    }
  }
});
