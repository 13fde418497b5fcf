import { expect, test } from 'vitest';
import { isJsonArray, isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { judgeTwice, type Answer, type PlainRequest } from '../../test/conformance/judge-server.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const ref = (name: string): string => json(`{ $ref: '#/components/schemas/${name}' }`);

const said = {
  name: 'White space at both ends is removed.',
  nick: 'Kept in lower case.',
  fee: 'Rounded to whole numbers.',
  at: 'Seconds are dropped.',
  phone: 'Returned with digits only.',
};

/** Visits. Only requests describe what the service does to their members. */
const load = async (says: Partial<typeof said>) => {
  const member = (name: keyof typeof said, schema: string): string =>
    `${name}: { ${schema}, description: ${says[name] ?? 'A member.'} }`;
  return await loadYaml(`
paths:
  /visits:
    get: { operationId: listVisits, responses: { '200': { description: All., ${json("{ type: array, items: { $ref: '#/components/schemas/Visit' } }")} } } }
    post: { operationId: addVisit, requestBody: { required: true, ${ref('NewVisit')} }, responses: { '201': { description: Added., ${ref('Visit')} }, '400': { description: Refused. } } }
components:
  schemas:
    NewVisit: { type: object, required: [name], properties: { ${member('name', 'type: string, minLength: 1')}, ${member('nick', 'type: string')}, ${member('fee', 'type: number, minimum: 0, maximum: 1000')}, ${member('at', 'type: string, format: date-time')}, ${member('phone', "type: string, pattern: '^[+ 0-9]{3,9}$'")} } }
    Visit: { type: object, required: [id], properties: { id: { type: integer }, name: { type: string }, nick: { type: string }, fee: { type: number }, at: { type: string, format: date-time }, phone: { type: string } } }
`);
};

/** @param step what fees are rounded to */
function createVisits(step = 1) {
  const visits: object[] = [];
  return ({ method, body }: PlainRequest): Answer => {
    if (method === 'GET') return [200, visits];
    if (!isJsonObject(body) || isJsonArray(body['name'])) return [400];
    const { name, nick, fee, at, phone } = body;
    const isTime = (value: JsonValue | undefined): value is string =>
      typeof value === 'string' && !Number.isNaN(Date.parse(value)) && /T/i.test(value);
    const isPhone = typeof phone === 'string' && /^[+ 0-9]{3,9}$/.test(phone);
    const isFee = typeof fee === 'number' && fee >= 0 && fee <= 1000;
    if (typeof name !== 'string' || name === '' || (phone !== undefined && !isPhone)) return [400];
    if (nick !== undefined && typeof nick !== 'string') return [400];
    if ((fee !== undefined && !isFee) || (at !== undefined && !isTime(at))) return [400];
    visits.push({
      id: visits.length + 1,
      name: name.trim(),
      nick: nick?.toLowerCase(),
      fee: isFee ? Math.round(fee / step) * step : undefined,
      at: isTime(at) ? `${new Date(at).toISOString().slice(0, 16)}:00Z` : undefined,
      phone: isPhone ? phone.replaceAll(/\D/g, '') : undefined,
    });
    return [201, visits.at(-1)];
  };
}

test('a service may change values as their descriptions say', async () => {
  expect(await judgeTwice(await load(said), createVisits(), { requests: 200 })).toEqual([]);
});

test('a service must not change other values, nor by more than that', async () => {
  const other = await judgeTwice(await load({}), createVisits(), { requests: 200 });
  const ids = ['spaces.name', 'echo.nick', 'echo.fee', 'echo.at', 'echo.phone'];
  expect(other).toEqual(expect.arrayContaining(ids.map((id) => `addVisit/state.${id}`)));
  const coarse = await judgeTwice(await load(said), createVisits(100), { requests: 200 });
  expect(coarse).toEqual(['addVisit/state.echo.fee']);
});
