import { type Contract, hasCode } from '../contract/index.ts';
import {
  type Clock,
  type RunOptions,
  type RunReport,
  type Target,
  runConformance,
} from '../conformance/index.ts';
import { createInProcessSender } from './in-process.ts';
import { type Mutant, type Variant, createService } from './index.ts';
import { findUnfounded } from './oracle/index.ts';

export interface Trial {
  readonly id: string;
  readonly seed: number;
  readonly requests: number;
  readonly named: readonly string[];
  /** Verdicts that the log of the run contradicts, each in a sentence. */
  readonly unfounded: readonly string[];
  /** Why the run is inconclusive; undefined if it is not. */
  readonly broken: string | undefined;
  /** Undefined if the run is inconclusive. */
  readonly report: RunReport | undefined;
}

/** How the suite is run in a trial: `timeout` in milliseconds, by the trial's clock in process. */
export type TrialOptions = Omit<RunOptions, 'clock' | 'sender'> & {
  /** Default: as `isOverNetwork` says. */
  readonly isOverNetwork?: boolean;
};

const nothing = { requests: 0, named: [], unfounded: [], report: undefined };

/** The API key of trials: it has the Free plan. */
const apiKey = 'service-free';

/** The base address of a service in process, which nothing listens at. */
const inProcessUrl = 'http://service.test/v1';

/** Time that stands still until somebody sleeps, from ten seconds past noon of a Monday. */
export function createTrialClock(): Clock {
  let now = Date.UTC(2026, 0, 5, 12, 0, 10);
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

/**
 * Runs the suite against a server with a mutant or an odd habit, and tells the report.
 * @throws {PetstoreError} where the run is inconclusive
 */
export async function judgeSubject(
  contract: Contract,
  subject: Mutant | Variant,
  options: TrialOptions = {},
): Promise<RunReport> {
  const { isOverNetwork: network = isOverNetwork(subject), timeout = 2000, ...others } = options;
  const clock = createTrialClock();
  const settings = { plan: 'Free', timeout, longestWait: 90_000_000, clock, ...others };
  const service = createService(subject.behaviour(), clock);
  const run = (target: Target, further: RunOptions = {}): Promise<RunReport> =>
    runConformance(contract, target, { ...settings, ...further });
  if (!network) {
    const sender = createInProcessSender(service, { timeout, sleep: clock.sleep });
    return await run({ baseUrl: inProcessUrl, apiKey }, { sender });
  }
  const { baseUrl, close } = await service.listen();
  try {
    return await run({ baseUrl, apiKey });
  } finally {
    await close();
  }
}

/** Runs the suite against a server with a mutant or an odd habit, and tells what failed. */
export async function runTrial(
  contract: Contract,
  subject: Mutant | Variant,
  options: TrialOptions,
): Promise<Trial> {
  const { id } = subject;
  const { seed = 1 } = options;
  try {
    const report = await judgeSubject(contract, subject, options);
    const failed = report.verdicts.filter(({ kind }) => kind === 'failed');
    const named = failed.map(({ requirement }) => requirement.id);
    const unfounded = findUnfounded(contract, report.exchanges, report.verdicts);
    const { requests } = report.run;
    return { id, seed, requests, named, unfounded, broken: undefined, report };
  } catch (error) {
    if (!hasCode(error, 'inconclusive')) throw error;
    return { id, seed, ...nothing, broken: error.message };
  }
}
