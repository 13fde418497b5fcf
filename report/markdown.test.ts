import { describe, expect, test } from 'vitest';
import { sampleReport } from '../test/report/sample-report.ts';
import { renderAnnotations } from './annotation.ts';
import { renderMarkdown } from './markdown.ts';
import { petstore as contract } from '../test/contract/petstore.ts';

const report = sampleReport(contract);

describe('a report as Markdown', () => {
  const text = renderMarkdown(report, contract);
  const outside = text.replaceAll(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '');

  test('has the verdict, the table, the failures, and what is open', () => {
    expect(text).toMatch(
      /^## Conformance: http:\/\/127\.0\.0\.1:4010\/v1 fails 2 requirements of Petstore 1\.0\.0\n/,
    );
    expect(text).toContain('| Operation | status | body |');
    expect(text).toMatch(
      /^#### Broken: getPet returns `name` .* Expected `name` "Rex", received `name` "Max" .*….$/m,
    );
    expect(text).toContain('### Open questions');
    expect(text).toContain('### Left behind\n\n2 items, tagged ');
  });

  test('escapes text of a target: markup, links, rows and fences', () => {
    expect(outside).not.toMatch(/(?<!\\)<|(?<!\\)\[a|(?<!\\)\*\*c|`{3}/);
    const rows = outside.split('\n').filter((line) => line.startsWith('| '));
    const widths = rows.map((row) => row.replaceAll(String.raw`\|`, '').split('|').length);
    expect(new Set(widths.slice(0, 6)).size).toBe(1);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/u);
    expect(outside.match(/`{3}/)).toBeNull();
  });

  test('fences code with more backticks than it contains', () => {
    const fences = [...text.matchAll(/^(`{3,})(?:text|sh)\n([\s\S]*?)\n\1$/gm)];
    expect(fences).toHaveLength(4);
    expect(fences.every(([, fence = '', code = '']) => !code.includes(fence))).toBe(true);
  });
});

describe('texts between backticks', () => {
  const shown = (expected: string): string => {
    const verdicts = report.verdicts.map((verdict) =>
      verdict.kind === 'not-tested' ? { ...verdict, reason: expected } : verdict,
    );
    const text = renderMarkdown({ ...report, verdicts }, contract);
    return /^\d+ because (.*): [\w\\*]+\/.* more\.$/m.exec(text)?.[1] ?? '';
  };

  test.each([
    ['`name` is *missing*', '`name` is \\*missing\\*'],
    ['the key has an extra `~`', 'the key has an extra `~`'],
    ['`<b>|*x*`', '`<b>|*x*`'],
    ['one ` and <b>', 'one \\` and &lt;b\\>'],
    ['``` x', '\\`\\`\\` x'],
  ])('%s', (text, markdown) => {
    expect(shown(text)).toBe(markdown);
  });
});

describe('a report as workflow commands', () => {
  const text = renderAnnotations(report, contract);

  test('is one error a line for each failure', () => {
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines.every((line) => /^::error title=[^:,]+::/.test(line))).toBe(true);
    expect(text).toContain('::error title=listPets/auth.invalid::');
  });

  test('escapes characters that begin or end a command', () => {
    expect(text).not.toMatch(/%(?!25|0A|0D)/);
    expect(text).not.toMatch(/\n::error::no/);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/u);
  });

  test('has at most ten lines: the last says how many more there are, and where', () => {
    const waivers = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        waiver: { requirement: `r${index}`, reason: 'x', owner: 'x', expires: '2020-01-01' },
        state: 'expired' as const,
      }));
    const linesOf = (count: number): readonly string[] =>
      renderAnnotations({ ...report, waivers: waivers(count) }, contract)
        .trimEnd()
        .split('\n');
    expect(linesOf(8)).toHaveLength(10);
    expect(linesOf(8).join('\n')).not.toContain(' more::');
    for (const count of [9, 30]) {
      expect(linesOf(count)).toHaveLength(10);
      expect(linesOf(count).slice(0, 8)).toEqual(linesOf(8).slice(0, 8));
      expect(linesOf(count).at(-1)).toBe(
        `::error title=${count - 7} more::The run failed for ${count - 7} more reasons. The job summary lists all of them.`,
      );
    }
  });

  test('is empty if nothing failed', () => {
    const sound = { ...report, verdicts: report.verdicts.filter(({ kind }) => kind === 'passed') };
    expect(renderAnnotations(sound, contract)).toBe('');
  });
});
