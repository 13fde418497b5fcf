import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { type Report } from '../conformance/index.ts';
import {
  plainLayout,
  renderHar,
  renderHtml,
  renderJsonReport,
  renderJunit,
  renderMarkdown,
  renderText,
} from '../report/index.ts';
import { parseJson } from '../contract/json/value.ts';
import { composeClientReport, judgeClient } from './judge.ts';
import { begin, composeLog, type LogEntry } from '../test/client/log.ts';
import { petstore as contract } from '../test/contract/petstore.ts';

const log = (entries: readonly LogEntry[]): Report => {
  const exchanges = composeLog(contract, entries);
  return composeClientReport(
    contract,
    {
      name: 'node shop.js',
      baseUrl: 'http://127.0.0.1:4010/v1',
      plan: 'Free',
      from: begin,
      to: begin + 90_000,
    },
    exchanges,
    judgeClient(contract, exchanges, { scenarios: [] }),
  );
};
const good = log([{}]);
const bad = log([{ target: '/pets/1' }, { target: '/pets?limit=0&key=[redacted]' }]);

const schema: unknown = JSON.parse(
  readFileSync(new URL('../docs/report.schema.json', import.meta.url), 'utf8'),
);
const ajv = new Ajv2020({
  strict: true,
  strictRequired: false,
  strictTypes: false,
  strictTuples: false,
});
addFormats.default(ajv);
const validate = ajv.compile(typeof schema === 'object' && schema !== null ? schema : {});

describe('a report on a client', () => {
  test('fails a client for a broken "must", not for a broken "should"', () => {
    expect([good.outcome, bad.outcome, log([{ target: '/pets/1' }]).outcome]).toEqual([
      'conforms',
      'failed',
      'conforms',
    ]);
  });

  test('describes a client, not a server', () => {
    expect(renderText(good, contract, plainLayout)).toMatch(
      /The client node shop\.js conforms to Petstore 1\.0\.0, as far as was tested: .*\n(?:.*\n)?1 request in 90\.00 s\.\n$/,
    );
    const text = renderText(bad, contract, { ...plainLayout, width: 120 });
    expect(text).toContain('The client node shop.js fails 2 rules of Petstore 1.0.0: ');
    expect(text).toContain('FAILED  Broken: The client sends only parameters');
    expect(text).toContain('  received   GET /pets?limit=0&key=[redacted], where it is "0"');
    expect(text).toContain('Recommendations not followed\n  client/getPet.deprecated\n');
    expect(text).not.toMatch(/curl|seed|Open questions/);
  });

  test('is a report in every format', () => {
    for (const report of [good, bad]) {
      expect([validate(JSON.parse(renderJsonReport(report))), validate.errors]).toEqual([
        true,
        null,
      ]);
      expect(renderJunit(report, contract)).toContain('name="client/request.valid"');
      expect(renderMarkdown(report, contract)).toMatch(/^## Conformance: The client node shop\.js/);
      expect(renderMarkdown(report, contract)).not.toMatch(/seed|```sh/);
      expect(parseJson(renderHar(report, contract))).toMatchObject({ log: { version: '1.2' } });
      const page = renderHtml(report, contract);
      expect(page).toContain('<p class="kind">Report on a client: ');
      expect(page.replace(/>\s+</g, '><')).toContain('<dt>Client</dt><dd>node shop.js</dd>');
      expect(page).not.toMatch(/<dt>Seed|Copy the curl line|id="rate-limit"/);
    }
  });

  test('applies waivers like a report on a server', () => {
    const waiver = {
      requirement: 'client/request.valid',
      reason: 'ticket 7',
      owner: 'ada',
      expires: '2027-01-31',
    };
    const exchanges = composeLog(contract, [{ target: '/pets?limit=0' }]);
    const waived = composeClientReport(
      contract,
      { name: 'x', baseUrl: '', plan: undefined, from: begin, to: begin },
      exchanges,
      judgeClient(contract, exchanges, { scenarios: [] }),
      [waiver],
    );
    expect([waived.outcome, waived.counts.waived, waived.waivers[0]?.state]).toEqual([
      'conforms',
      1,
      'used',
    ]);
  });
});
