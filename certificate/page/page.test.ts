import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hostile, sampleReport } from '../../test/report/sample-report.ts';
import { sampleSelftest, sampleSuite } from '../../test/cli/certificates.ts';
import { composeCertificate, describeRun, renderBadge, renderCertificatePage } from '../index.ts';
import { copyScript } from '../../page/view/static/copy-script.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const { predicate } = composeCertificate(
  describeRun(sampleReport(contract), {
    target: { name: `Shop ${hostile}`, version: hostile },
    suite: sampleSuite,
    selftest: sampleSelftest,
  }),
  [],
);
const keyids = ['ab'.repeat(32)];
const page = renderCertificatePage(predicate, keyids).replace(`<script>${copyScript}</script>`, '');
const badge = renderBadge(predicate, keyids);

const allOf = (pattern: RegExp): readonly string[] =>
  [...page.matchAll(pattern)].map(([, found = '']) => found);

describe('the page of a certificate', () => {
  test('lets no text of a target become markup', () => {
    expect(page).not.toMatch(/<script|alert\("1"\)/);
    expect(page).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/u);
    expect(page).toContain('&lt;script>');
  });

  test('needs no network, and allows no script but its own', () => {
    const digest = hash('sha256', copyScript, 'base64');
    expect(page).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${digest}'"`,
    );
    expect(allOf(/\s(?:src|srcset|href|action)="([^"]*)"/g)).toEqual([]);
    expect(page).not.toMatch(/@import|url\(|\son\w+="/);
  });

  test('closes what it opens, and has each identifier once', () => {
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
    expect(allOf(/\saria-labelledby="([^"]*)"/g).filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('tells level, numbers, waivers, what was not tested, and what it does not show', () => {
    for (const part of [
      '<strong>failed, with 1 waiver</strong>',
      'At least one requirement failed.',
      'This page proves nothing by itself',
      'UNVERIFIED claim of the signer: named 880',
      'npx petstore-contract verify certificate.json --public-key',
      'getPet/state.read.name',
      'in force: the requirement failed',
      'the rate limit was not exhausted (--exhaust)',
      'something else',
      predicate.log.head,
      sampleSuite.dependencies,
    ])
      expect(page).toContain(part);
  });

  test('of an unsigned one is headed by that, and tells its level as what it says', () => {
    const unsigned = renderCertificatePage({ ...predicate, level: 'conforms', waivers: [] }, []);
    expect(unsigned).toMatch(/<title>Shop [^<]*: not authenticated<\/title>/);
    expect(unsigned).toContain(
      '<strong>not authenticated</strong> It is unsigned, so anybody could have made it. Level: conforms.',
    );
    expect(unsigned).not.toContain('<strong>conforms');
    expect(unsigned).not.toContain('petstore-contract verify');
  });

  test.each([
    [undefined, /<dt>Took<\/dt>\s*<dd>[\d.]+ s, \d+ log entries<\/dd>/],
    [0, /<dt>Took<\/dt>\s*<dd>[\d.]+ s, \d+ log entries<\/dd>/],
    [61_050, /log entries; the mock's clock was moved ahead by 61\.05 s instead of waiting<\/dd>/],
  ])('says how far the clock of a mock was moved: %s ms', (clockMoved, words) => {
    const { clockMoved: _none, ...rest } = predicate.configuration;
    const configuration = clockMoved === undefined ? rest : { ...rest, clockMoved };
    const text = renderCertificatePage({ ...predicate, configuration }, keyids);
    expect(text).toMatch(words);
    expect(text).not.toContain('clockMoved');
  });

  test('names every requirement', () => {
    const missing = predicate.verdicts.filter(({ id }) => !page.includes(`<code>${id}</code>`));
    expect(missing.filter(({ level }) => level !== 'open')).toEqual([]);
  });
});

describe('the badge', () => {
  test('is an image with its words, and no text of a target is markup in it', () => {
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

  test.each([
    ['conforms', '#1c6b3c'],
    ['failed', '#a8201a'],
    ['incomplete', '#7a5200'],
  ] as const)('has its colour for %s', (level, colour) => {
    expect(renderBadge({ ...predicate, level, waivers: [] }, keyids)).toContain(colour);
  });

  test('is not plainly green where there are waivers, and says how many', () => {
    const waived = renderBadge({ ...predicate, level: 'conforms' }, keyids);
    expect(waived).toContain('#5c5f00');
    expect(waived).not.toContain('#1c6b3c');
    expect(waived).toContain('conforms, with 1 waiver');
    const { level, ...rest } = predicate;
    expect(level).toBe('failed');
    expect(renderCertificatePage({ ...rest, level: 'conforms' }, keyids)).toContain(
      '<body class="waived">',
    );
  });

  test('of an unsigned one says that, and what it says only in its words', () => {
    const unsigned = renderBadge({ ...predicate, level: 'conforms', waivers: [] }, []);
    expect(unsigned).toContain('>not authenticated</text>');
    expect(unsigned).toContain('not authenticated, because it is unsigned (level: conforms), by');
    expect(unsigned).not.toMatch(/#1c6b3c|>conforms/);
  });
});
