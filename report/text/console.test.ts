import { describe, expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { judgeDocument } from '../../test/conformance/judge-document.ts';
import { documentOf, ok } from '../../test/contract/compose-document.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { judgeParts, mutantOf } from '../../test/report/causes.ts';
import { renderHtml } from '../html/page.ts';
import { renderMarkdown } from '../markdown.ts';
import { countColumns } from './layout.ts';
import { renderBriefText, renderText } from './text.ts';

const faults = [
  'status-available-list',
  'auth-reads-open',
  'together-same-id',
  'created-status-202',
];
const { report } = await judgeParts(() =>
  Object.assign({}, ...faults.map((id) => mutantOf(id).behaviour())),
);
const text = renderText(report, contract);
const lines = text.split('\n');

describe('the console output for a bad server', () => {
  test('begins with one line per cause and the table of the families that fail, on one screen', () => {
    const start = lines.findIndex((line) => line.startsWith('FAILED'));
    expect(start).toBeLessThan(24);
    // How many requests a run sends is not of interest here.
    const shown = lines.slice(0, start).map((line) => line.replaceAll(/all \d+|\d+ of \d+/g, 'N'));
    expect(shown).toMatchInlineSnapshot(`
      [
        "4 causes of failures, details below",
        "  createPet returns 202 instead of 201 for N valid requests.",
        "  Broken: Items added at the same time get different \`id\`s. Expected different identifiers for item…",
        "  listPets and getPet accept N requests that should get 401.",
        "  \`status\` is not returned as sent: N listPets 200 responses, such as "available" for "sold".",
        "",
        "             listPets  createPet  getPet    service",
        "status       1 passed  1 FAILED   2 passed",
        "parameter    1 FAILED",
        "state        1 FAILED  4/9        5 passed",
        "auth         2 FAILED  2 passed   2 FAILED  1 FAILED",
        "concurrency            1 FAILED",
        "",
      ]
    `);
  });

  test('wraps what was not tested and what was left behind', () => {
    const sections = text.slice(text.indexOf('\nNot tested\n'));
    expect(sections.split('\n').filter((line) => line.endsWith('…'))).toEqual([]);
    expect(sections).toMatch(
      /^ {2}\d+ because no response in this run shows it: .*,\n.* and \d+ more$/m,
    );
    expect(sections).toMatch(/^Left behind\n {2}\d+ items, tagged \S+, in \/pets: /m);
    expect(lines.filter((line) => countColumns(line) > 100 && !/curl|replay/.test(line))).toEqual(
      [],
    );
  });

  test('lists everything beyond the budget in one line', () => {
    const [because, other] = [
      { kind: 'budget', budget: 60, planned: 55, needs: 8 },
      { kind: 'budget', budget: 60, planned: 60, needs: 1 },
    ] as const;
    const verdicts = report.verdicts.slice(0, 2).map(({ requirement }, index) => ({
      ...({ kind: 'not-tested', requirement, reason: `${index}` } as const),
      because: index === 0 ? because : other,
    }));
    const shown = renderText({ ...report, verdicts }, contract).replaceAll(/\s+/g, ' ');
    expect(shown).toContain(
      '2 because budget: 55 to 60 of 60 requests are planned for other requirements, and each needs 1 to 8 (--requests):',
    );
  });

  test('names every item left behind if there are few, else how many more', () => {
    const withItems = (count: number): string => {
      const leftBehind = Array.from({ length: count }, (_, id) => ({
        resource: '/pets',
        id: `${id}`,
      }));
      const shown = renderText({ ...report, leftBehind }, contract).replaceAll(/\s+/g, ' ');
      return /Left behind (.*?)(?= \S+ fails )/.exec(shown)?.[1] ?? '';
    };
    expect(withItems(3)).toBe(`3 items, tagged ${report.run.tag}, in /pets: 0, 1, 2`);
    expect(withItems(500)).toMatch(/^500 items, .* 0, 1, 2 and 497 more$/);
  });

  test('shows for each cause in how many exchanges it was seen', () => {
    const counted = lines.filter((line) => /^ {2}seen {7}\d+ times$/.test(line));
    expect(counted.length).toBeGreaterThan(1);
    expect(renderMarkdown(report, contract)).toMatch(/^Seen \d+ times\.$/m);
    expect(renderHtml(report, contract)).toMatch(/>Seen \d+ times\.</);
  });

  test('is short if only failures are requested', () => {
    const brief = renderBriefText(report, contract);
    expect(brief.startsWith(lines[0] ?? '')).toBe(true);
    expect(brief).not.toContain('Not tested');
  });
});

test('a report about many operations fits on a few screens', async () => {
  const count = 300;
  const paths = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`/p${at}`, { get: { responses: ok({}) } }]),
  );
  const document = await loadContract({ text: JSON.stringify(documentOf(paths)) });
  const large = await judgeDocument(document, { requests: 5 });
  const shown = renderText(large, document);
  expect(shown).toMatch(/ 25\d more/);
  expect(shown).toMatch(/^\d+ more operations accepted no valid request\.$/m);
  expect(shown.split('\n').length).toBeLessThan(150);
});
