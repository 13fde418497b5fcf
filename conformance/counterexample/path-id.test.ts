import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { readTemplate } from '../generate/template.ts';
import { withPathId } from '../probes/requests.ts';
import { judgeTwice, type Answer, type PlainRequest } from '../../test/conformance/judge-server.ts';

test('a PUT whose body repeats the path id fails only for what it loses', async () => {
  const item = "content: { application/json: { schema: { $ref: '#/components/schemas/Seat' } } }";
  const sent = `requestBody: { required: true, ${item} }`;
  const contract = await loadYaml(`
paths:
  /seats:
    get: { operationId: listSeats, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Seat' } } } } } } }
    post: { operationId: addSeat, ${sent}, responses: { '201': { description: Added., ${item} }, '400': { description: Refused. } } }
  /seats/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getSeat, responses: { '200': { description: One., ${item} }, '404': { description: None. } } }
    put: { operationId: putSeat, ${sent}, responses: { '204': { description: Stored. }, '400': { description: Refused. }, '404': { description: None. } } }
components:
  schemas:
    Seat: { type: object, required: [id, row], properties: { id: { type: integer }, row: { type: string }, note: { type: string } } }
`);
  const createSeats = (isLossy: boolean) => {
    const seats = new Map<string, JsonObject>();
    return ({ method, steps: [, id], body = null }: PlainRequest): Answer => {
      const known = seats.get(id ?? '');
      if (id !== undefined && known === undefined) return [404];
      if (method === 'GET') return [200, known ?? [...seats.values()]];
      if (!isJsonObject(body) || !Number.isSafeInteger(body['id'])) return [400];
      const { row, note = '', id: own } = body;
      if (typeof row !== 'string' || typeof note !== 'string') return [400];
      if (id !== undefined && own !== Number(id)) return [400];
      const key = id ?? String(seats.size + 1);
      const kept = known && isLossy ? { row: known['row'] ?? '' } : {};
      seats.set(key, { ...body, ...kept, id: Number(key) });
      return id === undefined ? [201, seats.get(key)] : [204];
    };
  };
  expect(await judgeTwice(contract, createSeats(false))).toEqual([]);
  expect(await judgeTwice(contract, createSeats(true))).toEqual(['putSeat/state.stored']);
});

test('a text of digits with a leading zero is an identifier like any other', async () => {
  const book = "content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }";
  const contract = await loadYaml(`
paths:
  /books:
    get: { operationId: listBooks, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } } } }
  /books/{isbn}:
    parameters: [{ name: isbn, in: path, required: true, schema: { type: string } }]
    get: { operationId: getBook, responses: { '200': { description: One., ${book} } } }
    put: { operationId: putBook, requestBody: { required: true, ${book} }, responses: { '200': { description: Stored., ${book} } } }
components:
  schemas:
    Book: { type: object, required: [isbn], properties: { isbn: { type: string } } }
`);
  const [resource] = contract.resources;
  const put = contract.operations.find(({ id }) => id === 'putBook');
  const template = put && readTemplate(contract, put);
  if (resource === undefined || template === undefined) throw new Error('no resource');
  const sent = withPathId({ resource, template }, { isbn: '0036' }, { isbn: '1' });
  expect(sent).toEqual({ isbn: '0036' });
});
