import { renderReportFiles } from '../test/report/report-files.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasCode } from '../contract/error/petstore-error.ts';
import { petstore as contract } from '../test/contract/petstore.ts';
import {
  requirementsOf,
  type RunOptions,
  type RunReport,
  runConformance,
} from '../conformance/index.ts';
import { createInProcessSender } from './in-process.ts';
import { hashOrdinal, sharingKey } from './subject/subject.ts';
import { createService, type Mutant, mutants, type Variant, variants } from './index.ts';
import { findContradictions, findUnfounded } from './oracle/verdicts.ts';
import { findImpatient } from './oracle/wait.ts';
import {
  type Parts,
  plain,
  type Respond,
  type ServiceTime,
  type WireResponse,
} from './service/service.ts';
import { createTrialClock } from './trial.ts';

/** Something that prevents a run from sending what it planned. */
interface Hindrance {
  /** The parts of the service that it replaces. */
  readonly parts?: Parts;
  readonly wrap?: (respond: Respond, time: ServiceTime) => Respond;
}

const numbers = fc.record({
  /** The number of a request, from 0. */
  at: fc.nat(69),
  /** Requests left of the daily quota. */
  share: fc.constantFrom(0, 1, 5, 30, 51, 54, 55, 59),
  seconds: fc.constantFrom(0, 1, 2, 30, 89, 90, 91, 3600, 86_400),
  /** Requests in a row. */
  length: fc.integer({ min: 1, max: 30 }),
  redirect: fc.constantFrom(301, 302, 307, 308),
});

type Numbers = typeof numbers extends fc.Arbitrary<infer Value> ? Value : never;

type Table = Readonly<Record<string, (numbers: Numbers) => Hindrance>>;

/** The name of a hindrance, and the numbers that it uses. */
function drawFrom(table: Table) {
  return fc
    .tuple(fc.constantFrom(...Object.entries(table)), numbers)
    .map(([[name, create], drawn]) => ({ name, drawn, ...create(drawn) }));
}

/** Replaces the responses to the requests that `isMeant` selects by number, from 1. */
function replacing(
  isMeant: (ordinal: number) => boolean,
  replacement: (now: number) => WireResponse,
): Hindrance {
  return {
    wrap: (respond, { now }) => {
      let ordinal = 0;
      return async (request) => {
        ordinal += 1;
        return isMeant(ordinal) ? replacement(now()) : await respond(request);
      };
    },
  };
}

const from = ({ at }: Numbers) => {
  return (ordinal: number): boolean => ordinal > at;
};
const forAWhile = ({ at, length }: Numbers) => {
  return (ordinal: number): boolean => ordinal > at && ordinal <= at + length;
};

/** A response with a status and a wait in seconds. */
const error =
  (status: number, seconds: number, headers: Readonly<Record<string, string>> = {}) =>
  (now: number): WireResponse => ({
    status,
    headers: {
      'Content-Type': 'application/json',
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(Math.ceil(now / 1000) + seconds),
      ...(status === 429 || status === 503 ? { 'Retry-After': `${seconds}` } : {}),
      ...headers,
    },
    bytes: Buffer.from(JSON.stringify({ code: 'hindered', message: 'Not now.', status })),
    delivery: 'whole',
  });

const undelivered = (delivery: WireResponse['delivery']) => (now: number) => ({
  ...error(200, 60)(now),
  delivery,
});

const page = (): WireResponse => ({
  status: 502,
  headers: { 'Content-Type': 'text/html' },
  bytes: Buffer.from('<html>Bad gateway</html>'),
  delivery: 'whole',
});

const valid: Table = {
  nothing: () => ({}),
  'others take all': ({ at }) => ({
    parts: sharingKey((ordinal) => (ordinal === at ? 2000 : 0)),
  }),
  'others take some at random': ({ length }) => ({
    parts: sharingKey((ordinal) => hashOrdinal(ordinal) % length),
  }),
  'little is left of the day': ({ share }) => ({
    parts: {
      count: (call, all) => {
        const day = `${all.bucket(call)} 86400 ${Math.floor(call.now / 86_400_000)}`;
        if (call.used.size === 0) call.used.set(day, 1000 - share);
        return plain.count(call, all);
      },
    },
  }),
  'each response takes long': ({ at }) => ({
    parts: { arrive: ({ sleep }) => sleep(at * 20) },
  }),
};

const invalid: Table = {
  '429 at random': ({ seconds }) =>
    replacing((ordinal) => hashOrdinal(ordinal) % 5 === 0, error(429, seconds)),
  '429 from a request on': (drawn) => replacing(from(drawn), error(429, drawn.seconds)),
  '503 for a while': (drawn) => replacing(forAWhile(drawn), error(503, drawn.seconds)),
  'a page of a proxy for a while': (drawn) => replacing(forAWhile(drawn), page),
  'the key ends': (drawn) =>
    replacing(from(drawn), error(401, 60, { 'X-RateLimit-Remaining': '5' })),
  'a ban with 403': (drawn) => replacing(from(drawn), error(403, 60)),
  redirects: (drawn) => replacing(from(drawn), error(drawn.redirect, 60, { Location: '/v1/pets' })),
  'every so often a reset': ({ at }) =>
    replacing((ordinal) => ordinal % (2 + (at % 9)) === 0, undelivered('reset')),
  'cut for a while': (drawn) => replacing(forAWhile(drawn), undelivered('cut')),
  'hangs for a while': (drawn) => replacing(forAWhile(drawn), undelivered('hang')),
};

/** Behaviour that breaks no requirement. */
const validHindrance = drawFrom(valid);

const anyHindrance = drawFrom({ ...valid, ...invalid });

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

/** The report of a run, which begins at a second of a minute; undefined if nothing of it is known. */
async function judge(
  base: Mutant | Variant,
  hindrances: readonly Hindrance[],
  chosen: RunOptions,
  second: number,
): Promise<RunReport | undefined> {
  const clock = createTrialClock(Date.UTC(2026, 0, 5, 12, 0, second));
  const parts: Parts = Object.assign({}, ...hindrances.map((each) => each.parts ?? {}));
  let respond = createService({ ...parts, ...base.behaviour() }, clock);
  for (const { wrap } of hindrances) respond = wrap?.(respond, clock) ?? respond;
  const sender = createInProcessSender(respond, { timeout: 2000, sleep: clock.sleep });
  let reported: RunReport | undefined;
  try {
    return await runConformance(
      contract,
      { baseUrl: 'http://service.test/v1', apiKey: 'service-free' },
      { plan: 'Free', clock, timeout: 2000, sender, ...chosen },
      (report) => {
        reported = report;
      },
    );
  } catch (error) {
    if (hasCode(error, 'inconclusive')) return reported;
    throw error;
  }
}

/** What is wrong with the outcome of a run; empty if nothing is. */
function listWrongs(report: RunReport, isValid: boolean): readonly string[] {
  const { outcome, exchanges, verdicts, run } = report;
  const impatient = findImpatient(contract, exchanges);
  if (impatient.length > 0) return impatient;
  if (report.inconclusive?.includes('because of a bug in the suite')) return [report.inconclusive];
  if (outcome === 'failed' && isValid)
    return verdicts.flatMap((each) => (each.kind === 'failed' ? [each.requirement.id] : []));
  if (outcome !== 'conforms') return [];
  const reported = new Set(
    verdicts.flatMap((each) => (each.kind === 'not-tested' ? [each.requirement.id] : [])),
  );
  const isShort = (run.tested ?? 0) * 100 < run.planned * (run.required ?? 90);
  return [
    ...findUnfounded(contract, exchanges, verdicts),
    ...[...findContradictions(contract, exchanges)].flatMap(([id]) =>
      requirementsOf(contract).get(id)?.level === 'must' && !reported.has(id) ? [id] : [],
    ),
    ...(isShort ? [`${run.tested} of ${run.planned}`] : []),
  ];
}

/** The outcome according to each file of a report. */
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
  'valid servers that hinder a run never get a wrong outcome, and all files report it: %s',
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
