import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasCode } from '../../contract/error/petstore-error.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import {
  requirementsOf,
  type RunOptions,
  type RunReport,
  runConformance,
} from '../../conformance/index.ts';
import { renderReportFiles } from '../../report/index.ts';
import { createInProcessSender } from '../in-process.ts';
import { createService, type Mutant, mutants, type Variant, variants } from '../index.ts';
import { findContradictions, findUnfounded } from '../oracle/response.ts';
import { findImpatient } from '../oracle/wait.ts';
import type { Parts } from '../service/behaviour.ts';
import { createTrialClock } from '../trial.ts';
import { anyHindrance, validHindrance } from './hindrance.ts';

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

type Hindrances = readonly (typeof anyHindrance extends fc.Arbitrary<infer One> ? One : never)[];

/** The report of a run, which begins at a second of a minute; undefined where nothing of it is known. */
async function judge(
  base: Mutant | Variant,
  hindrances: Hindrances,
  chosen: RunOptions,
  second: number,
): Promise<RunReport | undefined> {
  const clock = createTrialClock(Date.UTC(2026, 0, 5, 12, 0, second));
  const parts: Parts = Object.assign({}, ...hindrances.map((each) => each.parts ?? {}));
  let { respond } = createService({ ...parts, ...base.behaviour() }, clock);
  for (const { wrap } of hindrances) respond = wrap?.(respond, clock) ?? respond;
  const sender = createInProcessSender({ respond }, { timeout: 2000, sleep: clock.sleep });
  let told: RunReport | undefined;
  try {
    return await runConformance(
      contract,
      { baseUrl: 'http://service.test/v1', apiKey: 'service-free' },
      { plan: 'Free', clock, timeout: 2000, sender, ...chosen },
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
function listWrongs(report: RunReport, isValid: boolean): readonly string[] {
  const { outcome, exchanges, verdicts, run } = report;
  const impatient = findImpatient(contract, exchanges);
  if (impatient.length > 0) return impatient;
  if (report.inconclusive?.includes('by a fault of the suite')) return [report.inconclusive];
  if (outcome === 'failed' && isValid)
    return verdicts.flatMap((each) => (each.kind === 'failed' ? [each.requirement.id] : []));
  if (outcome !== 'conforms') return [];
  const told = new Set(
    verdicts.flatMap((each) => (each.kind === 'not-tested' ? [each.requirement.id] : [])),
  );
  const isShort = (run.tested ?? 0) * 100 < run.planned * (run.required ?? 90);
  return [
    ...findUnfounded(contract, exchanges, verdicts),
    ...[...findContradictions(contract, exchanges)].flatMap(([id]) =>
      requirementsOf(contract).get(id)?.level === 'must' && !told.has(id) ? [id] : [],
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

test.each([true, false])(
  'servers that hinder a run, valid ones: %s, come to no wrong outcome, and all files report it',
  { timeout: 300_000 },
  async (isValid) => {
    const outcomes = new Set<string>();
    const property = fc.asyncProperty(
      fc.constantFrom(...(isValid ? variants : [...variants, ...mutants])),
      fc.array(isValid ? validHindrance : anyHindrance, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(...options),
      fc.nat(59),
      async (base, hindrances, chosen, second) => {
        const report = await judge(base, hindrances, chosen, second);
        if (report === undefined) return;
        outcomes.add(report.outcome);
        expect(listWrongs(report, isValid)).toEqual([]);
        expect(new Set(readOutcomes(report))).toEqual(new Set([report.outcome]));
      },
    );
    await fc.assert(property, { seed: 1, numRuns: 40 });
    expect(outcomes).toContain('inconclusive');
    expect(outcomes).toContain(isValid ? 'conforms' : 'failed');
  },
);
