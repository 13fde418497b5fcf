import { expect, test } from 'vitest';
import { isJsonArray, isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { judgeTwice, type Answer, type PlainRequest } from '../../test/conformance/judge-server.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const ref = (name: string): string => json(`{ $ref: '#/components/schemas/${name}' }`);
const all = (name: string): string =>
  json(`{ type: array, items: { $ref: '#/components/schemas/${name}' } }`);

/** Orders have lines, each of which refers to a product. */
const contract = await loadYaml(`
paths:
  /products:
    get: { operationId: listProducts, responses: { '200': { description: All., ${all('Product')} } } }
  /products/{productId}:
    parameters: [{ name: productId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getProduct, responses: { '200': { description: One., ${ref('Product')} }, '404': { description: None. } } }
  /orders:
    get: { operationId: listOrders, responses: { '200': { description: All., ${all('Order')} } } }
    post: { operationId: addOrder, requestBody: { required: true, ${ref('NewOrder')} }, responses: { '201': { description: Added., ${ref('Order')} }, '400': { description: Refused. } } }
  /orders/{orderId}:
    parameters: [{ name: orderId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getOrder, responses: { '200': { description: One., ${ref('Order')} }, '404': { description: None. } } }
    put: { operationId: putOrder, requestBody: { required: true, ${ref('NewOrder')} }, responses: { '200': { description: Changed., ${ref('Order')} }, '400': { description: Refused. }, '404': { description: None. } } }
components:
  schemas:
    Product: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
    NewLine: { type: object, required: [productId], additionalProperties: false, properties: { productId: { type: integer, format: int64 }, amount: { type: integer, minimum: 1, maximum: 99, default: 1 } } }
    Line: { type: object, required: [productId, amount, price], properties: { productId: { type: integer, format: int64 }, amount: { type: integer }, price: { type: number } } }
    NewOrder: { type: object, required: [buyer], additionalProperties: false, properties: { buyer: { type: string, minLength: 1, maxLength: 80 }, lines: { type: array, maxItems: 9, items: { $ref: '#/components/schemas/NewLine' } } } }
    Order: { type: object, required: [id, buyer, lines], properties: { id: { type: integer }, buyer: { type: string }, lines: { type: array, items: { $ref: '#/components/schemas/Line' } } } }
`);
const bodySchema = contract.operations.find(({ id }) => id === 'addOrder')?.requestBody?.content[0];

/** A shop that refuses lines with products that it does not have. Its fault is given by name. */
function createShop(fault = '') {
  const orders = new Map<number, { readonly id: number; readonly lines: readonly JsonValue[] }>();
  const products = [{ id: 70_001, name: 'Pen' }];
  const lineOf = (line: JsonValue): JsonValue => {
    const { productId = null, amount = 1 } = isJsonObject(line) ? line : {};
    return { productId, amount: fault === 'amount' ? 1 : amount, price: 2 };
  };
  const store = (id: number, body: PlainRequest['body'], added: number): Answer => {
    if (!isJsonObject(body) || bodySchema?.schema?.validate(body).length !== 0) return [400];
    const sent = isJsonArray(body['lines']) ? body['lines'] : [];
    const isKnown = (line: JsonValue): boolean =>
      isJsonObject(line) &&
      products.some((each) => BigInt(each.id) === toBigInt(line['productId']));
    if (!sent.every(isKnown)) return [400];
    const lines = fault === 'lines' ? [] : sent.map(lineOf);
    const order = { ...body, id, lines };
    orders.set(id, order);
    return [added, order];
  };
  return ({ method, steps: [at, step], body }: PlainRequest): Answer => {
    const id = Number(step);
    if (at === 'products') {
      const one = products.find((each) => each.id === id);
      return step === undefined ? [200, products] : one === undefined ? [404] : [200, one];
    }
    if (step === undefined && method === 'POST') return store(orders.size + 1, body, 201);
    if (step === undefined) {
      const shown = [...orders.values()];
      return [200, fault === 'list' ? shown.map((each) => ({ ...each, lines: [] })) : shown];
    }
    const known = orders.get(id);
    if (known === undefined) return [404];
    return method === 'PUT' ? store(id, body, 200) : [200, known];
  };
}

function toBigInt(value: JsonValue | undefined): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

test.for([60, 240, 600])(
  'a server may refuse lines with products that do not exist (%i requests)',
  async (requests) => {
    expect(await judgeTwice(contract, createShop(), { requests })).toEqual([]);
  },
);

test.for([
  ['lines', 'addOrder/state.echo.lines'],
  ['amount', 'addOrder/state.echo.lines'],
  ['list', 'listOrders/state.read.lines'],
])('a server that loses %s fails %s', async ([fault, requirement]) => {
  for (const requests of [60, 240])
    expect(await judgeTwice(contract, createShop(fault), { requests })).toContain(requirement);
});
