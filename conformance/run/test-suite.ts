import { listRequirements } from '../family/requirements.ts';
import type { Contract } from '../../contract/contract.ts';
import { usualTimeLimit } from '../outcome/time-limit.ts';
import type { Target } from '../transport/target.ts';
import { planSettled } from './execute.ts';
import { type RunOptions, settleRun } from './settings.ts';
import { isFailure, type Report } from './report.ts';
import { runConformance } from './run.ts';

/** The functions of a test runner that are needed: vitest, node:test, Jest and others have them. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  /** The body gets the context of the test as its first argument, if the runner has one. */
  readonly test: (name: string, body: (...given: readonly unknown[]) => void) => unknown;
  /** `timeout`: milliseconds that the run may take, waits for the rate limit included. */
  readonly beforeAll: (body: () => Promise<void>, timeout: number) => unknown;
}

/** The context of a test. Without `skip`, as in Jest, tests of untested requirements pass. */
export interface TestContext {
  readonly skip?: (reason?: string) => unknown;
}

/** The target of the tests, or a function that starts it. */
export type TestTarget =
  | Target
  | (() => Promise<{ readonly target: Target; readonly options?: RunOptions }>);

/**
 * Defines one test for each requirement, all of one run of the suite. The test of a failed requirement
 * fails; that of an untested one is skipped with the reason.
 */
export function defineConformanceTests(
  runner: TestRunner,
  contract: Contract,
  target: TestTarget,
  options: RunOptions = {},
): void {
  const judged: { report?: Report } = {};
  const known =
    typeof target === 'function' ? { baseUrl: 'http://localhost', apiKey: undefined } : target;
  runner.beforeAll(
    async () => {
      const place = typeof target === 'function' ? await target() : { target };
      judged.report = await runConformance(contract, place.target, {
        ...options,
        ...('options' in place ? place.options : {}),
      });
    },
    longestDuration(contract, known, options),
  );
  const operations = new Set(listRequirements(contract).map(({ operation }) => operation));
  for (const operation of operations) {
    runner.describe(operation, () => {
      const requirements = listRequirements(contract).filter(
        (each) => each.operation === operation && each.level !== 'open',
      );
      // Jest waits for a callback if the body has a named argument.
      for (const { id } of requirements)
        runner.test(id, (...given) => settle(id, judged.report, contextOf(given[0])));
    });
  }
}

function contextOf(given: unknown): TestContext {
  return isTestContext(given) ? given : {};
}

/** The context of vitest is a function. */
function isTestContext(value: unknown): value is TestContext {
  const isOne = typeof value === 'function' || (typeof value === 'object' && value !== null);
  return isOne && 'skip' in value && typeof value.skip === 'function';
}

function settle(id: string, report: Report | undefined, context: TestContext): void {
  const verdict = report?.verdicts.find(({ requirement }) => requirement.id === id);
  if (verdict === undefined)
    throw new Error(`${id} was not judged: the run did not come to its end`);
  const unserved = report?.unserved.find(({ requirement }) => requirement === id);
  if (unserved !== undefined) throw new Error(unserved.sentence);
  if (verdict.kind === 'not-tested') context.skip?.(`not tested: ${verdict.reason}`);
  if (verdict.kind !== 'failed' || !isFailure(verdict)) return;
  const [first] = verdict.failures;
  throw new Error(
    `${verdict.requirement.sentence}\nexpected  ${first?.expected ?? ''}\nreceived  ${first?.received ?? ''}`,
  );
}

/** Factor for the time that judging takes after the last request. */
const judging = 1.2;

/**
 * Milliseconds after which a run is over, however slow the target is: for the timeout of a test
 * runner.
 * @throws {PetstoreError} for a base address or an option that cannot be used
 */
export function longestDuration(
  contract: Contract,
  target: Target,
  options: RunOptions = {},
): number {
  const settings = settleRun(contract, target, options);
  const { timeLimit = usualTimeLimit(contract, settings, planSettled(contract, settings)) } =
    settings;
  return Math.ceil(judging * timeLimit);
}
