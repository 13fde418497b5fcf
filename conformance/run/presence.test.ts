import { expect, test } from 'vitest';
import { runConformance } from '../index.ts';
import { answered, createFakeSender } from '../../test/conformance/fake-sender.ts';
import { listIds, loadYaml } from '../../test/conformance/judge-document.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import type { Outcome } from '../transport/exchange.ts';

const file = 'content: { text/plain: { schema: { type: string } } }';

const load = async () =>
  await loadYaml(`
paths:
  /fans:
    get: { operationId: listFans, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { type: string } } } } } } }
  /fans/{name}:
    parameters: [{ name: name, in: path, required: true, schema: { type: string, enum: [ada, bob] } }]
    get: { operationId: isFan, responses: { '204': { description: Yes. }, '404': { description: No. } } }
    put: { operationId: addFan, responses: { '204': { description: Added. } } }
    delete: { operationId: removeFan, responses: { '204': { description: Removed. }, '404': { description: No fan. } } }
  /motto:
    get: { operationId: getMotto, responses: { '200': { description: The motto., ${file} }, '404': { description: None. } } }
    put: { operationId: putMotto, requestBody: { required: true, ${file} }, responses: { '204': { description: Stored. } } }
    delete: { operationId: resetMotto, responses: { '204': { description: Reset. } } }
  /merge:
    get: { operationId: isMerged, responses: { '204': { description: Yes. }, '404': { description: Not yet. } } }
    post: { operationId: merge, responses: { '202': { description: Once the checks pass. } } }
    delete: { operationId: cancelMerge, responses: { '204': { description: Not any more. }, '404': { description: No merge is planned. } } }
  /notes/{note}:
    parameters: [{ name: note, in: path, required: true, schema: { type: string }, example: first }]
    get: { operationId: getNote, responses: { '200': { description: The note., ${file} }, '404': { description: None. } } }
    put: { operationId: putNote, requestBody: { required: true, ${file} }, responses: { '200': { description: Changed. }, '201': { description: Added. } } }
  /letters/{name}:
    parameters: [{ name: name, in: path, required: true, schema: { type: string, enum: [ada, bob] } }]
    get: { operationId: getLetters, responses: { '200': { description: All., content: { application/json: { schema: { type: object, properties: { letters: { type: array, items: { type: string } } } } } } }, '404': { description: No fan. } } }
    delete: { operationId: burnLetters, responses: { '204': { description: Burnt. }, '404': { description: No fan. } } }
`);

/** The requirements that fail for a server of fans, notes and a motto. Its faults are switched by name. */
async function failedBy(fault = ''): Promise<readonly string[]> {
  const fans = new Set<string>();
  const notes = new Map([['first', 'A note']]);
  let motto: string | undefined;
  const none = answered(204, undefined);
  const text = (body: string | undefined): Outcome => {
    const found = answered(body === undefined ? 404 : 200, undefined);
    const headers = [['content-type', 'text/plain;charset=utf-8']] as const;
    if (body === undefined || found.kind !== 'answered') return found;
    return { kind: 'answered', response: { ...found.response, headers, body } };
  };
  const sender = createFakeSender(({ method, url, body }): Outcome => {
    const [, at, name] = new URL(url).pathname.split('/');
    if (at === 'motto' && method === 'PUT') {
      if (fault !== 'no motto') motto = fault === 'cut motto' ? body?.slice(1) : body;
      return none;
    }
    if (at === 'motto' && method === 'DELETE') {
      motto = 'None yet';
      return none;
    }
    if (at === 'merge') return method === 'POST' ? answered(202, undefined) : none;
    if (at === 'letters') return method === 'GET' ? answered(200, { letters: [] }) : none;
    if (at === 'motto') return text(motto);
    if (at === 'notes' && name !== undefined) {
      if (method !== 'PUT') return text(notes.get(name));
      const isNew = !notes.has(name);
      if (!isNew || fault !== 'no new note') notes.set(name, body ?? '');
      return answered(isNew ? 201 : 200, undefined);
    }
    if (name === undefined) return answered(200, [...fans]);
    if (method === 'GET') return fans.has(name) ? none : answered(404, undefined);
    if (method === 'PUT' && fault !== 'no fan') fans.add(name);
    if (method === 'DELETE' && !fans.has(name)) return answered(404, undefined);
    if (method === 'DELETE' && fault !== 'fan for ever') fans.delete(name);
    return none;
  });
  const target = { baseUrl: 'http://server.test', apiKey: undefined };
  const options = { clock: createStillClock(), sender, requests: 60, disposable: true };
  return listIds(await runConformance(await load(), target, options), 'failed');
}

test('a server that keeps what is put, and forgets what is removed, conforms', async () => {
  expect(await failedBy()).toEqual([]);
});

test.for([
  ['no fan', 'addFan/state.stored'],
  ['fan for ever', 'removeFan/state.removed'],
  ['no new note', 'putNote/state.stored'],
  ['no motto', 'putMotto/state.stored'],
  ['cut motto', 'putMotto/state.stored'],
])('%s fails %s', async ([fault, requirement]) => {
  expect(await failedBy(fault)).toEqual([requirement]);
});
