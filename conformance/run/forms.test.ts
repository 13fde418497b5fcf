import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { isJsonObject, parseJson, renderJson, type JsonObject } from '../../contract/json/value.ts';
import { packageFile } from '../../cli/package/package-root.ts';
import {
  judgeDocument,
  listIds,
  loadYaml,
  type Change,
} from '../../test/conformance/judge-document.ts';

const load = async () =>
  await loadContract({ file: packageFile('fixtures/documents/shapes/form-items.yaml') });

/** Changes each single guest of the responses. */
function eachGuest(change: (guest: JsonObject) => JsonObject): Change {
  return (response) => {
    const guest = response.status < 300 && response.body !== '' ? parseJson(response.body) : null;
    return isJsonObject(guest) ? { ...response, body: renderJson(change(guest)) } : response;
  };
}

test('forms are tested like JSON, and the mock conforms', async () => {
  const report = await judgeDocument(await load(), { requests: 400 });
  expect(listIds(report, 'failed')).toEqual([]);
  expect(listIds(report, 'passed')).toEqual(
    expect.arrayContaining([
      'addGuest/state.stored',
      ...['name', 'seat', 'fare', 'isVegan', 'notes'].map((one) => `addGuest/state.echo.${one}`),
      'addGuest/request.body.seat.type',
      'addGuest/request.body.seat.maximum',
      'addGuest/request.body.name.required',
      'replaceGuest/state.stored',
      'replaceGuest/state.echo.notes',
    ]),
  );
});

test.for([
  ['seat', eachGuest((guest) => ('seat' in guest ? { ...guest, seat: 7 } : guest))],
  ['isVegan', eachGuest((guest) => ('isVegan' in guest ? { ...guest, isVegan: true } : guest))],
  ['notes', eachGuest((guest) => ('notes' in guest ? { ...guest, notes: ['a'] } : guest))],
  ['name', eachGuest((guest) => ({ ...guest, name: 'Ann' }))],
] as const)("a %s that differs from the form's fails", async ([name, change]) => {
  const failed = listIds(await judgeDocument(await load(), { requests: 300 }, change), 'failed');
  expect(failed).toContain(`addGuest/state.echo.${name}`);
});

test('a server may treat a blank form field as absent', async () => {
  const contract = await load();
  const change: Change = (response, { body = '' }) => {
    const isBlank = /(?:^|&)(?:name|seat)=(?:[+\s]|%20)*(?:&|$)/.test(body);
    return isBlank ? { ...response, status: 201, body: '{"id":1,"name":"none"}' } : response;
  };
  expect(listIds(await judgeDocument(contract, { requests: 400 }, change), 'failed')).toEqual([]);
});

test.each(['required: true, ', ''])(
  'an empty form is no body, which may be %j',
  async (required) => {
    const contract = await loadYaml(`paths:
  /check:
    post:
      operationId: check
      requestBody: { ${required}content: { application/x-www-form-urlencoded: { schema: { type: object, required: [token], properties: { token: { type: string } } } } } }
      responses: { '200': { description: Fine. }, '400': { description: Refused. } }
`);
    const id = 'check/request.body.token.required';
    const report = await judgeDocument(contract, { requests: 60 });
    expect(listIds(report, 'failed')).toEqual([]);
    expect(listIds(report, 'passed')).toContain(id);
    const accept: Change = (response) => ({ ...response, status: 200 });
    const lenient = await judgeDocument(contract, { requests: 60 }, accept);
    expect(listIds(lenient, 'failed')).toContain(id);
  },
);
