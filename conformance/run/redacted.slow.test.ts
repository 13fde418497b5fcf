import { describe, expect, test } from 'vitest';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  renderJson,
} from '../../contract/json/value.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { rerunDifferences } from '../../test/conformance/log-run.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { answered, createFakeSender } from '../../test/conformance/fake-sender.ts';
import { loadYaml, serveDocument } from '../../test/conformance/judge-document.ts';
import { type Exchange, readJson, type ReceivedResponse } from '../transport/exchange.ts';
import { rerun } from './rerun.ts';
import type { RunReport } from './report.ts';
import { runConformance } from './run.ts';

type Change = (response: ReceivedResponse, nth: number) => ReceivedResponse;

/** A key that no response contains. */
const neutral = 'k3y-of-no-text';

/** Judges the mock with a key that its responses contain by chance. */
async function judge(apiKey: string, change: Change = (response) => response): Promise<RunReport> {
  const authorization = (sent: string): string =>
    sent === `Bearer ${apiKey}` ? 'Bearer pro_any' : sent.replaceAll('pro_any', 'none');
  let nth = 0;
  const run = await serveDocument(contract, (response) => change(response, (nth += 1)), {
    apiKey,
    authorization,
  });
  return await run(contract, { plan: 'Pro', requests: 120, exhaust: true, disposable: false });
}

function verdictsOf(report: RunReport, kind: string): readonly string[] {
  const found = report.verdicts.filter((verdict) => verdict.kind === kind);
  return found.map(({ requirement }) => requirement.id);
}

const words = [
  'test',
  'pets',
  'name',
  '1',
  'id',
  'available',
  'e',
  'status',
  'code',
  'sold',
  'pending',
  'true',
  'null',
  '1234',
  'message',
  'categoryId',
  'application',
  'json',
  'unauthorized',
  'X-RateLimit-Limit',
  'Content-Type',
  '"name"',
  '{"id":',
  '":"',
  '[{"i',
  'rate',
  '2026',
];

describe('the text of the key never fails a requirement', () => {
  test.each(words)('%s', async (key) => {
    const report = await judge(key);
    expect(verdictsOf(report, 'failed')).toEqual([]);
    expect(await rerunDifferences(contract, report)).toEqual([]);
  });

  test.each(['name', 'available', 'application'])('what %s hides is reported', async (key) => {
    const untested = verdictsOf(await judge(neutral), 'not-tested');
    const report = await judge(key);
    const hidden = report.verdicts.filter(
      ({ kind, requirement }) => kind === 'not-tested' && !untested.includes(requirement.id),
    );
    expect(hidden.length).toBeGreaterThan(5);
    for (const verdict of hidden)
      expect(verdict).toMatchObject({ reason: expect.stringMatching(/^request \d+: .*\bkey\b/) });
  });

  test('nor do its encoded forms in headers, names and values', async () => {
    const key = 'k3y/of "n0"+text';
    const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64')];
    const report = await judge(key, (response, nth) => {
      const json = readJson(response.body);
      const form = forms[nth % forms.length] ?? '';
      const body = isJsonObject(json)
        ? renderJson({ ...json, [form]: form, note: form })
        : response.body;
      const headers = [
        ...response.headers,
        [`X-Note`, form] as const,
        ['Location', `/${form}/1`] as const,
      ];
      return { ...response, headers, body };
    });
    expect(verdictsOf(report, 'failed')).toEqual([]);
    expect(JSON.stringify(report.exchanges)).not.toContain('k3y');
    expect(await rerunDifferences(contract, report)).toEqual([]);
  });
});

/** Faults of a server, by what becomes of each item or error that it shows. */
const faults: Readonly<Record<string, (value: JsonObject) => JsonObject>> = {
  'a status of its own': (value) => ('status' in value ? { ...value, status: 'unknown' } : value),
  'a longer status': (value) =>
    typeof value['status'] === 'string' ? { ...value, status: `${value['status']}s` } : value,
  'no name': ({ name: _name, ...rest }) => rest,
  'a cut name': (value) =>
    typeof value['name'] === 'string' ? { ...value, name: value['name'].slice(0, 4) } : value,
  'a number for a text': (value) => ('code' in value ? { ...value, code: 7 } : value),
  'no code': ({ code: _code, ...rest }) => rest,
  'the same identifier': (value) => ('name' in value ? { ...value, id: 1n } : value),
};

describe.each(Object.entries(faults))('a server with %s', (_name, fault) => {
  test('fails with every key if it fails with one', { timeout: 240_000 }, async () => {
    const change: Change = (response) => {
      const json = readJson(response.body);
      if (isJsonArray(json))
        return {
          ...response,
          body: renderJson(json.map((each) => (isJsonObject(each) ? fault(each) : each))),
        };
      return isJsonObject(json) ? { ...response, body: renderJson(fault(json)) } : response;
    };
    const failed = verdictsOf(await judge(neutral, change), 'failed');
    expect(failed).not.toEqual([]);
    for (const key of ['available', 'name', 'code', 'unknown', 'unauthorized', 'message']) {
      const report = await judge(key, change);
      const passed = verdictsOf(report, 'passed').filter((id) => failed.includes(id));
      expect([key, passed]).toEqual([key, []]);
    }
    const other = verdictsOf(await judge('unauthorized', change), 'failed');
    expect(other).toEqual(failed);
  });
});

test('a string that contains the key is not judged by any schema keyword', async () => {
  const document = await loadYaml(`
paths:
  /links:
    get:
      operationId: links
      responses: { '200': { description: ok, headers: { X-Page: { required: true, schema: { type: string, format: uri } } }, content: { application/json: { schema: { $ref: '#/components/schemas/Links' } } } } }
components:
  schemas:
    Links:
      type: object
      required: [uri, short, word, list, plain]
      properties:
        uri: { type: string, format: uri }
        short: { type: string, maxLength: 6 }
        word: { type: string, pattern: '^[a-z]+$' }
        kind: { enum: [test, other] }
        list: { type: array, uniqueItems: true, items: { type: string } }
        plain: { type: string }
`);
  const body = {
    uri: 'https://test.example.org/',
    short: 'test',
    word: 'test',
    kind: 'test',
    list: ['test', 'a test'],
    plain: 'a test',
  };
  const page = { 'X-Page': 'https://test.example.org/' };
  const report = await runConformance(
    document,
    { baseUrl: 'http://h/v1', apiKey: 'test' },
    { clock: createStillClock(), sender: createFakeSender(() => answered(200, body, page)) },
  );
  expect(verdictsOf(report, 'failed')).toEqual([]);
  const passed = verdictsOf(report, 'passed').join(' ');
  for (const name of [
    'uri.format',
    'short.maxLength',
    'word.pattern',
    'kind.values',
    'header.X-Page',
  ])
    expect(passed).not.toContain(name);
  for (const name of ['uri.type', 'plain.type', 'plain.required']) expect(passed).toContain(name);
  expect(await rerunDifferences(document, report)).toEqual([]);
});

test('a log with additional redactions never passes more', async () => {
  const change: Change = (response) => ({
    ...response,
    body: response.body.replaceAll('"available"', '"unknown"'),
  });
  const report = await judge(neutral, change);
  const failed = verdictsOf(report, 'failed');
  const forged = report.exchanges.map((exchange): Exchange => {
    const { outcome } = exchange;
    if (outcome.kind !== 'answered') return exchange;
    const body = outcome.response.body.replaceAll('unknown', '[redacted]');
    return { ...exchange, outcome: { ...outcome, response: { ...outcome.response, body } } };
  });
  const hidden = await rerun(contract, report.record, forged);
  const passed = hidden.report === undefined ? [] : verdictsOf(hidden.report, 'passed');
  expect(passed.filter((id) => failed.includes(id))).toEqual([]);
});
