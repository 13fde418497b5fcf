import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hostile, sampleReport } from '../test/report/sample-report.ts';
import { certify, sampleVersion } from '../test/cli/certificates.ts';
import type { Report } from '../conformance/index.ts';
import { renderBadge, renderCertificatePage } from './index.ts';
import { copyScript } from '../page/view/static/copy-script.ts';
import { petstore as contract } from '../test/contract/petstore.ts';

const keyids = ['ab'.repeat(32)];
const composed = certify(contract, sampleReport(contract));
const certificate = {
  ...composed,
  keyids,
  facts: { ...composed.facts, target: { name: `Shop ${hostile}`, version: hostile } },
};
const withReport = (change: Partial<Report>, of = certificate) => ({
  ...of,
  report: { ...of.report, ...change },
});
const passed = certificate.report.verdicts.map(({ requirement }) =>
  requirement.level === 'open'
    ? ({ kind: 'open', requirement, observations: [] } as const)
    : ({ kind: 'passed', requirement, exchanges: [0] } as const),
);
const conforming = { verdicts: passed, waivers: [], outcome: 'conforms' } as const;
const page = renderCertificatePage(certificate, contract).replace(
  `<script>${copyScript}</script>`,
  '',
);
const badge = renderBadge(certificate);

const allOf = (pattern: RegExp): readonly string[] =>
  [...page.matchAll(pattern)].map(([, found = '']) => found);

describe('the page of a certificate', () => {
  test('escapes all text of a target', () => {
    expect(page).not.toMatch(/<script|alert\("1"\)/);
    expect(page).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/u);
    expect(page).toContain('&lt;script>');
  });

  test('needs no network, and allows no script but its own', () => {
    const digest = hash('sha256', copyScript, 'base64');
    expect(page).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${digest}'"`,
    );
    const links = allOf(/\s(?:src|srcset|href|action)="([^"]*)"/g);
    expect(links.filter((link) => !link.startsWith('#'))).toEqual([]);
    expect(page).not.toMatch(/@import|url\(|\son\w+="/);
  });

  test('has balanced elements and unique ids', () => {
    const [open, misplaced]: [string[], string[]] = [[], []];
    for (const [, slash, name = ''] of page
      .replace(/<style>[\s\S]*<\/style>/, '')
      .matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
      if (['meta', 'br'].includes(name)) continue;
      if (slash === '') open.push(name);
      else if (open.pop() !== name) misplaced.push(name);
    }
    expect([open, misplaced]).toEqual([[], []]);
    const ids = allOf(/\sid="([^"]*)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const named = allOf(/\saria-labelledby="([^"]*)"/g).flatMap((names) => names.split(' '));
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('shows level, waivers, what was not tested, and what it does not prove', () => {
    for (const part of [
      '<strong>failed, with 1 waiver</strong>',
      'At least one requirement failed.',
      'This page proves nothing by itself',
      `npx petstore-contract@${sampleVersion} verify certificate.json --public-key`,
      'getPet/state.read.name',
      'A. Person, until 2027-01-31',
      'the rate limit was not exhausted (--exhaust)',
      'Only the signers vouch',
      certificate.facts.log,
    ])
      expect(page).toContain(part);
  });

  test('of an unsigned certificate says so first, and shows its level as a claim', () => {
    const text = renderCertificatePage(
      withReport(conforming, { ...certificate, keyids: [] }),
      contract,
    );
    expect(text).toMatch(/<title>Shop [^<]*: not authenticated<\/title>/);
    expect(text).toContain(
      '<strong>not authenticated</strong> It is unsigned, so anyone could have made it. Level: conforms.',
    );
    expect(text).not.toContain('<strong>conforms');
    expect(text).not.toContain('npx petstore-contract@');
  });

  test.each([
    [0, /<dt>Took<\/dt>\s*<dd>\d+ requests of \d+ in [\d.]+ s, seed 1<\/dd>/],
    [61_050, /s, the mock's clock moved ahead by 61\.05 s instead of waiting, seed 1<\/dd>/],
  ])('shows how far the clock of a mock was moved: %s ms', (clockMoved, words) => {
    const { run } = certificate.report;
    const moved = { ...run, times: { waits: [], waited: 0, clockMoved } };
    expect(renderCertificatePage(withReport({ run: moved }), contract)).toMatch(words);
  });

  test('names every requirement', () => {
    const missing = certificate.report.verdicts.filter(
      ({ requirement: { id, level } }) => level !== 'open' && !page.includes(`<code>${id}</code>`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the badge', () => {
  test('is an image with its text, and escapes all text of a target', () => {
    expect(badge).toMatch(
      /^<svg\s+xmlns="http:\/\/www\.w3\.org\/2000\/svg"\s[^>]*role="img"\s+aria-label="Shop /,
    );
    expect(badge).toContain('<title>Shop ');
    expect(badge).toContain('>failed, with 1 waiver</text>');
    expect(badge).not.toMatch(/<script|(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/u);
    expect(
      [...badge.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)].reduce(
        (depth, [, slash, , empty]) => depth + (slash ? -1 : empty ? 0 : 1),
        0,
      ),
    ).toBe(0);
  });

  test.each<[string, Partial<Report>, string]>([
    ['conforms', conforming, '#1c6b3c'],
    ['failed', { waivers: [] }, '#a8201a'],
    ['incomplete', { ...conforming, inconclusive: 'too little' }, '#7a5200'],
  ])('has its color for %s', (level, change, color) => {
    const text = renderBadge(withReport(change));
    expect(text).toContain(color);
    expect(text).toContain(`>${level}</text>`);
  });

  test('is not plain green if there are waivers, and shows their number', () => {
    const waived = withReport({ ...conforming, waivers: certificate.report.waivers });
    const text = renderBadge(waived);
    expect(text).toContain('#5c5f00');
    expect(text).not.toContain('#1c6b3c');
    expect(text).toContain('conforms, with 1 waiver');
    expect(renderCertificatePage(waived, contract)).toContain('<body class="waived">');
  });

  test('of an unsigned certificate says so, and shows the level only as text', () => {
    const text = renderBadge(withReport(conforming, { ...certificate, keyids: [] }));
    expect(text).toContain('>not authenticated</text>');
    expect(text).toContain('not authenticated, because it is unsigned (level: conforms), by');
    expect(text).not.toMatch(/#1c6b3c|>conforms/);
  });
});
