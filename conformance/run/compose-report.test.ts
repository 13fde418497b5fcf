import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openService } from '../../test/cli/target.ts';
import { isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import { loadContract } from '../../contract/load.ts';
import { answered, createFakeSender } from '../../test/conformance/fake-sender.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { readJson } from '../transport/exchange.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { runConformance } from './run.ts';

const text = await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8');

test('a question of an unknown kind is listed as not observed', async () => {
  const contract = await loadContract({
    text: text.replace('kind: unknown-properties', 'kind: colour'),
  });
  await using place = await openService(contract);
  const { verdicts } = await place.run({});
  expect(
    verdicts.find(({ requirement }) => requirement.id === '*/open.unknown-properties'),
  ).toMatchObject({
    kind: 'not-tested',
    reason: 'not tested: the suite does not know questions of this kind',
  });
});

test('"left behind" lists what was added and not removed, whatever characters ids contain', async () => {
  const contract = await loadYaml(`
paths:
  /things:
    get:
      operationId: list
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Thing' } } } } } }
    post:
      operationId: add
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewThing' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } } }
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: read
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }, '404': { description: no } }
    delete:
      operationId: remove
      responses: { '204': { description: ok }, '404': { description: no } }
components:
  schemas:
    NewThing: { type: object, required: [name], properties: { name: { type: string } } }
    Thing: { type: object, required: [id, name], properties: { id: { type: string }, name: { type: string } } }
`);
  const things = new Map<string, JsonValue>([['of others', { id: 'of others', name: 'a' }]]);
  const sender = createFakeSender(({ url, method, body }, nth) => {
    const id = decodeURIComponent(new URL(url).pathname.split('/')[3] ?? '');
    const one = things.get(id);
    if (method === 'POST') {
      const sent = readJson(body);
      if (nth % 3 === 0) return answered(201, things.get('of others'));
      const added = { ...(isJsonObject(sent) ? sent : {}), id: `${nth} b/3?ü%41#` };
      things.set(added.id, added);
      return answered(201, added);
    }
    if (id === '') return answered(200, [...things.values()]);
    if (method === 'DELETE' && things.delete(id)) return answered(204, undefined);
    return one === undefined ? answered(404, undefined) : answered(200, one);
  });
  const report = await runConformance(
    contract,
    { baseUrl: 'http://h/v1', apiKey: undefined },
    { sender, clock: createStillClock() },
  );
  expect(sender.requests.some(({ method }) => method === 'DELETE')).toBe(true);
  expect([...things.keys()]).toContain('of others');
  const left = [...things.keys()].filter((id) => id !== 'of others');
  expect(report.leftBehind.map(({ id }) => id).toSorted()).toEqual(left.toSorted());
});
