import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { compareReports } from '../../conformance/compare/comparison.ts';
import type { Report } from '../../conformance/run/report.ts';
import { hostile, sampleReport } from '../../test/report/sample-report.ts';
import type { Verdict } from '../../conformance/judge/verdict.ts';
import { composeComparisonSchema, renderJsonComparison } from '../comparison-json.ts';
import { renderJson } from '../../contract/json/value.ts';
import { renderBriefComparison, renderComparison } from './comparison.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const schema = composeComparisonSchema();
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictRequired: false,
  strictTypes: false,
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

const broken = sampleReport(contract);

function change(
  report: Report,
  verdict: (verdict: Verdict) => Verdict,
  baseUrl = 'http://127.0.0.1:4011/v1',
): Report {
  return {
    ...report,
    target: { ...report.target, baseUrl },
    verdicts: report.verdicts.map(verdict),
  };
}

const hold = ({ requirement }: Verdict): Verdict => ({
  kind: 'passed',
  requirement,
  exchanges: [0],
});

/** A report like the sample, but for one verdict of each kind. */
const other = change(broken, (verdict) => {
  const { id } = verdict.requirement;
  if (id === 'getPet/state.read.name' || id === 'createPet/status.201') return hold(verdict);
  if (id === 'listPets/auth.invalid')
    return {
      kind: 'failed',
      requirement: verdict.requirement,
      failures: [
        { exchange: 2, others: [], expected: '401, since the key is made up', received: '500 {}' },
      ],
    };
  if (id === '*/open.list-order')
    return {
      kind: 'open',
      requirement: verdict.requirement,
      observations: [{ choices: ['id-ascending'], exchange: 2, evidence: hostile }],
    };
  if (id === '*/open.paging')
    return {
      kind: 'not-tested',
      requirement: verdict.requirement,
      reason: 'no response shows it',
    };
  return verdict;
});

const comparison = compareReports(contract, broken, other);

describe('a comparison', () => {
  test('shows only what differs', () => {
    expect(
      comparison.failures.map(({ requirement, verdicts }) => [
        requirement.id,
        verdicts.a.kind,
        verdicts.b.kind,
      ]),
    ).toEqual([
      ['listPets/auth.invalid', 'failed', 'failed'],
      ['createPet/status.201', 'waived', 'passed'],
      ['getPet/state.read.name', 'failed', 'passed'],
    ]);
    expect(comparison.choices.map(({ question }) => question)).toEqual(['list-order']);
    expect(
      comparison.oneSided.map(({ requirement, shownBy, reason }) => [
        requirement.id,
        shownBy,
        reason,
      ]),
    ).toEqual([['*/open.paging', 'a', 'no response shows it']]);
  });

  test('of a report with itself is one line', () => {
    const same = compareReports(contract, broken, broken);
    expect([same.outcome, same.failures, same.choices, same.oneSided]).toEqual([
      'same',
      [],
      [],
      [],
    ]);
    expect(renderComparison(same, contract)).toMatch(
      /^A http:\/\/127\.0\.0\.1:4010\/v1\nB http:\/\/127\.0\.0\.1:4010\/v1\nNo differences\.\nCompared: \d+ requirements and 30 open questions, seed 1\.\n/,
    );
  });

  test('a requirement that one side fails and the other did not test is a difference, with the reason', () => {
    const unreached = change(broken, (verdict) =>
      verdict.kind === 'failed'
        ? {
            kind: 'not-tested',
            requirement: verdict.requirement,
            reason: 'all requests of the plan were sent',
          }
        : verdict,
    );
    const { outcome, oneSided } = compareReports(contract, unreached, broken);
    expect([outcome, oneSided]).toEqual(['different', []]);
    expect(renderComparison(compareReports(contract, unreached, broken), contract)).toContain(
      '  on A       not tested: all requests of the plan were sent',
    );
  });
});

describe('a comparison for a terminal', () => {
  const text = renderComparison(comparison, contract);

  test('shows the failure of each failing side, and what the other did', () => {
    expect(text).toMatch(/^BOTH FAIL, DIFFERENTLY {2}listPets\/auth\.invalid\n/);
    expect(text).toMatch(
      / {2}on A {7}http:\/\/127\.0\.0\.1:4010\/v1\n {2}sent [^]*curl -i 'http:\/\/127\.0\.0\.1:4010[^]* {2}on B {7}http:\/\/127\.0\.0\.1:4011\/v1\n {2}sent [^]*curl -i 'http:\/\/127\.0\.0\.1:4011/,
    );
    expect(text).toContain('ONLY A FAILS  getPet/state.read.name');
    expect(text).toContain('  on B       passed\n');
    expect(text).toContain('They differ in 3 requirements and 1 open question.');
    expect(text).toContain('Seen on one side only (not a difference): 1 by A (*/open.paging)');
    expect(renderBriefComparison(comparison, contract)).not.toContain('Seen on one side only');
  });

  test('contains no cursor movement, and fits the width except for commands', () => {
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(
      text.split('\n').filter((line) => line.length > 100 && !/curl|replay/.test(line)),
    ).toEqual([]);
  });
});

test('the published schema is that of the codec; `npm run unit -- report/text/comparison.test.ts -u` writes it', async () => {
  await expect(`${renderJson(schema, 2)}\n`).toMatchFileSnapshot('../../docs/diff.schema.json');
});

describe('a comparison as JSON', () => {
  const document: unknown = JSON.parse(renderJsonComparison(comparison, contract));

  test('matches the published schema, whatever differs', () => {
    expect(faultsOf(document)).toEqual([]);
    expect(
      faultsOf(JSON.parse(renderJsonComparison(compareReports(contract, other, broken), contract))),
    ).toEqual([]);
    expect(
      faultsOf(
        JSON.parse(renderJsonComparison(compareReports(contract, broken, broken), contract)),
      ),
    ).toEqual([]);
  });

  test('is rejected by the schema if any member is missing', () => {
    const unnoticed: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (!isRecord(value)) return;
      for (const [name, inner] of Object.entries(value)) {
        visit(inner, `${path}/${name}`);
        if (Array.isArray(value)) continue;
        delete value[name];
        if (faultsOf(document).length === 0) unnoticed.push(`${path}/${name}`);
        value[name] = inner;
      }
    };
    visit(document, '');
    expect(unnoticed).toEqual([]);
  });
});
