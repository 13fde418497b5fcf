import { describe, expect, test } from 'vitest';
import { isJsonObject, parseJson, renderJson, type JsonObject } from '../../contract/json/value.ts';
import {
  type Change,
  judgeDocument,
  listIds,
  loadYaml,
} from '../../test/conformance/judge-document.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { runConformance, type Sender } from '../index.ts';

const entry =
  "{ content: { application/json: { schema: { $ref: '#/components/schemas/Entry' } } } }";

/** Entries whose keys clients choose; `post`: the service may choose them too. */
const loadEntries = (statuses: readonly number[], post = '') =>
  loadYaml(`
paths:
  /entries:
    get:
      operationId: listEntries
      responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Entry' } } } } } }
${post}
  /entries/{key}:
    parameters: [{ name: key, in: path, required: true, schema: { $ref: '#/components/schemas/Key' } }]
    get:
      operationId: getEntry
      responses:
        '200': { description: One., ${entry.slice(2)}
        '404': { description: None. }
    put:
      operationId: putEntry
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewEntry' } } } }
      responses:
${statuses.map((status) => `        '${status}': { description: Stored.${status === 204 ? '' : `, ${entry.slice(2, -2)}`} }`).join('\n')}
        '400': { description: Refused. }
    delete:
      operationId: dropEntry
      responses: { '204': { description: Gone. }, '404': { description: None. } }
components:
  schemas:
    Key: { type: string, pattern: '^[a-z]{3,20}$' }
    NewEntry: { type: object, required: [value], properties: { key: { $ref: '#/components/schemas/Key' }, value: { type: string } } }
    Entry: { type: object, required: [key, value], properties: { key: { $ref: '#/components/schemas/Key' }, value: { type: string } } }
`);

const post = `    post:
      operationId: addEntry
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewEntry' } } } }
      responses:
        '201': { description: Added., ${entry.slice(2)}
        '400': { description: Refused. }`;

type Entries = Map<string, JsonObject>;
type Answer = readonly [status: number, body?: JsonObject | readonly JsonObject[]];

/** What a PUT does; `key`: that of its path. */
type Put = (entries: Entries, key: string, sent: JsonObject) => Answer;

const createPut =
  (added: number, replaced: number): Put =>
  (entries, key, sent) => {
    const status = entries.has(key) ? replaced : added;
    const item = { ...sent, key };
    entries.set(key, item);
    return status === 204 ? [status] : [status, item];
  };

/** A plain server that keeps what earlier runs left. */
function createServer(put: Put): Sender['send'] {
  const entries: Entries = new Map([['first', { key: 'first', value: 'here before' }]]);
  const answer = (method: string, url: string, text = ''): Answer => {
    const key = decodeURIComponent(/\/entries\/([^/?]*)/.exec(url)?.[1] ?? '');
    const known = entries.get(key);
    if (method === 'GET')
      return key === '' ? [200, [...entries.values()]] : known ? [200, known] : [404];
    if (method === 'DELETE') return entries.delete(key) ? [204] : [404];
    const sent = readObject(text);
    if (sent === undefined) return [400];
    if (method === 'PUT')
      return sent['key'] === undefined || sent['key'] === key ? put(entries, key, sent) : [400];
    const own = `key${'abcdefghij'[entries.size % 10]}${'abcdefghij'[Math.floor(entries.size / 10) % 10]}${'abcdefghij'[Math.floor(entries.size / 100)]}x`;
    const item = { ...sent, key: own };
    entries.set(own, item);
    return [201, item];
  };
  return (request) => {
    const [status, body] = answer(request.method, request.url, request.body);
    const headers: [string, string][] =
      body === undefined ? [] : [['content-type', 'application/json']];
    const response = {
      status,
      headers,
      body: body === undefined ? '' : renderJson(body),
      utf8: true,
    };
    return Promise.resolve({ kind: 'answered', response });
  };
}

/** A valid body; undefined for any other. */
function readObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    if (!isJsonObject(value) || typeof value['value'] !== 'string') return undefined;
    const { key, value: stored } = value;
    if (key === undefined) return { value: stored };
    return typeof key === 'string' && /^[a-z]{3,20}$/.test(key)
      ? { key, value: stored }
      : undefined;
  } catch {
    return undefined;
  }
}

async function judgeTwice(statuses: readonly number[], more: string, put: Put) {
  const contract = await loadEntries(statuses, more);
  const sender = { send: createServer(put), [Symbol.asyncDispose]: () => Promise.resolve() };
  const run = (seed: number) =>
    runConformance(
      contract,
      { baseUrl: 'http://entries.test', apiKey: undefined },
      { clock: createStillClock(), sender, seed },
    );
  return [await run(1), await run(2)];
}

describe.each([
  ['only by PUT', ''],
  ['by PUT and POST', post],
])('a service that adds items %s', (_name, more) => {
  test.each([
    ['200 and 201', [200, 201], 201, 200],
    ['201 and 204', [201, 204], 201, 204],
    ['201 only', [201], 201, 201],
  ] as const)('conforms twice with %s', async (_statuses, statuses, added, replaced) => {
    for (const report of await judgeTwice(statuses, more, createPut(added, replaced))) {
      expect(listIds(report, 'failed')).toEqual([]);
      expect(report.outcome).toBe('conforms');
      expect(listIds(report, 'passed')).toEqual(
        expect.arrayContaining([
          'putEntry/state.stored',
          ...(more === '' ? ['putEntry/concurrency.stored'] : []),
          'putEntry/response.201.body',
          'listEntries/state.listed',
          'dropEntry/state.removed',
          'dropEntry/status.404',
          'getEntry/status.404',
          ...(replaced === added ? [] : ['putEntry/state.created']),
        ]),
      );
    }
  });

  const right = createPut(201, 200);
  const faults: readonly (readonly [fault: string, failed: string, put: Put])[] = [
    [
      'does not store what it adds',
      'putEntry/state.stored',
      (entries, key, sent) =>
        entries.has(key) ? right(entries, key, sent) : [201, { ...sent, key }],
    ],
    [
      'stores it under another key',
      'putEntry/state.stored',
      (entries, key, sent) => {
        if (entries.has(key)) return right(entries, key, sent);
        entries.set(`${key}x`, { ...sent, key: `${key}x` });
        return [201, { ...sent, key }];
      },
    ],
    [
      'answers another key',
      'putEntry/state.id-kept',
      (entries, key, sent) => {
        const [status] = right(entries, key, sent);
        return [status, { ...sent, key: 'other' }];
      },
    ],
    ['returns 201 for a replacement', 'putEntry/state.created', createPut(201, 201)],
    ['returns 200 for an addition', 'putEntry/state.created', createPut(200, 200)],
    [
      'replaces another item as well',
      'putEntry/state.stored',
      (entries, key, sent) => {
        const other = [...entries.keys()].at(-1) ?? '';
        entries.set(other, { ...sent, key: other });
        return right(entries, key, sent);
      },
    ],
    [
      'never replaces',
      'putEntry/state.stored',
      (entries, key, sent) =>
        entries.has(key) ? [200, { ...sent, key }] : right(entries, key, sent),
    ],
  ];
  test.each(faults)('fails if it %s', async (_fault, failed, put) => {
    for (const report of await judgeTwice([200, 201], more, put)) {
      expect(report.outcome).toBe('failed');
      expect(listIds(report, 'failed')).toContain(failed);
    }
  });
});

const schemas = `
components:
  schemas:
    Entry: { type: object, required: [key, on], properties: { key: { type: string }, on: { type: boolean } } }
    Rule: { type: object, required: [name], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
`;
const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const ofEntry = json("{ $ref: '#/components/schemas/Entry' }");
const rule = json("{ $ref: '#/components/schemas/Rule' }");
const rules = json("{ type: array, items: { $ref: '#/components/schemas/Rule' } }");
const keyed = 'parameters: [{ name: key, in: path, required: true, schema: { type: string } }]';

/** Entries that only a PUT adds, with rules in them. `operation`: how those change. */
const loadNested = async (operation: string) =>
  await loadYaml(`paths:
  /entries:
    get: { operationId: listEntries, responses: { '200': { description: All., ${json("{ type: array, items: { $ref: '#/components/schemas/Entry' } }")} } } }
  /entries/{key}:
    ${keyed}
    get: { operationId: getEntry, responses: { '200': { description: One., ${ofEntry} }, '404': { description: None. } } }
    put: { operationId: putEntry, requestBody: { required: true, ${json('{ type: object, required: [on], properties: { on: { type: boolean } } }')} }, responses: { '200': { description: Changed., ${ofEntry} }, '201': { description: Added., ${ofEntry} } } }
  /entries/{key}/rules:
    ${keyed}
    get: { operationId: listRules, responses: { '200': { description: All., ${rules} }, '404': { description: None. } } }
    ${operation}
${schemas}`);

test('an item added by PUT belongs to the run, which may change it', async () => {
  const put = `put: { operationId: putRules, requestBody: { required: true, ${rules} }, responses: { '200': { description: Changed., ${rules} }, '404': { description: None. } } }`;
  const report = await judgeDocument(await loadNested(put), { disposable: false });
  expect(listIds(report, 'passed')).toContain('putRules/status.200');
});

test('a value lost from an item added by PUT is detected', async () => {
  const post = `post: { operationId: addRule, requestBody: { required: true, ${rule} }, responses: { '201': { description: Added., ${rule} }, '404': { description: None. } } }`;
  const contract = await loadNested(post);
  const judge = async (change?: Change) =>
    listIds(await judgeDocument(contract, { disposable: false }, change), 'failed');
  expect(await judge()).toEqual([]);
  const forget: Change = (response, { method, url }) =>
    method === 'GET' && url.endsWith('/rules') ? { ...response, body: '[]' } : response;
  expect(await judge(forget)).toContain('listRules/state.listed');
});
