import {
  requirementId,
  type Contract,
  type Operation,
  type Resource,
} from '../../contract/index.ts';
import type { Exchange } from '../transport/exchange.ts';
import { isLimited } from '../transport/pacing.ts';
import { readDate, readRateLimit } from '../transport/pace.ts';
import { shortestList } from './parameter.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import type { Request } from '../transport/session.ts';
import { lawfulRequest } from './lawful-request.ts';

/** Requests beyond the limit until the first 429 has to have come. */
const beyond = 3;

/**
 * The drive to the limit: lists until nothing is left, then every operation at the same time, so
 * that no request is sent after a 429, then one more when the target says that it may be. Costs
 * what is left of the window.
 */
export function listRateLimitProbes({ contract, plan }: PlanContext): readonly Probe[] {
  const [resource] = contract.resources;
  const policy = contract.rateLimit;
  if (resource === undefined || policy === undefined) return [];
  const facets = (['exceeded', 'retry-after', 'returns'] as const).map((facet) =>
    requirementId.rateLimit(facet),
  );
  const refusals = contract.requirements
    .filter(
      ({ subject }) =>
        (subject.kind === 'header' || (subject.kind === 'body' && subject.part !== 'error')) &&
        subject.status === String(policy.status),
    )
    .map(({ id }) => id);
  const limit = plan?.limits?.get(policy.windows[0]?.name ?? '') ?? 0;
  return [
    createProbe({
      id: '*/exhaust',
      phase: 'exhaust',
      rank: 0,
      // One finds out where the window is.
      requests: 1 + limit + contract.operations.length + beyond + 1,
      proves: [...facets, ...refusals],
      run: (run) => exhaust(run, resource),
    }),
  ];
}

async function exhaust(run: Run, resource: Resource): Promise<void> {
  const { session, contract } = run;
  const isRefused = (exchanges: readonly Exchange[]): boolean =>
    exchanges.some((each) => isLimited(each, contract));
  const few = shortestList(resource);
  const first = await session.send(few);
  const start = startOf(first, contract);
  if (start !== undefined) await session.rest(start);
  let last: readonly Exchange[] = [start === undefined ? first : await session.send(few)];
  while (remainingOf(last, contract) > 0 && !isRefused(last))
    last = await session.sendBeyond([few]);
  let refused = isRefused(last) || isRefused(await session.sendBeyond(everyOperation(run, few)));
  for (let more = 0; more < beyond && !refused; more += 1)
    refused = isRefused(await session.sendBeyond([{ ...few, intent: { kind: 'beyond' } }]));
  if (!refused) return;
  await session.rest();
  await session.sendBeyond([few]);
}

/** Milliseconds that a drive keeps clear of the end of a window. */
const clearance = 7000;

/**
 * When to begin, by the suite's clock; undefined for at once. A window that would end on the way
 * proves nothing, and neither does a Reset of this very moment: a little later it has come or not.
 */
function startOf(exchange: Exchange, { rateLimit }: Contract): number | undefined {
  const { outcome, sentAt, endedAt } = exchange;
  if (outcome.kind !== 'answered' || !rateLimit) return undefined;
  const { remaining, reset } = readRateLimit(outcome.response, rateLimit.headers);
  if (remaining === undefined || reset === undefined) return undefined;
  const ahead = reset * 1000 - (readDate(outcome.response) ?? endedAt);
  const needed = clearance + remaining * (endedAt - sentAt);
  const shortest = (rateLimit.windows[0]?.seconds ?? 0) * 1000;
  if (ahead < -clearance || ahead > Math.min(needed, shortest / 2)) return undefined;
  return endedAt + Math.max(ahead, 0) + (ahead > 0 ? 1000 : clearance);
}

function remainingOf([exchange]: readonly Exchange[], { rateLimit }: Contract): number {
  return exchange?.outcome.kind === 'answered' && rateLimit
    ? (readRateLimit(exchange.outcome.response, rateLimit.headers).remaining ?? 0)
    : 0;
}

function everyOperation(run: Run, few: Request): readonly Request[] {
  const lawful = (operation: Operation) =>
    operation.id === few.operation.id ? few : lawfulRequest(operation, run);
  return run.contract.operations.map((operation) => ({
    ...lawful(operation),
    intent: { kind: 'beyond' },
  }));
}
