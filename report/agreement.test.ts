import { describe, expect, test } from 'vitest';
import type { Report } from '../conformance/index.ts';
import { petstore as contract } from '../test/contract/petstore.ts';
import { mutants } from '../selftest/index.ts';
import { judgeParts, mutantOf } from '../test/report/causes.ts';
import { mergeSample } from '../test/report/merged-report.ts';
import { sampleReport } from '../test/report/sample-report.ts';
import { renderAnnotations } from './annotation.ts';
import { renderHtml, renderJsonReport, renderJunit, renderMarkdown, renderText } from './index.ts';
import { listWaiverFaults } from './model/summary.ts';

type Numbers = Readonly<Record<string, number | undefined>>;

/** What is read of `report.json`. */
interface Document {
  readonly counts: Numbers;
  readonly run: { readonly requests: number };
  readonly verdicts: readonly {
    readonly id: string;
    readonly level: string;
    readonly verdict: string;
  }[];
  readonly causes: readonly { readonly findings: readonly { readonly requirement: string }[] }[];
}

/** What an output prints, read from its text; only of what it prints. */
type Reader = (report: Report) => Numbers;

const readers: Readonly<Record<string, Reader>> = {
  'report.json': (report) => {
    const { counts, run, verdicts, causes } = read(report);
    const musts = verdicts.filter(({ level }) => level === 'must');
    const ids = new Set(musts.map(({ id }) => id));
    return {
      passed: counts['passed'],
      failed: musts.filter(({ verdict }) => verdict === 'failed').length,
      notTested: counts['not-tested'],
      open: counts['open'],
      requests: run.requests,
      causes: causes.filter(({ findings: [head] }) => ids.has(head?.requirement ?? '')).length,
      skipped: (counts['not-tested'] ?? 0) + (counts['waived'] ?? 0),
    };
  },
  'verdicts of report.json': (report) => {
    const { verdicts } = read(report);
    const number = (kind: string): number =>
      // A question that was not asked is not a requirement that was not tested.
      verdicts.filter(
        ({ verdict, level }) => verdict === kind && !(kind === 'not-tested' && level === 'open'),
      ).length;
    return { passed: number('passed'), notTested: number('not-tested'), open: number('open') };
  },
  console: (report) => {
    const text = renderText(report, contract);
    return {
      ...sums(text.replaceAll(/\s+/g, ' '), /: (\d+) passed, (\d+) failed/g),
      causes: count(text, /^FAILED {2}/gm),
    };
  },
  'summary.md': (report) => {
    const text = renderMarkdown(report, contract);
    return {
      ...sums(text, /\*\*(\d+) passed, (\d+) failed/g),
      causes: count(text, /^#### /gm),
    };
  },
  'report.html': (report) => {
    const text = renderHtml(report, contract);
    const words = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    return {
      ...tally(text),
      requests: first(words, /: (\d+) requests? of \d+/),
      causes: count(text, /<details class="failure failed"/g),
    };
  },
  'junit.xml': (report) => {
    const text = renderJunit(report, contract);
    return {
      failed: count(text, /<failure /g) - (listWaiverFaults(report).length > 0 ? 1 : 0),
      skipped: count(text, /<skipped /g),
    };
  },
  'sum of junit.xml': (report) => {
    const [root = ''] = /<testsuites [^]*?>/.exec(renderJunit(report, contract)) ?? [];
    const waivers = listWaiverFaults(report).length > 0 ? 1 : 0;
    return {
      failed: first(root, / failures="(\d+)"/) - waivers,
      skipped: first(root, / skipped="(\d+)"/),
    };
  },
  annotations: (report) => ({
    causes: count(renderAnnotations(report, contract), /^::error title=(?!inconclusive|waiver)/gm),
  }),
};

function read(report: Report): Document {
  const document: Document = JSON.parse(renderJsonReport(report, contract));
  return document;
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

function first(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1]);
}

/** The last line of numbers: texts that a target sent come before it. */
function sums(text: string, begin: RegExp): Numbers {
  const found = [...text.matchAll(begin)].at(-1);
  const rest = text.slice(found?.index);
  return {
    passed: Number(found?.[1]),
    failed: Number(found?.[2]),
    notTested: first(rest, /, (\d+) not tested, \d+ open\.(?:\*\*)? /),
    open: first(rest, /, (\d+) open\.(?:\*\*)? /),
    requests: first(rest, /, \d+ open\.(?:\*\*)? (\d+) requests? of/),
  };
}

function tally(text: string): Numbers {
  const [header = ''] = /<header>[^]*?<\/header>/.exec(text) ?? [];
  const number = (words: string): number =>
    first(header, new RegExp(`<strong>(\\d+)</strong> ${words}<`));
  return {
    passed: number('passed'),
    failed: number('failed'),
    notTested: number('not tested'),
    open: number('open'),
  };
}

/** Each number of each output that is not the one of `report.json`: by default of the same report. */
function disagreements(report: Report, written = report): readonly string[] {
  const all = Object.entries(readers).map(
    ([name, read]) => [name, read(name === 'report.json' ? written : report)] as const,
  );
  const [, whole = {}] = all[0] ?? [];
  const said = Object.entries(whole);
  return all.flatMap(([name, numbers]) =>
    Object.entries(numbers).flatMap(([what, number]) => {
      const [, wanted] = said.find(([other]) => other === what) ?? [];
      return number === wanted ? [] : [`${name}: ${what} ${number}, report.json: ${wanted}`];
    }),
  );
}

const plain = mutants.filter(({ needs, hangs }) => needs === undefined && hangs === undefined);
const sample = plain.filter((_, index) => index % 40 === 0);

describe('the outputs of a report print the same numbers', () => {
  test('for a target that conforms', async () => {
    const { report } = await judgeParts(() => ({}));
    expect(report.exchanges.length).toBe(report.run.requests);
    expect(disagreements(report)).toEqual([]);
  });

  test.for(sample)('for $id', async ({ behaviour }) => {
    const { report } = await judgeParts(behaviour);
    expect(report.exchanges.length).toBe(report.run.requests);
    expect(disagreements(report)).toEqual([]);
  });

  test('and not by chance: the files of another report differ', async () => {
    const [{ report }, { report: other }] = await Promise.all([
      judgeParts(() => ({})),
      judgeParts(mutantOf('headers-on-success-only').behaviour),
    ]);
    const differing = disagreements(report, other).map((line) => line.split(':')[0]);
    expect(new Set(differing)).toEqual(new Set(Object.keys(readers).slice(1)));
  });

  test('with waivers, advice and an early end, and for a merged report', async () => {
    expect(disagreements(sampleReport(contract))).toEqual([]);
    const { shards, merged } = await mergeSample(contract);
    for (const report of [...shards, merged]) expect(disagreements(report)).toEqual([]);
  });
});
