import {
  requirementId,
  type Contract,
  type RateLimitPolicy,
  type Operation,
  type Resource,
} from '../../contract/index.ts';
import type { Exchange } from '../transport/exchange.ts';
import { isLimited, SessionEnd } from '../transport/pacing.ts';
import { readDate, readRateLimit } from '../transport/pace.ts';
import { shortestList } from './parameter.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import type { Request } from '../transport/session.ts';
import { lawfulRequest } from './lawful-request.ts';

/** Requests beyond the limit until the first 429 has to have come. */
const beyond = 3;

/**
 * The drive to the limit: lists until nothing is left, then every operation at the same time, so
 * that no request is sent after a 429, then one more when the target says that it may be. It keeps
 * clear of the end of a window. Costs what is left of the window.
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
      // One finds out where the window is, one is more than the limit, one looks again.
      requests: 3 + limit + contract.operations.length + beyond + 1,
      proves: [...facets, ...refusals],
      run: (run) => (limit === 0 ? exhaustUnknown(run, resource) : exhaust(run, resource, limit)),
    }),
  ];
}

/** The budget of a drive is a guess where no plan says how large the limit is. */
async function exhaustUnknown(run: Run, resource: Resource): Promise<void> {
  try {
    await exhaust(run, resource, 0);
  } catch (error) {
    if (!(error instanceof SessionEnd) || error.kind !== 'budget') throw error;
    throw new SessionEnd(
      'drive',
      'drive: it takes more requests than the headers said, and no plan says how large the limit is (--plan)',
    );
  }
}

/**
 * Lists until nothing is left: once more than the plan has, if Remaining does not say so. `told`: what
 * the plan has; 0 where no plan was told, and the headers have to say it.
 */
async function exhaust(run: Run, resource: Resource, told: number): Promise<void> {
  const { session, contract } = run;
  const few = shortestList(resource);
  let last = await session.send(few);
  const start = startOf(last, contract);
  if (start !== undefined) {
    await session.rest(start);
    last = await session.send(few);
  }
  const limit = told === 0 ? allowDrive(run, last) : told;
  for (let sent = 1; sent <= limit && remainingOf(last, contract) > 0; sent += 1)
    [last = last] = await session.sendBeyond([few]);
  const isSpent = isLimited(last, contract) || remainingOf(last, contract) === 0;
  if (isSpent && (isLimited(last, contract) || (await isRefused(run, few)))) await session.rest();
  else {
    const end = nextWindow(last, contract);
    if (end === undefined) return;
    await session.rest(end);
  }
  const [next] = await session.sendBeyond([few]);
  // Reset is rounded: what has come, or comes within a second, has to move on.
  if (!next || !(readWindow(next, contract.rateLimit).ahead <= 1000)) return;
  await session.rest(next.endedAt + 1000 + clearance);
  await session.sendBeyond([few]);
}

/** Most requests of a drive whose length only the headers tell. */
const longestDrive = 5000;

/**
 * Allows as many requests as the headers say that there are, and tells how many.
 * @throws {SessionEnd} `drive`, where they say nothing, or too much
 */
function allowDrive({ session, contract }: Run, last: Exchange): number {
  const { remaining } = readWindow(last, contract.rateLimit);
  const name = contract.rateLimit?.headers.remaining ?? 'Remaining';
  if (remaining === undefined)
    throw new SessionEnd('drive', `drive: no ${name} tells how many requests are left (--plan)`);
  if (remaining > longestDrive)
    throw new SessionEnd(
      'drive',
      `drive: ${name} is ${remaining}, and a drive sends ${longestDrive} at most where no plan says the limit (--plan)`,
    );
  session.extend(remaining);
  return remaining + 1;
}

/** Sends every operation when nothing is left, then a few lists, until the first 429. */
async function isRefused(run: Run, few: Request): Promise<boolean> {
  const { session, contract } = run;
  const isAny = (exchanges: readonly Exchange[]): boolean =>
    exchanges.some((each) => isLimited(each, contract));
  let refused = isAny(await session.sendBeyond(everyOperation(run, few)));
  for (let more = 0; more < beyond && !refused; more += 1)
    refused = isAny(await session.sendBeyond([{ ...few, intent: { kind: 'beyond' } }]));
  return refused;
}

/** Milliseconds that a drive keeps clear of the end of a window. */
const clearance = 7000;

/**
 * When to begin, by the suite's clock; undefined for at once. A window that would end on the way
 * proves nothing, and neither does a Reset of this very moment: a little later it has come or not.
 */
function startOf(exchange: Exchange, { rateLimit }: Contract): number | undefined {
  const { sentAt, endedAt } = exchange;
  const { remaining, reset, ahead } = readWindow(exchange, rateLimit);
  if (remaining === undefined || reset === undefined || !rateLimit) return undefined;
  const [shortest, ...longer] = rateLimit.windows.map(({ seconds }) => seconds);
  const needed = clearance + remaining * (endedAt - sentAt);
  const isNear = ahead <= Math.min(needed, (shortest ?? 0) * 500);
  const isLast = longer.some((seconds) => reset % seconds === 0) && ahead <= (shortest ?? 0) * 1000;
  if (!(ahead >= -clearance) || !(isNear || isLast)) return undefined;
  return endedAt + (ahead > 0 ? ahead + 1000 : clearance);
}

/** When the next window has begun, by the suite's clock; undefined where that is far off. */
function nextWindow(exchange: Exchange, { rateLimit }: Contract): number | undefined {
  const { ahead } = readWindow(exchange, rateLimit);
  const longest = (rateLimit?.windows[0]?.seconds ?? 0) * 1000;
  if (!(ahead <= longest)) return undefined;
  return exchange.endedAt + (ahead > 0 ? ahead + 1000 : clearance);
}

/** What a response says of its window; `ahead`: milliseconds until its end. */
function readWindow({ outcome, endedAt }: Exchange, policy: RateLimitPolicy | undefined) {
  if (outcome.kind !== 'answered' || !policy) return { ahead: Number.NaN };
  const { remaining, reset = Number.NaN } = readRateLimit(outcome.response, policy.headers);
  const ahead = reset * 1000 - (readDate(outcome.response) ?? endedAt);
  return { remaining, reset, ahead };
}

/** What is left; nothing where that is not told, or a 429 came. */
function remainingOf(exchange: Exchange, contract: Contract): number {
  return isLimited(exchange, contract)
    ? 0
    : (readWindow(exchange, contract.rateLimit).remaining ?? 0);
}

function everyOperation(run: Run, few: Request): readonly Request[] {
  const lawful = (operation: Operation) =>
    operation.id === few.operation.id ? few : lawfulRequest(operation, run);
  return run.contract.operations.map((operation) => ({
    ...lawful(operation),
    intent: { kind: 'beyond' },
  }));
}
