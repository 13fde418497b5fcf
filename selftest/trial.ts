import type { Contract } from '../contract/contract.ts';
import { hasCode } from '../contract/error/petstore-error.ts';
import { parseJson } from '../contract/json/value.ts';
import {
  type Clock,
  createMovableClock,
  type RunOptions,
  type RunReport,
  runConformance,
} from '../conformance/index.ts';
import { renderJsonReport } from '../report/json.ts';
import { createInProcessSender } from './in-process.ts';
import { type Mutant, type Variant, createService } from './index.ts';
import { findFalseFacts } from './oracle/facts.ts';
import { findUnfounded, findUnshown } from './oracle/verdicts.ts';
import { endOfWaits, findImpatient, findUntrueTimes } from './oracle/wait.ts';
import { listen } from './service/listener.ts';
import type { Respond } from './service/service.ts';

export interface Trial {
  readonly requests: number;
  /** Requirements that failed. */
  readonly named: readonly string[];
  /** Verdicts that the log of the run contradicts, and requests within a wait, each in a sentence. */
  readonly unfounded: readonly string[];
  /** Why the run ended without a report. */
  readonly broken: string | undefined;
  /** Undefined if the run ended without one. */
  readonly report: RunReport | undefined;
}

/** How the suite is run in a trial; `timeout` is in milliseconds, by the trial's clock in process. */
export type TrialOptions = Omit<RunOptions, 'clock' | 'sender'> & {
  /** Default: by `isOverNetwork`. */
  readonly isOverNetwork?: boolean;
  /** When the run begins, in milliseconds since 1970. Default: ten seconds past noon of a Monday. */
  readonly startsAt?: number;
  /** Milliseconds that every request takes. Default: 0. */
  readonly latency?: number;
};

/** A clock that moves only when somebody sleeps, which reports do not mention. */
export function createTrialClock(startsAt = Date.UTC(2026, 0, 5, 12, 0, 10)): Clock {
  const { now, sleep } = createMovableClock(() => startsAt);
  return { now, sleep };
}

/** True if only a real connection shows the fault, and the server does not hang. */
export function isOverNetwork(subject: Mutant | Variant): boolean {
  return subject.behaviour().finish !== undefined && !('hangs' in subject);
}

/** Starts a service for several runs, and the clock of both sides. */
export async function startService(
  contract: Contract,
  create: (clock: Clock) => Respond,
  {
    isOverNetwork: onWire = false,
    latency = 0,
    startsAt,
    timeout = 2000,
    ...options
  }: TrialOptions,
) {
  const clock = createTrialClock(startsAt);
  const settings = { plan: 'Free', timeout, longestWait: 90_000_000, clock, ...options };
  const service = create(clock);
  const respond: Respond = async (request) => {
    if (latency > 0) await clock.sleep(latency);
    return await service(request);
  };
  const running = onWire ? await listen(respond) : undefined;
  const target = { baseUrl: running?.baseUrl ?? 'http://service.test/v1', apiKey: 'service-free' };
  const patience = { timeout, sleep: clock.sleep };
  return {
    clock,
    /** @throws {PetstoreError} if the run is inconclusive */
    judge: async (seed = options.seed ?? 1): Promise<RunReport> => {
      const sender = running ? {} : { sender: createInProcessSender(respond, patience) };
      return await runConformance(contract, target, { ...settings, ...sender, seed });
    },
    [Symbol.asyncDispose]: async () => await running?.close(),
  };
}

async function startSubject(
  contract: Contract,
  subject: Mutant | Variant,
  options: TrialOptions,
): ReturnType<typeof startService> {
  return await startService(contract, (clock) => createService(subject.behaviour(), clock), {
    exclusive: !('isShared' in subject),
    isOverNetwork: isOverNetwork(subject),
    ...options,
  });
}

/**
 * Runs the suite against a mutant or a variant.
 * @throws {PetstoreError} if the run is inconclusive
 */
export async function judgeSubject(
  contract: Contract,
  subject: Mutant | Variant,
  options: TrialOptions = {},
): Promise<RunReport> {
  await using service = await startSubject(contract, subject, options);
  return await service.judge();
}

/** Runs the suite against a mutant or a variant, and returns what failed. */
export async function runTrial(
  contract: Contract,
  subject: Mutant | Variant,
  options: TrialOptions,
): Promise<Trial> {
  return await readTrial(contract, judgeSubject(contract, subject, options));
}

const day = 86_400_000;

/** Minimum milliseconds from the end of one run to the start of the next. */
const pause = 1000;

/**
 * Runs the suite twice against one server, which keeps what the first run left behind: a variant again at
 * once, when little of its quota is left, or when the last requested wait ends; a mutant at the same time
 * on a later day, with a full quota. `changed`: requirements that passed in one run and failed in the
 * other, with the same seed.
 */
export async function runTwice(
  contract: Contract,
  subject: Mutant | Variant,
  options: TrialOptions,
  nextSeed = options.seed ?? 1,
) {
  await using service = await startSubject(contract, subject, options);
  const { clock, judge } = service;
  const started = clock.now();
  const first = await readTrial(contract, judge());
  const ended = clock.now();
  const wait = endOfWaits(contract, first.report?.exchanges ?? []) - ended;
  await clock.sleep('breaks' in subject ? day - ((ended - started) % day) : Math.max(pause, wait));
  const second = await readTrial(contract, judge(nextSeed));
  const isSame = nextSeed === (options.seed ?? 1);
  return { first, second, changed: isSame ? listChanged(first, second) : [] };
}

function listChanged({ report }: Trial, second: Trial): readonly string[] {
  const before = new Map(report?.verdicts.map(({ requirement, kind }) => [requirement.id, kind]));
  const flips = ['failed passed', 'passed failed'];
  return (second.report?.verdicts ?? []).flatMap(({ requirement: { id }, kind }) =>
    flips.includes(`${before.get(id)} ${kind}`) ? [id] : [],
  );
}

/** What failed in a run, and what its own log contradicts. */
export async function readTrial(contract: Contract, running: Promise<RunReport>): Promise<Trial> {
  try {
    const report = await running;
    const { exchanges, verdicts } = report;
    const unfounded = [
      ...findUnfounded(contract, exchanges, verdicts),
      ...findUnshown(contract, exchanges, verdicts),
      ...findFalseFacts(report, parseJson(renderJsonReport(report, contract))),
      ...findImpatient(contract, exchanges),
      ...findUntrueTimes(report),
    ];
    const named = verdicts.flatMap(({ kind, requirement }) =>
      kind === 'failed' ? [requirement.id] : [],
    );
    return { requests: report.run.requests, named, unfounded, broken: undefined, report };
  } catch (error) {
    if (!hasCode(error, 'inconclusive')) throw error;
    return { requests: 0, named: [], unfounded: [], broken: error.message, report: undefined };
  }
}
