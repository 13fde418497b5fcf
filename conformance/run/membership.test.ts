import { expect, test } from 'vitest';
import {
  isJsonObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import { answered, createFakeSender } from '../../test/conformance/fake-sender.ts';
import { listIds, loadYaml } from '../../test/conformance/judge-document.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { runConformance, type RunReport } from '../index.ts';

const json = (name: string): string =>
  `content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } }`;
const missing = `'404': { description: None. }`;
const id = (name: string): string =>
  `{ name: ${name}, in: path, required: true, schema: { type: integer } }`;

/** Paths of a collection whose items can be added, read and removed. */
const crud = (path: string, name: string): string => `
  /${path}:
    get: { operationId: list${name}s, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/${name}' } } } } } } }
    post: { operationId: add${name}, requestBody: { required: true, ${json(name)} }, responses: { '201': { description: Added., ${json(name)} }, '400': { description: Refused. } } }
  /${path}/{${name.toLowerCase()}Id}:
    parameters: [${id(`${name.toLowerCase()}Id`)}]
    get: { operationId: get${name}, responses: { '200': { description: One., ${json(name)} }, ${missing} } }
    delete: { operationId: remove${name}, responses: { '204': { description: Gone. }, ${missing} } }`;

/** Users become members of groups by a PUT, which documents no 201. */
const contract = await loadYaml(`paths:${crud('users', 'User')}${crud('groups', 'Group')}
  /groups/{groupId}/members:
    parameters: [${id('groupId')}]
    get: { operationId: listMembers, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Member' } } } } }, ${missing} } }
  /groups/{groupId}/members/{userId}:
    parameters: [${id('groupId')}, ${id('userId')}]
    get: { operationId: getMember, responses: { '200': { description: One., ${json('Member')} }, ${missing} } }
    put: { operationId: putMember, requestBody: { required: true, ${json('Role')} }, responses: { '204': { description: Done. }, '400': { description: Refused. }, ${missing} } }
    delete: { operationId: removeMember, responses: { '204': { description: Gone. }, ${missing} } }
components:
  schemas:
    User: { type: object, required: [name], properties: { id: { type: integer, readOnly: true }, name: { type: string, minLength: 1 } } }
    Group: { type: object, required: [title], properties: { id: { type: integer, readOnly: true }, title: { type: string, minLength: 1 } } }
    Role: { type: object, required: [role], properties: { role: { type: string, enum: [owner, reader] } } }
    Member: { type: object, required: [userId, role], properties: { userId: { type: integer }, role: { type: string, enum: [owner, reader] } } }
`);

interface Answer {
  readonly status: number;
  readonly body?: JsonValue;
}

const none: Answer = { status: 404 };
const refused: Answer = { status: 400 };

/** A server with a user and a group, where nobody is a member. */
class GroupServer {
  readonly items: Readonly<Record<string, Map<string, JsonObject>>> = {
    users: new Map([['1', { id: 1, name: 'Ann' }]]),
    groups: new Map([['2', { id: 2, title: 'All' }]]),
  };
  readonly members = new Map<string, JsonObject>();
  #given = 2;

  handle(method: string, path: string, body: JsonValue): Answer {
    const [, name = '', own, , user] = path.split('/');
    const items = this.items[name] ?? new Map<string, JsonObject>();
    if (own === undefined)
      return method === 'GET' ? shown([...items.values()]) : this.add(items, name, body);
    const item = items.get(own);
    if (item === undefined) return none;
    const key = `${own}/${user}`;
    if (path.endsWith('/members'))
      return shown(
        [...this.members].flatMap(([each, it]) => (each.startsWith(`${own}/`) ? [it] : [])),
      );
    if (user !== undefined) return this.handleMember(method, key, user, body);
    if (method === 'GET') return shown(item);
    items.delete(own);
    return { status: 204 };
  }

  add(items: Map<string, JsonObject>, name: string, body: JsonValue): Answer {
    const text = isJsonObject(body) ? body[name === 'users' ? 'name' : 'title'] : undefined;
    if (typeof text !== 'string' || text === '') return refused;
    this.#given += 1;
    const item = { id: this.#given, [name === 'users' ? 'name' : 'title']: text };
    items.set(`${this.#given}`, item);
    return { status: 201, body: item };
  }

  handleMember(method: string, key: string, user: string, body: JsonValue): Answer {
    if (method === 'PUT') return this.put(key, user, body);
    const member = this.members.get(key);
    if (member === undefined) return none;
    if (method === 'GET') return shown(member);
    this.members.delete(key);
    return { status: 204 };
  }

  put(key: string, user: string, body: JsonValue): Answer {
    const role = isJsonObject(body) ? body['role'] : undefined;
    if (role !== 'owner' && role !== 'reader') return refused;
    if (this.items['users']?.has(user) !== true) return none;
    this.members.set(key, { userId: Number(user), role });
    return { status: 204 };
  }
}

/** It stores another role. */
class ForgetfulServer extends GroupServer {
  override put(key: string, user: string, body: JsonValue): Answer {
    const answer = super.put(key, user, body);
    const other = this.members.get(key)?.['role'] === 'owner' ? 'reader' : 'owner';
    if (answer.status === 204) this.members.set(key, { userId: Number(user), role: other });
    return answer;
  }
}

function shown(body: JsonValue): Answer {
  return { status: 200, body };
}

function parse(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Two runs against one server, neither of which may change what was there before. */
async function judge(server: GroupServer): Promise<readonly RunReport[]> {
  const sender = createFakeSender(({ method, url, body = '' }) => {
    const { status, body: value } = server.handle(method, new URL(url).pathname, parse(body));
    return answered(status, value);
  });
  const reports: RunReport[] = [];
  for (const seed of [1, 2])
    reports.push(
      await runConformance(
        contract,
        { baseUrl: 'http://groups.test', apiKey: undefined },
        { clock: createStillClock(), sender, seed },
      ),
    );
  return reports;
}

test('a user of the run becomes a member of a group of the run', async () => {
  for (const report of await judge(new GroupServer())) {
    expect(listIds(report, 'failed')).toEqual([]);
    expect(listIds(report, 'passed')).toEqual(
      expect.arrayContaining(
        ['putMember', 'getMember', 'removeMember'].map(
          (each) => `${each}/status.${each === 'getMember' ? 200 : 204}`,
        ),
      ),
    );
  }
});

test('what becomes of a membership is judged', async () => {
  const [report] = await judge(new ForgetfulServer());
  expect(report && listIds(report, 'failed')).toContain('putMember/state.stored');
});
