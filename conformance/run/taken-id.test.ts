import { expect, test } from 'vitest';
import { requirementsOf } from '../family/requirements.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { judgeTwice, type Answer, type PlainRequest } from '../../test/conformance/judge-server.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const plan = "{ $ref: '#/components/schemas/Plan' }";

/** @param others responses of an addition beside 201 and 400 */
const load = async (others = "'409': { description: Taken. }") =>
  await loadYaml(`
paths:
  /plans:
    get: { operationId: listPlans, responses: { '200': { description: All., ${json(`{ type: array, items: ${plan} }`)} } } }
    post: { operationId: addPlan, requestBody: { required: true, ${json(plan)} }, responses: { '201': { description: Added., ${json(plan)} }, '400': { description: Refused. }, ${others} } }
  /plans/{id}:
    get: { operationId: getPlan, parameters: [{ name: id, in: path, required: true, schema: { type: string } }], responses: { '200': { description: One., ${json(plan)} }, '404': { description: None. } } }
components:
  schemas:
    Plan: { type: object, required: [id, price], properties: { id: { type: string, minLength: 3 }, price: { type: integer } } }
`);

/** What a server does with an identifier that is taken, or with all. */
type Way = 'refuses' | 'overwrites' | 'replaces' | 'assigns';

function createPlans(way: Way) {
  const plans = new Map<string, JsonValue>();
  return ({ method, steps: [, id], body }: PlainRequest): Answer => {
    if (id !== undefined) return plans.has(id) ? [200, plans.get(id)] : [404];
    if (method === 'GET') return [200, [...plans.values()]];
    if (!isJsonObject(body) || !Number.isInteger(body['price'])) return [400];
    const { id: sent } = body;
    if (typeof sent !== 'string' || sent.length < 3) return [400];
    if (plans.has(sent) && way === 'refuses') return [409];
    const own = way === 'assigns' ? `plan${plans.size}` : sent;
    const isOld = plans.has(own);
    plans.set(own, { ...body, id: own });
    return isOld && way === 'replaces' ? [204] : [201, plans.get(own)];
  };
}

test.each<[Way, readonly string[]]>([
  ['refuses', []],
  ['overwrites', ['addPlan/state.id-unique']],
  ['assigns', []],
])('a server that %s', async (way, failed) => {
  expect(await judgeTwice(await load(), createPlans(way))).toEqual(failed);
});

test('a server that replaces what is there, as documented', async () => {
  const others = "'204': { description: Replaced. }, '409': { description: Closed. }";
  expect(await judgeTwice(await load(others), createPlans('replaces'))).toEqual([]);
});

test('a 409 that may be for something else makes a recommendation', async () => {
  const levelOf = async (description: string) =>
    requirementsOf(await load(`'409': { description: ${description} }`)).get(
      'addPlan/state.id-unique',
    )?.level;
  expect(await levelOf('The queue is stopped.')).toBe('should');
  expect(await levelOf('The plan already exists.')).toBe('must');
});

test('a 409 for what was accepted by mistake is no fault of its own', async () => {
  const seat = "{ $ref: '#/components/schemas/Seat' }";
  const contract = await loadYaml(`
paths:
  /seats:
    get: { operationId: listSeats, responses: { '200': { description: All., ${json(`{ type: array, items: ${seat} }`)} } } }
    post: { operationId: addSeat, requestBody: { required: true, ${json("{ $ref: '#/components/schemas/NewSeat' }")} }, responses: { '201': { description: Added., ${json(seat)} }, '400': { description: Refused. }, '409': { description: Taken. } } }
components:
  schemas:
    NewSeat: { type: object, additionalProperties: false, required: [name], properties: { name: { type: string, pattern: '^[A-Z][0-9]{2}$' }, rows: { type: array, items: { type: object, additionalProperties: false, properties: { n: { type: integer } } } } } }
    Seat: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
`);
  const seats: JsonValue[] = [];
  const names = new Set<string>();
  const answer = ({ method, body }: PlainRequest): Answer => {
    if (method === 'GET') return [200, seats];
    if (!isJsonObject(body)) return [400];
    const { name, rows = [] } = body;
    if (typeof name !== 'string' || !/^[A-Z]\d{2}$/.test(name)) return [400];
    const isRow = (row: JsonValue): boolean =>
      isJsonObject(row) && (row['n'] === undefined || Number.isInteger(row['n']));
    if (!isJsonArray(rows) || !rows.every(isRow)) return [400];
    if (names.has(name)) return [409];
    names.add(name);
    const seat = { id: seats.length + 1, name };
    seats.push(seat);
    return [201, seat];
  };
  const failed = await judgeTwice(contract, answer, { requests: 400 });
  expect(failed).toEqual(['addSeat/request.body.additional']);
});

test.each<readonly ['refuses' | 'overwrites' | 'adds another', readonly string[]]>([
  ['refuses', []],
  ['overwrites', ['addPage/state.id-unique']],
  ['adds another', []],
])('a server that makes identifiers of titles and %s', async (way, failed) => {
  const page = "{ $ref: '#/components/schemas/Page' }";
  const contract = await loadYaml(`
paths:
  /pages:
    get: { operationId: listPages, responses: { '200': { description: All., ${json(`{ type: array, items: ${page} }`)} } } }
    post: { operationId: addPage, requestBody: { required: true, ${json(page)} }, responses: { '201': { description: Added., ${json(page)} }, '400': { description: Refused. }, '409': { description: The title is taken. } } }
  /pages/{slug}:
    get: { operationId: getPage, parameters: [{ name: slug, in: path, required: true, schema: { type: string } }], responses: { '200': { description: One., ${json(page)} }, '404': { description: None. } } }
components:
  schemas:
    Page: { type: object, required: [slug, title], properties: { slug: { type: string, readOnly: true }, title: { type: string, minLength: 1, maxLength: 80, pattern: '^[a-zA-Z0-9 ]+$' } } }
`);
  const pages = new Map<string, JsonValue>();
  const answer = ({ method, steps: [, slug], body }: PlainRequest): Answer => {
    if (slug !== undefined) return pages.has(slug) ? [200, pages.get(slug)] : [404];
    if (method === 'GET') return [200, [...pages.values()]];
    const title = isJsonObject(body) ? body['title'] : undefined;
    if (typeof title !== 'string' || !/^[a-zA-Z0-9 ]{1,80}$/.test(title)) return [400];
    const usual = title.trim().toLowerCase().replaceAll(' ', '-') || 'page';
    if (pages.has(usual) && way === 'refuses') return [409];
    const own = pages.has(usual) && way === 'adds another' ? `${usual}-${pages.size}` : usual;
    pages.set(own, { slug: own, title });
    return [201, pages.get(own)];
  };
  for (const requests of [60, 120])
    expect(await judgeTwice(contract, answer, { requests })).toEqual(failed);
});
