import { expect, test } from 'vitest';
import { isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { judgeTwice, type Answer, type PlainRequest } from '../../test/conformance/judge-server.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const plan = "{ $ref: '#/components/schemas/Plan' }";

const load = async () =>
  await loadYaml(`
paths:
  /plans:
    get: { operationId: listPlans, responses: { '200': { description: All., ${json(`{ type: array, items: ${plan} }`)} } } }
    post: { operationId: addPlan, requestBody: { required: true, ${json(plan)} }, responses: { '201': { description: Added., ${json(plan)} }, '400': { description: Refused. }, '409': { description: Taken. } } }
  /plans/{id}:
    get: { operationId: getPlan, parameters: [{ name: id, in: path, required: true, schema: { type: string } }], responses: { '200': { description: One., ${json(plan)} }, '404': { description: None. } } }
components:
  schemas:
    Plan: { type: object, required: [id, price], properties: { id: { type: string, minLength: 3 }, price: { type: integer } } }
`);

/** What a server does with an identifier that is taken, or with all. */
type Way = 'refuses' | 'overwrites' | 'assigns';

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
    plans.set(own, { ...body, id: own });
    return [201, plans.get(own)];
  };
}

test.each<[Way, readonly string[]]>([
  ['refuses', []],
  ['overwrites', ['addPlan/state.id-unique']],
  ['assigns', []],
])('a server that %s', async (way, failed) => {
  expect(await judgeTwice(await load(), createPlans(way))).toEqual(failed);
});
