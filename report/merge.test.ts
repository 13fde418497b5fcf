import { describe, expect, test } from 'vitest';
import { parseJson } from '../contract/json/value.ts';
import { petstore as contract } from '../test/contract/petstore.ts';
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
  const missing = 'Missing: shard 4 of 4.';
  const failing = 'getPet/status.404 failed in shard 2, but passed in shards 1 and 3.';

  test.each([
    ['text', renderText(merged, contract)],
    ['the brief text', renderBriefText(merged, contract)],
    ['the page', renderHtml(merged, contract)],
  ])('shows in %s what is missing, and where shards differ', (_, text) => {
    for (const sentence of [missing, failing, 'Seen in shard 2.'])
      expect(flat(text)).toContain(sentence);
  });

  test('says the same in Markdown and to GitHub', () => {
    expect(renderMarkdown(merged, contract)).toContain(missing);
    expect(renderMarkdown(merged, contract)).toContain(failing);
    expect(renderAnnotations(merged, contract)).toMatch(/^::error title=getPet\/status\.404::/m);
  });

  test('does not add up waits', () => {
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
