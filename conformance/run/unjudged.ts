import { listRequirements } from '../family/requirements.ts';
import type { Contract } from '../../contract/contract.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { requiredShare } from '../outcome/tested.ts';
import type { Exchange } from '../transport/exchange.ts';
import { notTested } from '../judge/verdict.ts';
import { takenBy } from './compose-report.ts';
import type { RunRecord } from './options.ts';
import { countVerdicts, describeContract, type RunReport } from './report.ts';
import type { RunPlan, Watcher } from './watcher.ts';

/** A run that may come to no verdict: what is known of it by then. */
export interface RunTrace {
  readonly watcher: Watcher;
  /** The report that the run failed before it could be judged; undefined before its first request. */
  readonly explain: (record: RunRecord, error: unknown) => RunReport | undefined;
}

/** Follows a run from its plan on, and passes everything on to another watcher. */
export function followRun(contract: Contract, watcher: Watcher = {}): RunTrace {
  let plan: RunPlan | undefined;
  const exchanges: Exchange[] = [];
  return {
    watcher: {
      ...watcher,
      onPlan: (planned) => {
        plan = planned;
        watcher.onPlan?.(planned);
      },
      onExchange: (exchange) => {
        exchanges.push(exchange);
        watcher.onExchange?.(exchange);
      },
    },
    explain: (record, error) =>
      plan && composeUnjudged(contract, record, plan, exchanges, explainFault(error)),
  };
}

function explainFault(error: unknown): string {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return error instanceof PetstoreError
    ? error.message.replace(/\.$/, '')
    : `the run could not be judged because of a bug in the suite: ${message}`;
}

/** Nothing is judged of such a run: its exchanges are there for people. */
function composeUnjudged(
  contract: Contract,
  record: RunRecord,
  { requests: planned, budget }: RunPlan,
  exchanges: readonly Exchange[],
  reason: string,
): RunReport {
  const because = {
    kind: 'ended-early',
    end: 'error',
    sent: exchanges.length,
    text: reason,
  } as const;
  const verdicts = listRequirements(contract).map((requirement) => notTested(requirement, because));
  return {
    format: 'petstore-conformance-report/1',
    contract: describeContract(contract),
    target: { baseUrl: record.baseUrl, plan: record.plan },
    client: undefined,
    run: {
      seed: record.seed,
      tag: '',
      budget,
      requests: exchanges.length,
      planned,
      tested: 0,
      required: record.requireTested ?? requiredShare,
      startedAt: new Date(record.startedAt).toISOString(),
      milliseconds: takenBy(record),
      endedEarly: reason,
    },
    outcome: 'inconclusive',
    inconclusive: reason,
    unserved: [],
    counts: countVerdicts(verdicts),
    verdicts,
    waivers: record.waivers.map((waiver) => ({ waiver, state: 'unreached' })),
    leftBehind: [],
    exchanges,
    record,
  };
}
