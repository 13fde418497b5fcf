import { expect, test } from 'vitest';
import {
  isJsonArray,
  isJsonObject,
  parseJson,
  renderJson,
  type JsonValue,
} from '../../contract/json/value.ts';
import {
  listIds,
  loadYaml,
  serveDocument,
  type Change,
} from '../../test/conformance/judge-document.ts';

const event = "content: { application/json: { schema: { $ref: '#/components/schemas/Event' } } }";

/** Events, and a list of those of a period. */
const load = async (since = 'since', until = 'until') =>
  await loadYaml(`
paths:
  /events:
    get:
      operationId: listEvents
      parameters:
        - { name: ${since}, in: query, schema: { type: string, format: date-time } }
        - { name: ${until}, in: query, schema: { type: string, format: date-time } }
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 100 } }
      responses:
        '200': { description: Some., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Event' } } } } }
        '400': { description: Refused. }
    post: { operationId: addEvent, requestBody: { required: true, ${event} }, responses: { '201': { description: Added., ${event} }, '400': { description: Refused. } } }
  /events/{id}:
    get:
      operationId: getEvent
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: One., ${event} }, '404': { description: None. } }
components:
  schemas:
    Event: { type: object, required: [title, startsAt, endsAt], properties: { id: { type: integer, readOnly: true }, title: { type: string, minLength: 1 }, startsAt: { type: string, format: date-time }, endsAt: { type: string, format: date-time } } }
`);

const dateOf = (item: JsonValue, name: string): number => {
  const text = isJsonObject(item) ? item[name] : undefined;
  return typeof text === 'string' ? Date.parse(text) : Number.NaN;
};
const start = (item: JsonValue): number => dateOf(item, 'startsAt');
const end = (item: JsonValue): number => dateOf(item, 'endsAt');

/** A server that refuses some events with 400, and a list that shows only some of the others. */
const serving = (
  isTaken: (item: JsonValue) => boolean,
  isShown: (item: JsonValue, at: number) => boolean,
): Change => {
  const added: JsonValue[] = [];
  return (response, { method, url }) => {
    if (response.status >= 300 || response.body === '') return response;
    const value = parseJson(response.body);
    if (method === 'POST') {
      if (!isTaken(value)) return { ...response, status: 400, headers: [], body: '' };
      added.push(value);
    }
    if (!isJsonArray(value)) return response;
    const limit = Number(new URL(url).searchParams.get('limit') ?? 100);
    return { ...response, body: renderJson(added.filter(isShown).slice(0, limit)) };
  };
};

/** The requirements that fail in two runs against one server. */
async function failures(
  isTaken: Parameters<typeof serving>[0],
  isShown: Parameters<typeof serving>[1],
  ...names: Parameters<typeof load>
): Promise<readonly string[]> {
  const contract = await load(...names);
  const judge = await serveDocument(contract, serving(isTaken, isShown));
  const reports = [
    await judge(contract, { requests: 400, seed: 1 }),
    await judge(contract, { requests: 200, seed: 2, fuzz: 100 }),
  ];
  return reports.flatMap((report) => listIds(report, 'failed'));
}

test('a range may have to be in order, and a list may begin at some date', async () => {
  const now = Date.UTC(2026, 5);
  const isOrdered = (item: JsonValue): boolean => start(item) < end(item);
  expect(await failures(isOrdered, (item) => start(item) >= now)).toEqual([]);
  const minute = (time: number): number => Math.floor(time / 60_000);
  const lasts = (item: JsonValue): boolean => minute(start(item)) < minute(end(item));
  expect(await failures(lasts, (item) => start(item) >= now)).toEqual([]);
});

test('all ranges in order are accepted, and listed if others around them are', async () => {
  expect(
    await failures(
      (item) => start(item) >= end(item),
      () => true,
    ),
  ).toContain('addEvent/status.201');
  expect(
    await failures(
      () => true,
      (_, at) => at % 3 > 0,
    ),
  ).toContain('listEvents/state.listed');
});

test('a parameter hides items only by the date that it is about', async () => {
  const now = Date.UTC(2026, 5);
  const isLate = (item: JsonValue): boolean => start(item) >= now;
  expect(await failures(() => true, isLate, 'startsAfter', 'startsBefore')).toEqual([]);
  expect(await failures(() => true, isLate, 'updatedAfter', 'updatedBefore')).toContain(
    'listEvents/state.listed',
  );
});
