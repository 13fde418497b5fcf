import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { judgeTwice, type Answer, type PlainRequest } from '../../test/conformance/judge-server.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const item = json("{ $ref: '#/components/schemas/Guest' }");
const body = `requestBody: { required: true, ${json("{ $ref: '#/components/schemas/NewGuest' }")} }`;
const sent =
  "code: { type: string, maxLength: 16 }, secret: { type: string, writeOnly: true }, name: { type: string, maxLength: 120 }, mail: { type: string, format: email }, country: { type: string, pattern: '^[A-Za-z]{2}$' }, nick: { type: [string, 'null'] }, beds: { type: integer, minimum: 0, maximum: 9 }";

/** @param list members of the list operation */
const load = async (changed = `'200': { description: Changed., ${item} }`, list = '') =>
  await loadYaml(`
paths:
  /guests:
    get: { operationId: listGuests, ${list} responses: { '200': { description: All., ${json("{ type: array, items: { $ref: '#/components/schemas/Guest' } }")} } } }
    post: { operationId: addGuest, ${body}, responses: { '201': { description: Added., ${item} }, '422': { description: Refused. } } }
  /guests/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getGuest, responses: { '200': { description: One., ${item} }, '404': { description: None. } } }
    put: { operationId: putGuest, ${body}, responses: { ${changed}, '404': { description: None. }, '409': { description: Removed. }, '422': { description: Refused. } } }
    delete: { operationId: removeGuest, responses: { '200': { description: Removed., ${item} }, '404': { description: None. } } }
components:
  schemas:
    NewGuest: { type: object, required: [name, mail], properties: { ${sent} } }
    Guest: { type: object, required: [id, name, mail], properties: { id: { type: integer }, status: { type: string, enum: [active, deleted], readOnly: true }, deletedTasks: { type: integer, readOnly: true }, deleted: { type: boolean, readOnly: true }, ${sent} } }
`);

/** What a server makes of the members of a body before it validates them. */
type Reads = (name: string, value: JsonValue) => JsonValue;

const asSent: Reads = (_name, value) => value;

function isRight(name: string, value: JsonValue): boolean {
  if (name === 'nick') return value === null || typeof value === 'string';
  if (name === 'beds') return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 9;
  if (typeof value !== 'string') return false;
  if (name === 'secret') return true;
  if (name === 'code') return /^.{0,16}$/su.test(value);
  if (name === 'mail') return /^[^@\s]+@[^@\s]+$/.test(value);
  return name === 'country' ? /^[A-Za-z]{2}$/.test(value) : value.length <= 120;
}

const members = new Set(['name', 'mail', 'country', 'nick', 'beds', 'code', 'secret']);

/** @param remove what becomes of a guest that is removed; undefined: gone */
function createGuests(reads: Reads, remove: (guest: JsonObject) => JsonObject | undefined) {
  const guests = new Map<string, JsonObject>();
  let last = 0;
  const read = (value: JsonValue | undefined): JsonObject | undefined => {
    if (!isJsonObject(value)) return undefined;
    const known = Object.entries(value).filter(([name]) => members.has(name));
    const own = known.map(([name, each = null]) => [name, reads(name, each)] as const);
    const { name, mail } = value;
    const isWhole = name !== undefined && mail !== undefined;
    return isWhole && own.every(([each, one]) => isRight(each, one))
      ? Object.fromEntries(own)
      : undefined;
  };
  return ({ method, steps: [, id], body: given }: PlainRequest): Answer => {
    if (id === undefined && method === 'GET')
      return [200, [...guests.values()].filter(({ status }) => status !== 'deleted')];
    const known = guests.get(id ?? '');
    if (id !== undefined && known === undefined) return [404];
    if (method === 'GET') return [200, known];
    if (method === 'DELETE') {
      const left = known && remove(known);
      if (left === undefined) guests.delete(id ?? '');
      else guests.set(id ?? '', left);
      return [200, left ?? known];
    }
    const own = read(given);
    if (own === undefined) return [422];
    if (known?.['status'] === 'deleted' || known?.['deleted'] === true) return [409];
    const key = Number(id ?? (last += 1));
    const { secret: _, ...shown } = own;
    guests.set(String(key), { ...shown, id: key, status: 'active' });
    return [id === undefined ? 201 : 200, guests.get(String(key))];
  };
}

/** Enough for every way to break a body. */
const all = { requests: 500 };

/** Keeps an item, marked as removed. */
const mark = (guest: JsonObject): JsonObject => ({ ...guest, status: 'deleted' });

const gone = (): undefined => undefined;

describe('a server that returns something else than what it was sent', () => {
  const trims: Reads = (name, value) => {
    const text = typeof value === 'string' ? value.trim() : value;
    return text === '' && name === 'nick' ? null : text;
  };
  const normalises: Reads = (name, value) => {
    if (typeof value !== 'string') return value;
    return name === 'mail' ? value.toLowerCase() : name === 'country' ? value.toUpperCase() : value;
  };
  const converts: Reads = (name, value) =>
    name === 'beds' && typeof value === 'string' && /^\d+$/.test(value)
      ? Number(value)
      : name === 'secret' && typeof value !== 'object'
        ? String(value)
        : value;

  test('fails for nothing but `spaces`, which is recommended, if it trims texts', async () => {
    const failed = await judgeTwice(await load(), createGuests(trims, gone));
    expect(failed.filter((id) => !id.includes('/state.spaces.'))).toEqual([]);
  });

  test('does not fail for the case of codes and addresses', async () => {
    expect(await judgeTwice(await load(), createGuests(normalises, gone))).toEqual([]);
  });

  test('does not fail for numbers as texts, shown or not, and the reverse', async () => {
    expect(await judgeTwice(await load(), createGuests(converts, gone), all)).toEqual([]);
    const answer = createGuests(converts, gone);
    const silent = (request: PlainRequest): Answer => {
      const given = answer(request);
      return request.method === 'PUT' && given[0] === 200 ? [204] : given;
    };
    const contract = await load("'204': { description: Changed. }");
    expect(await judgeTwice(contract, silent, all)).toEqual([]);
  });

  test('fails for texts that it cuts or whose letters it changes', async () => {
    const upper: Reads = (name, value) =>
      name === 'nick' && typeof value === 'string' ? value.toUpperCase() : value;
    expect(await judgeTwice(await load(), createGuests(upper, gone))).toContain(
      'addGuest/state.echo.nick',
    );
    const empties: Reads = (name, value) => (name === 'nick' ? null : value);
    expect(await judgeTwice(await load(), createGuests(empties, gone))).toContain(
      'addGuest/state.echo.nick',
    );
    const lower: Reads = (name, value) =>
      name === 'code' && typeof value === 'string' ? value.toLowerCase() : value;
    expect(await judgeTwice(await load(), createGuests(lower, gone))).toContain(
      'addGuest/state.echo.code',
    );
    const swaps: Reads = (name, value) =>
      name === 'country' && typeof value === 'string' ? 'DE' : value;
    expect(await judgeTwice(await load(), createGuests(swaps, gone))).toContain(
      'addGuest/state.echo.country',
    );
  });

  test('fails for a text that it accepts as a number and does not read as one', async () => {
    const zero: Reads = (name, value) => (name === 'beds' && typeof value === 'string' ? 0 : value);
    expect(await judgeTwice(await load(), createGuests(zero, gone), all)).toContain(
      'addGuest/request.body.beds.type',
    );
  });
});

describe('a server that keeps what is removed', () => {
  test('passes if it marks it', async () => {
    const options = { requests: 120, fuzz: 200 };
    expect(await judgeTwice(await load(), createGuests(asSent, mark), options)).toEqual([]);
  });

  test('fails if it does not', async () => {
    const failed = await judgeTwice(
      await load(),
      createGuests(asSent, (guest) => ({ ...guest, deletedTasks: 0 })),
    );
    expect(failed).toContain('removeGuest/state.removed');
  });

  test('fails if it lists it where the document hides it', async () => {
    const server = createGuests(asSent, (guest) => ({ ...guest, deleted: true }));
    expect(await judgeTwice(await load(), server)).toEqual([]);
    const hiding =
      'parameters: [{ name: includeDeleted, in: query, schema: { type: boolean, default: false } }],';
    const failed = await judgeTwice(await load(undefined, hiding), server);
    expect(failed).toEqual(['removeGuest/state.removed']);
  });
});
