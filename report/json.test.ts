import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { createMock } from '../mock/index.ts';
import { createMovableClock, runConformance, type Report } from '../conformance/index.ts';
import { listCredentialUses } from '../conformance/transport/credential.ts';
import { mergeSample } from '../test/report/merged-report.ts';
import { sampleReport } from '../test/report/sample-report.ts';
import { causeFact } from './cause/fact.ts';
import { composeReportSchema, readJsonReport, renderJsonReport } from './json.ts';
import * as codec from '../contract/json/codec.ts';
import { parseJson, renderJson } from '../contract/json/value.ts';
import { petstore as contract } from '../test/contract/petstore.ts';

const schema = composeReportSchema();
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictRequired: false,
  strictTypes: false,
  strictTuples: false,
});
addFormats.default(ajv);
const validate = ajv.compile(schema);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** What the published schema has against a document. */
function faultsOf(document: unknown): readonly string[] {
  validate(document);
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
  );
}

const { jsonObject, list, openObject } = codec;

/** The texts that the readers of reports and causes take in the one place where a document has another. */
function choicesOfReader(document: unknown): readonly string[] {
  try {
    const value = jsonObject.read(parseJson(JSON.stringify(document)), '');
    readJsonReport(value, contract);
    list(openObject({ fact: causeFact })).read(value['causes'] ?? [], '/causes');
    return [];
  } catch (error) {
    const [, choices] = /has to be one of ([^;]*)$/.exec(String(error)) ?? [];
    return choices?.split(', ').toSorted() ?? [];
  }
}

/** The texts that the published schema takes there. */
function choicesOfSchema(document: unknown): readonly string[] {
  validate(document);
  const allowed = (validate.errors ?? []).flatMap(({ params }): unknown[] => [
    ...(params['allowedValues'] ?? []),
    ...('allowedValue' in params ? [params['allowedValue']] : []),
  ]);
  return [...new Set(allowed.map(String))].toSorted();
}

/** Every object within a document, with the path of its kind. */
function* objectsOf(
  value: unknown,
  path = '',
): Generator<readonly [path: string, object: Record<string, unknown>]> {
  if (!isRecord(value)) return;
  const isList = Array.isArray(value);
  if (!isList) yield [path, value];
  for (const [name, inner] of Object.entries(value))
    yield* objectsOf(inner, `${path}/${isList ? '*' : name}`);
}

async function judgeMock(): Promise<Report> {
  const clock = createMovableClock();
  const mock = createMock(contract, { clock });
  const listening = await mock.listen({ port: 0, host: '127.0.0.1' });
  const report = await runConformance(
    contract,
    { baseUrl: listening.url, apiKey: mock.keys[0]?.key },
    { clock, exhaust: true },
  );
  await listening.close();
  return report;
}

const parse = (report: Report): unknown => JSON.parse(renderJsonReport(report, contract));

test('the published schema is that of the codec; `npm run unit -- report/json.test.ts -u` writes it', async () => {
  await expect(`${renderJson(schema, 2)}\n`).toMatchFileSnapshot('../docs/report.schema.json');
});

describe('a report as JSON', () => {
  test('matches the published schema, for a conforming target and a failing one', async () => {
    expect(faultsOf(parse(await judgeMock()))).toEqual([]);
    expect(faultsOf(parse(sampleReport(contract)))).toEqual([]);
  });

  test('matches the published schema, for a shard and a merged report', async () => {
    const { shards, merged } = await mergeSample(contract);
    for (const report of [...shards, merged]) expect(faultsOf(parse(report))).toEqual([]);
    const broken = { ...merged, merge: merged.merge && { ...merged.merge, count: 0 } };
    expect(faultsOf(parse(broken))).toEqual(['/merge/count must be >= 1']);
  });

  /** Causes may be left out, and what their exchanges are among. Members of an intent depend on its kind; those of a waiver's kin are required one by one. */
  const optional =
    /^\/exchanges\/\*\/intent\/(?!kind)|^\/causes(\/\*\/fact\/among)?$|^\/run\/times$/;

  test('may contain every kind of credential', () => {
    const report = sampleReport(contract);
    const [first, ...rest] = report.exchanges;
    const faults = listCredentialUses().flatMap((credential) => {
      const exchanges =
        first === undefined
          ? []
          : [{ ...first, request: { ...first.request, credential } }, ...rest];
      return faultsOf(parse({ ...report, exchanges }));
    });
    expect(faults).toEqual([]);
  });

  test('is rejected by the schema if any member is missing', () => {
    const document = parse(sampleReport(contract));
    const seen = new Set<string>();
    const unnoticed: string[] = [];
    for (const [path, object] of objectsOf(document)) {
      const kind =
        typeof object['verdict'] === 'string'
          ? object['verdict']
          : typeof object['kind'] === 'string'
            ? object['kind']
            : '';
      for (const [name, value] of Object.entries(object)) {
        const place = `${path}/${name}`;
        if (seen.has(place + kind) || optional.test(place)) continue;
        seen.add(place + kind);
        delete object[name];
        if (faultsOf(document).length === 0) unnoticed.push(place);
        object[name] = value;
      }
    }
    expect(unnoticed).toEqual([]);
    expect(seen.size).toBeGreaterThan(60);
  });

  test('has exactly the enum values of the schema', async () => {
    const { shards } = await mergeSample(contract);
    const compared = new Map<string, readonly string[]>();
    for (const document of [sampleReport(contract), ...shards].map(parse))
      for (const [path, object] of objectsOf(document))
        for (const [name, value] of Object.entries(object)) {
          const place = `${path}/${name}`;
          if (typeof value !== 'string' || compared.has(place)) continue;
          object[name] = 'none of them';
          const [known, listed] = [choicesOfReader(document), choicesOfSchema(document)];
          object[name] = value;
          compared.set(place, known);
          expect([place, listed]).toEqual([place, known]);
        }
    const named = (place: string): readonly string[] | undefined => compared.get(place);
    expect(named('/exchanges/*/intent/kind')).toContain('client');
    expect(named('/exchanges/*/request/credential')).toEqual([...listCredentialUses()].toSorted());
    expect(named('/verdicts/*/because/kind')).toContain('unclear');
    expect(named('/exchanges/*/outcome/error/reason')).toContain('timeout');
  });

  test('has no member that the schema does not name', () => {
    const named = new Set(
      [...JSON.stringify(schema).matchAll(/"([A-Za-z0-9-]+)":\{/g)].map(([, name]) => name),
    );
    named
      .add('kind')
      .add('format')
      .add('outcome')
      .add('level')
      .add('verdict')
      .add('credential')
      .add('reason')
      .add('state');
    const unnamed = [...objectsOf(parse(sampleReport(contract)))].flatMap(([path, object]) =>
      Object.keys(object)
        .filter((name) => !named.has(name))
        .map((name) => `${path}/${name}`),
    );
    expect(unnamed).toEqual([]);
  });

  test('is the same for the same report, and keeps every text unchanged', () => {
    expect(renderJsonReport(sampleReport(contract))).toBe(renderJsonReport(sampleReport(contract)));
    const [first] = sampleReport(contract).exchanges;
    expect(parse(sampleReport(contract))).toHaveProperty(
      'exchanges.0.request.body',
      first?.request.body,
    );
  });
});
