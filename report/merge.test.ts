import { describe, expect, test } from 'vitest';
import { mergeReports } from '../conformance/index.ts';
import { parseJson } from '../contract/json/value.ts';
import { petstore as contract } from '../test/contract/petstore.ts';
import { openMock } from '../test/cli/target.ts';
import { mergeSample } from '../test/report/merged-report.ts';
import {
  readJsonReport,
  renderAnnotations,
  renderBriefText,
  renderHar,
  renderHtml,
  renderJsonReport,
  renderJunit,
  renderMarkdown,
  renderText,
} from './index.ts';

const { merged } = await mergeSample(contract);
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('a merged report', () => {
  const missing = 'Shard 4 of 4 is missing: ';
  const failing = 'getPet/status.404 failed in shard 2, but passed in shards 1 and 3.';

  test.each([
    ['text', renderText(merged, contract)],
    ['the brief text', renderBriefText(merged, contract)],
    ['the page', renderHtml(merged, contract)],
  ])('tells in %s what is missing, and where shards differ', (_, text) => {
    for (const sentence of [missing, failing, 'Seen in shard 2.'])
      expect(flat(text)).toContain(sentence);
  });

  test('tells the same in Markdown and to GitHub', () => {
    expect(renderMarkdown(merged, contract)).toContain(missing);
    expect(renderMarkdown(merged, contract)).toContain(failing);
    expect(renderAnnotations(merged, contract)).toMatch(/^::error title=getPet\/status\.404::/m);
  });

  test('sums up no wait', () => {
    expect(renderText(merged, contract)).not.toContain('of it waiting');
  });

  test('says the same when its file is read again', () => {
    const read = readJsonReport(parseJson(renderJsonReport(merged, contract)), contract);
    for (const render of [
      renderHtml,
      renderJsonReport,
      renderJunit,
      renderMarkdown,
      renderText,
      renderHar,
    ])
      expect(render(read, contract)).toBe(render(merged, contract));
  });
});

test('open questions at which shards saw different choices are told', async () => {
  const reports = [];
  for (const [at, choice] of ['absent', 'available'].entries()) {
    await using place = await openMock(contract, { choices: { 'status-default': choice } });
    const report = await place.run({ fuzz: 96, shard: { index: at + 1, count: 2, suite: '' } });
    const target = { ...report.target, baseUrl: 'http://127.0.0.1:4010/v1' };
    reports.push({ name: `shard-${at + 1}`, report: { ...report, target } });
  }
  const both = mergeReports(contract, reports);
  expect(both.outcome).toBe('conforms');
  expect(both.merge?.disagreements).toContainEqual({
    question: 'status-default',
    choices: [
      { choice: 'absent', shards: [1] },
      { choice: 'available', shards: [2] },
    ],
  });
  expect(flat(renderText(both, contract))).toContain(
    'Shards saw different choices for the open question status-default: absent in shard 1; available in shard 2.',
  );
});
