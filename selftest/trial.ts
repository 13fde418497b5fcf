import { type Contract, hasCode } from '../contract/index.ts';
import { type Clock, type Report, runConformance } from '../conformance/index.ts';
import { type Mutant, type Variant, createService } from './index.ts';

/** What one run of the suite against one prepared server came to. */
export interface Trial {
  readonly id: string;
  readonly seed: number;
  readonly requests: number;
  /** Requirements that the suite called broken. */
  readonly named: readonly string[];
  /** Why the run is inconclusive; undefined if it could. */
  readonly broken: string | undefined;
  /** A 429 came that no drive to the limit had asked for. */
  readonly limited: boolean;
}

/** How the suite is run in a trial. */
export interface TrialOptions {
  readonly requests: number;
  readonly seed: number;
  readonly exhaust: boolean;
  /** Requests of fuzzing; 0 for none. */
  readonly fuzz: number;
}

/**
 * Time that stands still until somebody sleeps: ten seconds past noon of a Monday, far from the
 * edges of windows.
 */
function createTrialClock(): Clock {
  let now = Date.UTC(2026, 0, 5, 12, 0, 10);
  return {
    now: () => now,
    sleep: (milliseconds) => {
      now += milliseconds;
      return new Promise((resolve) => void setImmediate(resolve));
    },
  };
}

/** Runs the suite against a server with a mutant or an odd habit, on the key of the Free plan. */
export async function runTrial(
  contract: Contract,
  subject: Mutant | Variant,
  options: TrialOptions,
): Promise<Trial> {
  const clock = createTrialClock();
  const service = await createService(subject.behaviour(), { clock, sleep: clock.sleep }).listen();
  const target = { baseUrl: service.baseUrl, apiKey: 'service-free' };
  const { seed, requests, exhaust, fuzz } = options;
  try {
    const report = await runConformance(contract, target, {
      plan: 'Free',
      timeout: 2000,
      longestWait: 90_000_000,
      clock,
      seed,
      requests,
      exhaust,
      ...(fuzz > 0 ? { fuzz } : {}),
    });
    return readTrial(subject.id, seed, report);
  } catch (error) {
    if (!hasCode(error, 'inconclusive')) throw error;
    return { id: subject.id, seed, requests: 0, named: [], broken: error.message, limited: false };
  } finally {
    await service.close();
  }
}

function readTrial(id: string, seed: number, report: Report): Trial {
  const named = report.verdicts
    .filter((verdict) => verdict.kind === 'failed')
    .map(({ requirement }) => requirement.id);
  const limited = report.exchanges.some(
    ({ probe, outcome }) =>
      probe !== '*/exhaust' && outcome.kind === 'answered' && outcome.response.status === 429,
  );
  return { id, seed, requests: report.run.requests, named, broken: undefined, limited };
}
