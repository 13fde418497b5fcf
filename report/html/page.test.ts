import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sampleReport } from '../../test/report/sample-report.ts';
import { copyScript } from '../../page/view/static/copy-script.ts';
import { renderHtml } from './page.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const report = sampleReport(contract);
const whole = renderHtml(report, contract);
const page = whole.replace(`<script>${copyScript}</script>`, '');

const allOf = (pattern: RegExp): readonly string[] =>
  [...page.matchAll(pattern)].map(([, found = '']) => found);

describe('the page', () => {
  test('is the same for the same report', () => {
    expect(renderHtml(sampleReport(contract), contract)).toBe(whole);
  });

  test('escapes all text of a target', () => {
    expect(page).not.toMatch(/<script|alert\("1"\)/);
    expect(page).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/u);
    expect(page.isWellFormed()).toBe(true);
    expect(page).toContain('&lt;script>alert(&quot;1&quot;)&lt;/script>');
  });

  test('has balanced elements', () => {
    const [open, misplaced]: [string[], string[]] = [[], []];
    for (const [, slash, name = '', empty] of page
      .replace(/<style>[\s\S]*?<\/style>/, '')
      .matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*?(\/?)>/g)) {
      if (empty === '/' || ['meta', 'br'].includes(name)) continue;
      if (slash === '') open.push(name);
      else if (open.pop() !== name) misplaced.push(name);
    }
    expect([open, misplaced]).toEqual([[], []]);
  });

  test('needs no network, and allows no script but its own', () => {
    const digest = hash('sha256', copyScript, 'base64');
    expect(allOf(/\s(?:src|srcset|action|xlink:href)="([^"]*)"/g)).toEqual([]);
    expect(allOf(/\shref="([^"]*)"/g).filter((address) => !address.startsWith('#'))).toEqual([]);
    expect(page).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${digest}'"`,
    );
    expect(whole.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/@import|url\(|\son\w+="/);
  });

  test('has unique ids, and every link and label refers to one', () => {
    const ids = allOf(/\sid="([^"]*)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const wanted = [
      ...allOf(/\s(?:href="#|popovertarget=")([^"]*)"/g),
      ...allOf(/\saria-labelledby="([^"]*)"/g).flatMap((list) => list.split(' ')),
    ];
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('has headings in order, and headers for rows and columns', () => {
    const levels = allOf(/<h([1-6])/g).map(Number);
    expect(levels[0]).toBe(1);
    expect(
      levels.every((level, index) => index === 0 || level <= (levels[index - 1] ?? 0) + 1),
    ).toBe(true);
    expect(allOf(/<th ((?:(?!scope)[^>])*)>/g)).toEqual([]);
    expect(page).toContain('<html lang="en">');
  });

  test('shows every requirement with its verdict, and the reason of each that was not tested', () => {
    const listed = report.verdicts.filter(({ requirement }) => requirement.level !== 'open');
    for (const { requirement, kind } of listed)
      expect(page).toContain(
        `<code>${requirement.id}</code>${kind === 'failed' || kind === 'waived' ? '</a>' : ''}<br/>`,
      );
    const notTested = listed.filter(({ kind }) => kind === 'not-tested').length;
    expect(allOf(/(<em>the rate limit was not exhausted \(--exhaust\)<\/em>)/g)).toHaveLength(
      notTested,
    );
    expect(notTested).toBeGreaterThan(10);
  });

  test('shows each failure with the difference, the exchange, curl and replay', () => {
    const failure = page.slice(page.indexOf('id="failure-getPet_2f_state.read.name"'));
    for (const part of [
      '<dt>Expected</dt><dd><code>name</code> &quot;Rex&quot;</dd>',
      '<dt>Received</dt><dd><code>name</code> &quot;Max&quot; &lt;/code>',
      '<b>GET</b> /pets/31',
      '<b>201</b>',
      'curl -i',
      '--replay r1-abc_DEF',
    ])
      expect(failure).toContain(part);
  });
});
