import type { Contract } from '../../contract/contract.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { refuseNoContract, refuseUnknownOptions } from '../../contract/error/api-arguments.ts';
import { createCarrier, systemClock } from '../transport/carrier.ts';
import { endRecord, executeRun, planSettled } from './execute.ts';
import type { RunReport } from './report.ts';
import { type RunOptions, runOptionNames, settleRun, type RunPlan } from './settings.ts';
import { useSender } from '../transport/sender.ts';
import { composeUnjudged } from './compose-report.ts';
import type { Exchange } from '../transport/exchange.ts';
import { refuseUnbounded } from '../judge/waiver.ts';
import { usualTimeLimit } from '../outcome/time-limit.ts';
import type { Target } from '../transport/target.ts';

/**
 * Judges a target against a contract. A bug in the suite itself makes the report inconclusive.
 * @param onUnjudged called with what is known of a run that comes to no verdict, before it rejects
 * @throws {PetstoreError} for an invalid base URL or option
 * @throws {PetstoreError} if the run is inconclusive: nobody there, wrong server, wrong key
 */
export async function runConformance(
  contract: Contract,
  target: Target,
  options: RunOptions = {},
  onUnjudged?: (report: RunReport) => void,
): Promise<RunReport> {
  refuseNoContract('runConformance', contract);
  refuseNoTarget(target);
  refuseUnknownOptions('runConformance', options, runOptionNames);
  const { clock = systemClock, watcher, signal } = options;
  const settings = settleRun(contract, target, options);
  await using sender = useSender(options.sender, settings);
  const startedAt = clock.now();
  const plan = planSettled(contract, settings);
  const timeLimit = settings.timeLimit ?? usualTimeLimit(contract, settings, plan);
  const carrier = createCarrier(
    { ...target, baseUrl: settings.baseUrl },
    {
      clock,
      sender,
      startedAt,
      deadline: startedAt + timeLimit,
      signal,
      onWait: watcher?.onWait,
    },
  );
  const record = { ...settings, timeLimit, startedAt, endedAt: startedAt };
  const exchanges: Exchange[] = [];
  const onExchange = (exchange: Exchange): void => {
    exchanges.push(exchange);
    watcher?.onExchange?.(exchange);
  };
  refuseUnbounded(contract, record.waivers, startedAt);
  watcher?.onPlan?.(plan);
  try {
    return await executeRun(contract, record, carrier, plan, onExchange);
  } catch (error) {
    const ended = endRecord(record, carrier);
    const report = composeUnjudged(contract, ended, plan, exchanges, error);
    onUnjudged?.(report);
    if (error instanceof PetstoreError) throw error;
    return report;
  }
}

/**
 * What a run would do, without sending anything.
 * @throws {PetstoreError} for an invalid base URL or option
 */
export function planConformance(
  contract: Contract,
  target: Target,
  options: RunOptions = {},
): RunPlan {
  return planSettled(contract, settleRun(contract, target, options));
}

/** Callers in JavaScript may pass anything. */
function refuseNoTarget(target: unknown): void {
  const isObject = typeof target === 'object' && target !== null;
  if (isObject && 'baseUrl' in target && typeof target.baseUrl === 'string') return;
  throw new PetstoreError(
    'target',
    'runConformance needs a target with the base URL of a server.',
    {
      remedy: "For example: { baseUrl: 'http://127.0.0.1:4010/v1', apiKey: 'free_demo' }.",
    },
  );
}
