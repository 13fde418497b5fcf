import { describe, expect, test } from 'vitest';
import { isJsonObject, parseJson, renderJson, type JsonObject } from '../../contract/json/value.ts';
import { listIds, loadYaml } from '../../test/conformance/judge-document.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { runConformance, type Sender } from '../index.ts';

const own = `theme: { type: string, enum: [light, dark] }, volume: { type: integer, minimum: 0, maximum: 10 }, name: { type: string, maxLength: 20 }`;
const ofService = 'updatedAt: { type: string, format: date-time }, changes: { type: integer }';

/** `sent`, `shown`: members of a request and of a response; `changed`: the response to a change. */
const loadSettings = (
  sent: string,
  shown: string,
  changed = "'200': { description: Changed., $body }",
) =>
  loadYaml(
    `
paths:
  /settings:
    get:
      operationId: getSettings
      responses: { '200': { description: These., $body } }
    put: { operationId: putSettings, $sent }
    patch: { operationId: patchSettings, $sent }
components:
  schemas:
    Sent: { type: object, properties: { ${sent} } }
    Shown: { type: object, properties: { ${shown} } }
`
      .replaceAll(
        '$sent',
        "requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Sent' } } } }, responses: { $changed, '400': { description: Refused. } }",
      )
      .replaceAll('$changed', () => changed)
      .replaceAll(
        '$body',
        "content: { application/json: { schema: { $ref: '#/components/schemas/Shown' } } }",
      ),
  );

const precise = () => loadSettings(own, `${own}, ${ofService}`);
const shared = () => loadSettings(`${own}, ${ofService}`, `${own}, ${ofService}`);

/** What a change makes of the settings. */
type Change = (before: JsonObject, sent: JsonObject, method: string) => JsonObject;

/** Stores what is sent; what is of the service it sets by itself. */
const store: Change = (before, { theme, volume, name }, method) => {
  const changes = Number(before['changes']) + 1;
  const kept = method === 'PATCH' ? before : {};
  const sent = Object.entries({ theme, volume, name }).filter(([, value]) => value !== undefined);
  return { ...kept, ...Object.fromEntries(sent), changes, updatedAt: before['updatedAt'] };
};
const lose: Change = (before) => before;
const forgetVolume: Change = (before, sent, method) => ({
  ...store(before, sent, method),
  volume: before['volume'],
});

/** `status`: of a change; with 200 it returns the settings, as sent if `isEcho`. */
function createServer(change: Change, status = 200, isEcho = false): Sender['send'] {
  let settings: JsonObject = {
    theme: 'light',
    volume: 3,
    name: 'first',
    changes: 0,
    updatedAt: '2026-01-02T03:04:05Z',
  };
  return ({ method, body }) => {
    const sent = method === 'GET' ? {} : readSettings(body);
    const answer = (code: number, value?: JsonObject) => ({
      status: code,
      headers:
        value === undefined ? [] : [['content-type', 'application/json'] as [string, string]],
      body: value === undefined ? '' : renderJson(value),
      utf8: true,
    });
    let response = answer(400);
    if (sent !== undefined) {
      if (method !== 'GET') settings = change(settings, sent, method);
      const shown = isEcho ? { ...settings, ...sent } : settings;
      response = method === 'GET' || status === 200 ? answer(200, shown) : answer(status);
    }
    return Promise.resolve({ kind: 'answered', response });
  };
}

/** A valid body; undefined for any other. */
function readSettings(text: string | undefined): JsonObject | undefined {
  try {
    const value = parseJson(text ?? '');
    if (!isJsonObject(value)) return undefined;
    const {
      theme = 'light',
      volume = 0,
      name = '',
      updatedAt = '2026-01-02T03:04:05Z',
      changes = 0,
    } = value;
    const isValid =
      (theme === 'light' || theme === 'dark') &&
      Number.isInteger(volume) &&
      Number(volume) >= 0 &&
      Number(volume) <= 10 &&
      typeof name === 'string' &&
      Array.from(name).length <= 20 &&
      typeof updatedAt === 'string' &&
      /^\d{4}-\d\d-\d\dT/i.test(updatedAt) &&
      (typeof changes === 'bigint' || Number.isInteger(changes));
    return isValid ? value : undefined;
  } catch {
    return undefined;
  }
}

async function judgeTwice(load: typeof precise, send: Sender['send']) {
  const contract = await load();
  const sender = { send, [Symbol.asyncDispose]: () => Promise.resolve() };
  const run = (seed: number) =>
    runConformance(
      contract,
      { baseUrl: 'http://settings.test', apiKey: undefined },
      { clock: createStillClock(), sender, seed },
    );
  return [await run(1), await run(2)];
}

const stored = ['putSettings/state.stored', 'patchSettings/state.stored'];

describe.each([
  ['responses have members that requests do not set', precise],
  ['requests and responses share all members', shared],
])('if %s, a service', (_name, load) => {
  test('that stores changes conforms twice', async () => {
    for (const report of await judgeTwice(load, createServer(store))) {
      expect(listIds(report, 'failed')).toEqual([]);
      expect(listIds(report, 'passed')).toEqual(expect.arrayContaining(stored));
    }
  });

  test.each([
    ['and returns what is there', false],
    ['and returns what was sent', true],
  ])('that loses changes %s fails twice', async (_how, isEcho) => {
    for (const report of await judgeTwice(load, createServer(lose, 200, isEcho)))
      expect(listIds(report, 'failed')).toEqual(expect.arrayContaining(stored));
  });

  test('that loses only PATCH fails for PATCH', async () => {
    const change: Change = (before, sent, method) =>
      method === 'PATCH' ? before : store(before, sent, method);
    for (const report of await judgeTwice(load, createServer(change)))
      expect(listIds(report, 'failed')).toEqual(['patchSettings/state.stored']);
  });
});

test('a member that is not stored fails only if the document says that clients set it', async () => {
  for (const report of await judgeTwice(precise, createServer(forgetVolume)))
    expect(listIds(report, 'failed')).toEqual(stored);
  for (const report of await judgeTwice(shared, createServer(forgetVolume)))
    expect(listIds(report, 'failed')).toEqual([]);
});

test('a member set only by the service does not fail if it already had the value sent', async () => {
  const send = createServer(store);
  const refusing: Sender['send'] = (request, ...rest) =>
    request.method === 'GET' || /"theme":\s*"light"/.test(request.body ?? '')
      ? send(request, ...rest)
      : Promise.resolve({
          kind: 'answered',
          response: { status: 400, headers: [], body: '', utf8: true },
        });
  const members = `theme: { type: string, enum: [light, dark] }, ${ofService}`;
  for (const report of await judgeTwice(() => loadSettings(members, members), refusing))
    expect(listIds(report, 'failed')).not.toContain('putSettings/state.stored');
});

test('a change whose response has no body is read back', async () => {
  const load = () => loadSettings(own, `${own}, ${ofService}`, "'204': { description: Changed. }");
  const [right, wrong] = [createServer(store, 204), createServer(lose, 204)];
  for (const report of await judgeTwice(load, right)) {
    expect(listIds(report, 'failed')).toEqual([]);
    expect(listIds(report, 'passed')).toEqual(expect.arrayContaining(stored));
  }
  for (const report of await judgeTwice(load, wrong))
    expect(listIds(report, 'failed')).toEqual(expect.arrayContaining(stored));
});

test('a change still in progress proves nothing', async () => {
  const load = () => loadSettings(own, `${own}, ${ofService}`, "'202': { description: Later. }");
  for (const report of await judgeTwice(load, createServer(lose, 202))) {
    expect(listIds(report, 'failed')).toEqual([]);
    expect(listIds(report, 'not-tested')).toEqual(expect.arrayContaining(stored));
  }
});

test('members with other schemas in responses are not compared', async () => {
  const load = () =>
    loadSettings('theme: { type: string }', 'theme: { type: object }, id: { type: integer }');
  const contract = await load();
  const [report] = await judgeTwice(load, createServer(lose));
  expect(contract.operations.length).toBe(3);
  expect(report?.verdicts.map(({ requirement }) => requirement.id)).not.toContain(stored[0]);
});

test('values that responses cannot show are not compared', async () => {
  const others = own.replace('name: { type: string, maxLength: 20 }', '');
  const load = () =>
    loadSettings(own, `${others} name: { type: [string, 'null'], format: uri }, ${ofService}`);
  const emptyName: Change = (before, sent, method) => ({
    ...store(before, sent, method),
    name: null,
  });
  for (const report of await judgeTwice(load, createServer(emptyName)))
    expect(listIds(report, 'failed')).not.toContain(stored[0]);
});

/** Users with preferences; `isLost`: changes of preferences are not stored. */
function createUsers(isLost: boolean): Sender['send'] {
  const users: JsonObject[] = [{ id: 1, name: 'first' }];
  const preferences = new Map<string, JsonObject>();
  return ({ method, url, body }) => {
    const [, , id, below] = new URL(url).pathname.split('/');
    const sent = method === 'GET' ? {} : readObject(body);
    const answer = (status: number, value?: JsonObject | readonly JsonObject[]) => ({
      status,
      headers:
        value === undefined ? [] : [['content-type', 'application/json'] as [string, string]],
      body: value === undefined ? '' : renderJson(value),
      utf8: true,
    });
    let response = answer(404);
    const user = users.find((each) => renderJson(each['id'] ?? null) === id);
    if (sent === undefined) response = answer(400);
    else if (id === undefined && method === 'GET') response = answer(200, users);
    else if (id === undefined) {
      const name = sent['name'];
      const added = { id: users.length + 1, name };
      if (typeof name === 'string') users.push(added);
      response = typeof name === 'string' ? answer(201, added) : answer(400);
    } else if (user !== undefined && below === undefined) response = answer(200, user);
    else if (user !== undefined) {
      const { theme } = sent;
      const isValid = theme === undefined || theme === 'light' || theme === 'dark';
      if (method === 'PUT' && isValid && !isLost) preferences.set(id ?? '', { theme });
      response = isValid
        ? answer(200, preferences.get(id ?? '') ?? { theme: 'light' })
        : answer(400);
    }
    return Promise.resolve({ kind: 'answered', response });
  };
}

function readObject(text: string | undefined): JsonObject | undefined {
  try {
    const value = parseJson(text ?? '');
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const loadUsers = () =>
  loadYaml(
    `
paths:
  /users:
    get: { operationId: listUsers, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: $User } } } } } }
    post: { operationId: addUser, requestBody: { required: true, content: { application/json: { schema: $New } } }, responses: { '201': { description: Added., content: { application/json: { schema: $User } } }, '400': { description: Refused. } } }
  /users/{userId}:
    get: { operationId: getUser, parameters: [$Id], responses: { '200': { description: One., content: { application/json: { schema: $User } } }, '404': { description: None. } } }
  /users/{userId}/preferences:
    get: { operationId: getPreferences, parameters: [$Id], responses: { '200': { description: These., content: { application/json: { schema: $Preferences } } }, '404': { description: None. } } }
    put: { operationId: putPreferences, parameters: [$Id], requestBody: { required: true, content: { application/json: { schema: $Preferences } } }, responses: { '200': { description: Set., content: { application/json: { schema: $Preferences } } }, '400': { description: Refused. }, '404': { description: None. } } }
components:
  parameters: { Id: { name: userId, in: path, required: true, schema: { type: integer } } }
  schemas:
    New: { type: object, required: [name], properties: { name: { type: string } } }
    User: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
    Preferences: { type: object, properties: { theme: { type: string, enum: [light, dark] } } }
`
      .replaceAll(/\$(Id)/g, "{ $ref: '#/components/parameters/$1' }")
      .replaceAll(/\$(User|New|Preferences)/g, "{ $ref: '#/components/schemas/$1' }"),
  );

test.each([
  ['stores', 'passed', false],
  ['loses', 'failed', true],
] as const)('a service that %s the preferences of users', async (_what, kind, isLost) => {
  for (const report of await judgeTwice(loadUsers, createUsers(isLost)))
    expect(listIds(report, kind)).toContain('putPreferences/state.stored');
});
