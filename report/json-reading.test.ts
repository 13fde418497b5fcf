import { expect, test } from 'vitest';
import { petstore } from '../test/contract/petstore.ts';
import { type JsonObject, isJsonObject, parseJson } from '../contract/json/value.ts';
import { readJsonReport, renderHtml, renderJsonReport } from './index.ts';
import { sampleReport } from '../test/report/sample-report.ts';

const report = sampleReport(petstore);
const text = renderJsonReport(report, petstore);

/** The sample as its file has it, with other members. */
const file = (change: (members: JsonObject) => JsonObject): JsonObject => {
  const value = parseJson(text);
  return isJsonObject(value) ? { ...value, ...change(value) } : {};
};

test('a report reads back from its file unchanged', () => {
  const read = readJsonReport(
    file(() => ({})),
    petstore,
  );
  expect(renderJsonReport(read, petstore)).toBe(text);
  expect(renderHtml(read, petstore)).toBe(renderHtml(report, petstore));
});

test('requirements missing from the document come from the file', () => {
  const other = { ...petstore, operations: [], resources: [] };
  const read = readJsonReport(
    file(() => ({})),
    other,
  );
  expect(renderJsonReport(read)).toBe(renderJsonReport(report));
  expect(renderHtml(read, petstore)).toContain(report.verdicts[0]?.requirement.sentence);
  const client = readJsonReport(
    file(() => ({ client: 'a shop' })),
    other,
  );
  expect(client.verdicts[0]?.requirement.subject.kind).toBe('client');
});

test('claims of a file that contradict its verdicts are ignored', () => {
  const read = readJsonReport(
    file(() => ({
      outcome: 'conforms',
      counts: { passed: 1, failed: 0, waived: 0, 'not-tested': 0, open: 0 },
    })),
    petstore,
  );
  expect([read.outcome, read.counts]).toEqual(['failed', report.counts]);
});

test.each([
  ['a format to come', () => ({ format: 'petstore-conformance-report/2' }), '/format has to be'],
  ['no verdicts', () => ({ verdicts: null }), '/verdicts has to be a list'],
  ['no time', () => ({ run: { seed: 1 } }), '/run/'],
  [
    'an exchange that is not there',
    ({ verdicts }) => ({ verdicts, exchanges: [] }),
    'has to be the index of an exchange',
  ],
  [
    'exchanges of another form',
    () => ({ exchanges: [{ index: 0 }] }),
    '/exchanges/0/probe is missing',
  ],
  [
    'exchanges out of turn',
    ({ exchanges }) => ({ exchanges: Array.isArray(exchanges) ? exchanges.toReversed() : [] }),
    '/exchanges/0/index has to be 0',
  ],
] satisfies readonly (readonly [string, (members: JsonObject) => JsonObject, string])[])(
  'a file with %s is rejected with the position',
  (_name, change, message) => {
    expect(() => readJsonReport(file(change), petstore)).toThrow(message);
  },
);

test('a URL that would make a report too long to show is rejected', () => {
  const target = { baseUrl: `http://${'a'.repeat(2000)}`, plan: null };
  expect(() =>
    readJsonReport(
      file(() => ({ target })),
      petstore,
    ),
  ).toThrow('an address of at most 2000 characters');
});
