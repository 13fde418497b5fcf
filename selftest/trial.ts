import type { Contract } from '../contract/contract.ts';
import { hasCode } from '../contract/error/petstore-error.ts';
import { parseJson } from '../contract/json/value.ts';
import {
  type Clock,
  type RunOptions,
  type RunReport,
  runConformance,
} from '../conformance/index.ts';
import { createInProcessSender } from './in-process.ts';
import { type Mutant, type Service, type Variant, createService } from './index.ts';
import { createMutant } from './subject/mutant.ts';
import { renderJsonReport } from '../report/json.ts';
import { findFalseFacts } from './oracle/facts.ts';
import { findLessTested } from './oracle/less-tested.ts';
import { findUnshown } from './oracle/proof.ts';
import { findUnfounded } from './oracle/response.ts';
import { endOfWaits, findImpatient, findUntrueTimes } from './oracle/wait.ts';

export interface Trial {
  readonly id: string;
  readonly seed: number;
  readonly requests: number;
  readonly named: readonly string[];
  /** Verdicts that the log of the run contradicts, and requests within a wait, each in a sentence. */
  readonly unfounded: readonly string[];
  /** Why the run is inconclusive before it came to a report; undefined if it is not. */
  readonly broken: string | undefined;
  /** Something failed, or enough was tested to say that nothing does. */
  readonly isConclusive: boolean;
  /** Undefined if the run is inconclusive. */
  readonly report: RunReport | undefined;
}

/** How the suite is run in a trial: `timeout` in milliseconds, by the trial's clock in process. */
export type TrialOptions = Omit<RunOptions, 'clock' | 'sender'> & {
  /** Default: as `isOverNetwork` says. */
  readonly isOverNetwork?: boolean;
  /** When the run begins, in milliseconds since 1970. Default: ten seconds past noon of a Monday. */
  readonly startsAt?: number;
  /** Milliseconds that every request takes, in process. Default 0. */
  readonly latency?: number;
};

const nothing = {
  requests: 0,
  named: [],
  unfounded: [],
  isConclusive: false,
  report: undefined,
};

/** The API key of trials: it has the Free plan. */
const apiKey = 'service-free';

/** The base address of a service in process, which nothing listens at. */
const inProcessUrl = 'http://service.test/v1';

/** Time that stands still until somebody sleeps. */
export function createTrialClock(startsAt = Date.UTC(2026, 0, 5, 12, 0, 10)): Clock {
  let now = startsAt;
  return {
    now: () => now,
    sleep: (milliseconds) => {
      now += milliseconds;
      return new Promise((resolve) => void setImmediate(resolve));
    },
  };
}

/** True where only a real connection shows what is changed, and the server does not hang. */
export function isOverNetwork(subject: Mutant | Variant): boolean {
  return subject.behaviour().finish !== undefined && !('hangs' in subject);
}

/** A server that several runs are made against, one after another. */
interface Bench {
  readonly judge: (seed?: number) => Promise<RunReport>;
  readonly clock: Clock;
  readonly close: () => Promise<void>;
}

/**
 * Runs the suite against a server with a mutant or an odd habit, and returns the report.
 * @throws {PetstoreError} where the run is inconclusive
 */
export async function judgeSubject(
  contract: Contract,
  subject: Mutant | Variant,
  options: TrialOptions = {},
): Promise<RunReport> {
  const bench = await startSubject(contract, subject, options);
  try {
    return await bench.judge();
  } finally {
    await bench.close();
  }
}

/**
 * Runs the suite against a service in process.
 * @throws {PetstoreError} where the run is inconclusive
 */
export async function judgeService(
  contract: Contract,
  create: (clock: Clock) => Pick<Service, 'respond'>,
  options: Omit<TrialOptions, 'isOverNetwork'> = {},
): Promise<RunReport> {
  return await startInProcess(contract, create, options).judge();
}

async function startSubject(
  contract: Contract,
  subject: Mutant | Variant,
  { isOverNetwork: network = isOverNetwork(subject), ...given }: TrialOptions,
): Promise<Bench> {
  const options = { exclusive: !('isShared' in subject), ...given };
  const create = (clock: Clock): Service => createService(subject.behaviour(), clock);
  if (!network) return startInProcess(contract, create, options);
  const clock = createTrialClock(options.startsAt);
  const { baseUrl, close } = await create(clock).listen();
  const settings = settle(options, clock);
  return {
    judge: async (seed) =>
      await runConformance(contract, { baseUrl, apiKey }, withSeed(settings, seed)),
    clock,
    close,
  };
}

function startInProcess(
  contract: Contract,
  create: (clock: Clock) => Pick<Service, 'respond'>,
  { latency = 0, ...options }: Omit<TrialOptions, 'isOverNetwork'>,
): Bench {
  const clock = createTrialClock(options.startsAt);
  const settings = settle(options, clock);
  const patience = { timeout: settings.timeout, sleep: clock.sleep };
  const { respond } = create(clock);
  const slow: Service['respond'] = async (request) => {
    await clock.sleep(latency);
    return await respond(request);
  };
  const service = { respond: latency > 0 ? slow : respond };
  return {
    judge: async (seed) => {
      const sender = createInProcessSender(service, patience);
      const target = { baseUrl: inProcessUrl, apiKey };
      return await runConformance(contract, target, { ...withSeed(settings, seed), sender });
    },
    clock,
    close: () => Promise.resolve(),
  };
}

function withSeed<Settings extends RunOptions>(settings: Settings, seed?: number): Settings {
  return seed === undefined ? settings : { ...settings, seed };
}

function settle({ startsAt: _startsAt, timeout = 2000, ...options }: TrialOptions, clock: Clock) {
  return { plan: 'Free', timeout, longestWait: 90_000_000, clock, ...options };
}

const day = 86_400_000;

/** Milliseconds at least from the end of one run to the start of the next. */
const pause = 1000;

/** The trials of a mutant or a variant: its runs, and how the second one contradicts the first. */
export interface Trials {
  readonly first: Trial;
  readonly second: Trial;
  /** Ids of requirements that passed in one run and failed in the other, with the same seed. */
  readonly changed: readonly string[];
}

/** Runs the suite against a server with a mutant or an odd habit, and returns what failed. */
export async function runTrial(
  contract: Contract,
  subject: Mutant | Variant,
  options: TrialOptions,
): Promise<Trial> {
  const { seed = 1 } = options;
  return await readTrial(contract, subject.id, seed, judgeSubject(contract, subject, options));
}

/** A server that does all that it should, tried as a mutant is. */
export const correct = createMutant('correct', ['*/robustness.answered'], 'It is correct.', {});

/** The reports of two runs against a correct server, by the settings and the seed of the second. */
export type CorrectRuns = (
  options: TrialOptions,
  nextSeed?: number,
) => Promise<readonly RunReport[]>;

/** Runs the suite against a correct server once for each settings. */
export function createCorrectRuns(contract: Contract): CorrectRuns {
  const known = new Map<string, ReturnType<CorrectRuns>>();
  const run: CorrectRuns = async (options, nextSeed) => {
    const { first, second } = await runTwice(contract, correct, options, nextSeed);
    return [first.report, second.report].filter((report) => report !== undefined);
  };
  return (options, nextSeed) => {
    const key = JSON.stringify([options, nextSeed]);
    const found = known.get(key) ?? run(options, nextSeed);
    known.set(key, found);
    return found;
  };
}

/** The trials, with what their servers were tested less than a correct one. */
export async function compareWithCorrect(
  { first, second, changed }: Trials,
  runs: Promise<readonly RunReport[]>,
): Promise<Trials> {
  const [good, goodAgain] = await runs;
  return { first: addLess(first, good), second: addLess(second, goodAgain), changed };
}

function addLess(trial: Trial, good: RunReport | undefined): Trial {
  if (trial.report === undefined || good === undefined) return trial;
  return { ...trial, unfounded: [...trial.unfounded, ...findLessTested(good, trial.report)] };
}

/**
 * Runs the suite twice against one server, which holds what the first run left behind: a variant
 * again at once, when little is left of its quota, or when the last wait is over that a response asked
 * for; a mutant at the same time of a later day, when all of it is. `nextSeed`: the seed of the second run.
 */
export async function runTwice(
  contract: Contract,
  subject: Mutant | Variant,
  options: TrialOptions,
  nextSeed?: number,
): Promise<Trials> {
  const { seed = 1 } = options;
  const bench = await startSubject(contract, subject, options);
  try {
    const started = bench.clock.now();
    const first = await readTrial(contract, subject.id, seed, bench.judge());
    const ended = bench.clock.now();
    const wait = endOfWaits(contract, first.report?.exchanges ?? []) - ended;
    await bench.clock.sleep(
      'breaks' in subject ? day - ((ended - started) % day) : Math.max(pause, wait),
    );
    const other = nextSeed ?? seed;
    const second = await readTrial(contract, subject.id, other, bench.judge(other));
    return { first, second, changed: other === seed ? listChanged(first, second) : [] };
  } finally {
    await bench.close();
  }
}

function listChanged({ report }: Trial, second: Trial): readonly string[] {
  const before = new Map(report?.verdicts.map(({ requirement, kind }) => [requirement.id, kind]));
  const flips = ['failed passed', 'passed failed'];
  return (second.report?.verdicts ?? []).flatMap(({ requirement: { id }, kind }) =>
    flips.includes(`${before.get(id)} ${kind}`) ? [id] : [],
  );
}

/** What failed in a run. */
export async function readTrial(
  contract: Contract,
  id: string,
  seed: number,
  running: Promise<RunReport>,
): Promise<Trial> {
  try {
    const report = await running;
    const failed = report.verdicts.filter(({ kind }) => kind === 'failed');
    const named = failed.map(({ requirement }) => requirement.id);
    const document = parseJson(renderJsonReport(report, contract));
    const unfounded = [
      ...findUnfounded(contract, report.exchanges, report.verdicts),
      ...findUnshown(contract, report.exchanges, report.verdicts),
      ...findFalseFacts(report, document),
      ...findImpatient(contract, report.exchanges),
      ...findUntrueTimes(report),
    ];
    const { requests } = report.run;
    const isConclusive = report.outcome !== 'inconclusive';
    return { id, seed, requests, named, unfounded, broken: undefined, isConclusive, report };
  } catch (error) {
    if (!hasCode(error, 'inconclusive')) throw error;
    return { id, seed, ...nothing, broken: error.message };
  }
}
