import { describe, expect, test } from 'vitest';
import {
  isJsonObject,
  parseJson,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../contract/json/value.ts';
import { loadYaml } from '../test/conformance/judge-document.ts';
import { hostile, sampleReport } from '../test/report/sample-report.ts';
import { renderHar } from './har.ts';
import { petstore as contract } from '../test/contract/petstore.ts';

const report = sampleReport(contract);
const archive = parseJson(renderHar(report, contract));

const member = (
  value: JsonValue | undefined,
  ...path: readonly string[]
): JsonValue | undefined => {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  return isJsonObject(value) ? member(value[name], ...rest) : undefined;
};
const entries: readonly JsonObject[] = [member(archive, 'log', 'entries')].flatMap((list) =>
  Array.isArray(list) ? list.filter(isJsonObject) : [],
);

/** The members that HTTP Archive 1.2 requires, by the object that has them. */
const required: readonly (readonly [path: readonly string[], members: readonly string[]])[] = [
  [[], ['startedDateTime', 'time', 'request', 'response', 'cache', 'timings']],
  [
    ['request'],
    [
      'method',
      'url',
      'httpVersion',
      'cookies',
      'headers',
      'queryString',
      'headersSize',
      'bodySize',
    ],
  ],
  [
    ['response'],
    [
      'status',
      'statusText',
      'httpVersion',
      'cookies',
      'headers',
      'content',
      'redirectURL',
      'headersSize',
      'bodySize',
    ],
  ],
  [
    ['response', 'content'],
    ['size', 'mimeType'],
  ],
  [['timings'], ['send', 'wait', 'receive']],
];

describe('a report as HTTP Archive', () => {
  test('has an entry for each exchange with every required member', () => {
    expect(member(archive, 'log', 'version')).toBe('1.2');
    expect(member(archive, 'log', 'creator', 'name')).toBe('petstore-contract');
    expect(entries).toHaveLength(report.exchanges.length);
    for (const entry of entries) {
      for (const [path, members] of required) {
        const object = member(entry, ...path);
        expect(
          isJsonObject(object) ? members.filter((name) => object[name] === undefined) : path,
        ).toEqual([]);
      }
    }
  });

  test('has requests and responses unchanged, with the key redacted', () => {
    const [create, get] = entries;
    expect(member(create, 'request', 'postData', 'text')).toContain("it's ");
    expect(member(create, 'request', 'headers')).toContainEqual({
      name: 'authorization',
      value: 'Bearer [redacted]',
    });
    expect(member(get, 'request', 'url')).toBe('http://127.0.0.1:4010/v1/pets/31');
    expect(member(get, 'response', 'status')).toBe(200);
    expect(member(get, 'response', 'content', 'text')).toBe(
      hostile.toWellFormed() === hostile ? hostile : member(get, 'response', 'content', 'text'),
    );
    expect(member(entries[3], 'request', 'queryString')).toEqual([{ name: 'limit', value: '1' }]);
  });

  test('has no credential that was not sent, and one in the query like one in a header', async () => {
    const requestOf = (text: string): JsonValue | undefined => {
      const list = member(parseJson(text), 'log', 'entries');
      return Array.isArray(list) ? member(list[0], 'request') : undefined;
    };
    const target = { ...report.target, isKeyless: true };
    const keyless = requestOf(renderHar({ ...report, target }, contract));
    expect(renderJson(keyless ?? null)).not.toContain('authorization');
    const inQuery = await loadYaml(`
security: [{ key: [] }]
paths: { /pets: { post: { operationId: createPet, responses: { '201': { description: Added. } } } } }
components: { securitySchemes: { key: { type: apiKey, in: query, name: api_key } } }
`);
    expect(requestOf(renderHar(report, inQuery))).toMatchObject({
      url: 'http://127.0.0.1:4010/v1/pets?api_key=%5Bredacted%5D',
      queryString: [{ name: 'api_key', value: '[redacted]' }],
    });
    // Traffic already shows it.
    const exchanges = report.exchanges.map((exchange) => ({
      ...exchange,
      request: { ...exchange.request, target: '/pets?api_key=[redacted]' },
    }));
    expect(requestOf(renderHar({ ...report, exchanges }, inQuery))).toMatchObject({
      queryString: [{ name: 'api_key', value: '[redacted]' }],
    });
  });

  test('records an exchange without a response as browsers do', () => {
    expect(member(entries[4], 'response', 'status')).toBe(0);
    expect(member(entries[4], 'response', '_error')).toBe('no response: it timed out');
  });
});
