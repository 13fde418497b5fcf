import { expect, test } from 'vitest';
import { hasCode } from '../../contract/index.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { type RunOptions, type RunReport, runConformance } from '../../conformance/index.ts';
import { renderReportFiles } from '../../report/index.ts';
import { createInProcessSender } from '../in-process.ts';
import { findContradictions, findUnfounded } from '../oracle/index.ts';
import { findImpatient } from '../oracle/wait.ts';
import { createTrialClock } from '../trial.ts';
import { createDraw } from './random.ts';
import { drawSubject, type HinderedSubject } from './subject.ts';

const options: readonly RunOptions[] = [
  {},
  { requests: 20 },
  { requests: 120 },
  { readOnly: true },
  { only: ['listPets'] },
  { exhaust: true, longestWait: 90_000_000 },
  { fuzz: 40 },
  { requireTested: 100 },
  { timeLimit: 30_000 },
];

/** The report of a run; undefined where nothing of it is known. */
async function judge(subject: HinderedSubject, seed: number): Promise<RunReport | undefined> {
  const draw = createDraw(seed + 3);
  const clock = createTrialClock(Date.UTC(2026, 0, 5, 12, 0, draw.below(60)));
  const sender = createInProcessSender(subject.create(clock), {
    timeout: 2000,
    sleep: clock.sleep,
  });
  let told: RunReport | undefined;
  try {
    return await runConformance(
      contract,
      { baseUrl: 'http://service.test/v1', apiKey: 'service-free' },
      { plan: 'Free', clock, timeout: 2000, sender, ...options[draw.below(options.length)] },
      (report) => {
        told = report;
      },
    );
  } catch (error) {
    // A length that is none is for a real connection to show.
    if (hasCode(error, 'inconclusive') || error instanceof RangeError) return told;
    throw error;
  }
}

/** What is wrong with the outcome of a run: empty for nothing. */
function listWrongs(report: RunReport, isLawful: boolean): readonly string[] {
  const { outcome, exchanges, verdicts, run } = report;
  const impatient = findImpatient(contract, exchanges);
  if (impatient.length > 0) return impatient;
  if (report.inconclusive?.includes('by a fault of the suite')) return [report.inconclusive];
  if (outcome === 'failed' && isLawful)
    return verdicts.flatMap((each) => (each.kind === 'failed' ? [each.requirement.id] : []));
  if (outcome !== 'conforms') return [];
  const told = new Set(
    verdicts.flatMap((each) => (each.kind === 'not-tested' ? [each.requirement.id] : [])),
  );
  const isShort = (run.tested ?? 0) * 100 < run.planned * (run.required ?? 90);
  return [
    ...findUnfounded(contract, exchanges, verdicts),
    ...findContradictions(contract, exchanges).flatMap(([id]) =>
      contract.requirementOf(id)?.level === 'must' && !told.has(id) ? [id] : [],
    ),
    ...(isShort ? [`${run.tested} of ${run.planned}`] : []),
  ];
}

/** What each file of a report says of the outcome. */
function readOutcomes(report: RunReport): readonly string[] {
  const files = new Map(renderReportFiles(report, contract).map(({ name, text }) => [name, text]));
  const junit = files.get('junit.xml') ?? '';
  const [summary = ''] = (files.get('summary.md') ?? '').split('\n');
  const title = /<title>([^<]*)<\/title>/.exec(files.get('report.html') ?? '')?.[1] ?? '';
  const json: unknown = JSON.parse(files.get('report.json') ?? '{}');
  const count = (what: string): number =>
    Number(new RegExp(`<testsuites [^>]*${what}="(\\d+)"`).exec(junit)?.[1]);
  return [
    typeof json === 'object' && json !== null ? String(Reflect.get(json, 'outcome')) : '',
    count('failures') > 0 ? 'failed' : count('errors') > 0 ? 'inconclusive' : 'conforms',
    ...[summary, title].map((sentence) =>
      sentence.startsWith('Inconclusive') || sentence.includes('could not be fully judged')
        ? 'inconclusive'
        : sentence.includes(' conforms to ')
          ? 'conforms'
          : 'failed',
    ),
  ];
}

/** Seeds of a run of the tests; others by hand. */
const count = 40;

test.each([true, false])(
  'servers that hinder a run, lawful ones: %s, come to no wrong outcome, and all files tell it',
  async (isLawful) => {
    const outcomes = new Set<string>();
    for (let seed = 0; seed < count; seed += 1) {
      const subject = drawSubject(seed, isLawful);
      const report = await judge(subject, seed);
      if (report === undefined) continue;
      outcomes.add(report.outcome);
      expect(listWrongs(report, isLawful), `${seed}: ${subject.name}`).toEqual([]);
      expect(new Set(readOutcomes(report)), `${seed}`).toEqual(new Set([report.outcome]));
    }
    expect(outcomes).toContain('inconclusive');
    expect(outcomes).toContain(isLawful ? 'conforms' : 'failed');
  },
  300_000,
);
