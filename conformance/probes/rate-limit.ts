import { listRequirements } from '../family/requirements.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import type { Contract } from '../../contract/contract.ts';
import type { RateLimitPolicy } from '../../contract/openapi/rate-limit.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import type { Exchange } from '../transport/exchange.ts';
import { isLimited, SessionEnd, readDate, readRateLimit } from '../transport/pacing.ts';
import { shortestList } from './lists.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import type { Request } from '../transport/session.ts';
import { writes } from '../transport/target.ts';
import { validRequest } from './requests.ts';

/** Requests beyond the limit until the first 429 has to have come. */
const beyond = 3;

/** Windows that are used up, each to go beyond the limit with another operation: more where they are small. */
const usualWindows = 3;

/** Requests of a drive for which small windows are used up until each operation went beyond the limit. */
const shortDrive = 150;

/**
 * The drive to the limit. It uses up a window, sends one operation after another until the first 429,
 * waits as that says, and looks again; then the next window, with another operation first. It never
 * sends a request within a wait, and keeps clear of the end of a window.
 */
export function listRateLimitProbes(
  { contract, plan }: PlanContext,
  readOnly: boolean,
): readonly Probe[] {
  const [resource] = contract.resources;
  const policy = contract.rateLimit;
  if (resource === undefined || policy === undefined) return [];
  const facets = (['exceeded', 'retry-after', 'returns'] as const).map((facet) =>
    requirementId.rateLimit(facet),
  );
  const refusals = listRequirements(contract)
    .filter(
      ({ subject }) =>
        (subject.kind === 'header' || (subject.kind === 'body' && subject.part !== 'error')) &&
        subject.status === String(policy.status),
    )
    .map(({ id }) => id);
  const limit = plan?.limits?.get(policy.windows[0]?.name ?? '') ?? 0;
  const operations = orderOperations(contract.operations, resource, readOnly);
  const wanted = limit === 0 ? 0 : Math.floor(shortDrive / (limit + 2));
  const windows = Math.min(
    Math.max(usualWindows, wanted),
    operations.length,
    Math.floor(longestDrive / limit),
  );
  const drive = { resource, operations, told: limit, windows: Math.max(1, windows) };
  return [
    createProbe({ id: '*', method: 'GET' }, 'exhaust', {
      phase: 'exhaust',
      rank: 0,
      // One finds out where the window is; of each window one is more than the limit, one looks again.
      requests: 3 + drive.windows * (limit + 2) + operations.length + beyond,
      proves: [...facets, ...refusals],
      run: (run) => (limit === 0 ? exhaustUnknown(run, drive) : exhaust(run, drive)),
    }),
  ];
}

interface Drive {
  readonly resource: Resource;
  /** Those that are sent beyond the limit, the list first. */
  readonly operations: readonly Operation[];
  /** The limit of the plan; 0 without a plan: then the headers give it. */
  readonly told: number;
  readonly windows: number;
}

/** The list, then one operation of each other method, then the rest: limiters go by the method, too. */
function orderOperations(
  operations: readonly Operation[],
  { list }: Resource,
  readOnly: boolean,
): readonly Operation[] {
  const permitted = operations.filter((each) => !(readOnly && writes(each)));
  const others = [...Map.groupBy(permitted, ({ method }) => method).values()]
    .flatMap((alike) =>
      alike.filter(({ id }) => id !== list.id).map((each, nth) => ({ each, nth })),
    )
    .toSorted((a, b) => a.nth - b.nth || rankOf(a.each, list) - rankOf(b.each, list));
  return [list, ...others.map(({ each }) => each)];
}

/** Another method than the list's comes first. */
function rankOf({ method }: Operation, list: Operation): number {
  return method === list.method ? 1 : 0;
}

/** Uses up one window after another, as long as the target refuses what is beyond them. */
async function exhaust(run: Run, drive: Drive): Promise<void> {
  const { session, contract } = run;
  const few = shortestList(drive.resource);
  let last = await session.send(few);
  for (let turn = 0; turn < drive.windows && !isLimited(last, contract); turn += 1) {
    const next = await useWindow(run, drive, last, turn);
    if (next === undefined) return;
    last = next;
  }
}

/** The budget of a drive is a guess where no plan says how large the limit is. */
async function exhaustUnknown(run: Run, drive: Drive): Promise<void> {
  try {
    await exhaust(run, drive);
  } catch (error) {
    if (!(error instanceof SessionEnd) || error.kind !== 'budget') throw error;
    throw new SessionEnd(
      'drive',
      'exhausting the limit: it accepts more requests than its headers allow, and the limit is unknown (pass --plan)',
    );
  }
}

/**
 * Lists until nothing is left: once more than the plan has, if Remaining does not say so. Returns the
 * first exchange of the next window; undefined where there is none, or nothing was refused.
 */
async function useWindow(
  run: Run,
  { resource, operations, told }: Drive,
  first: Exchange,
  turn: number,
): Promise<Exchange | undefined> {
  const { session, contract } = run;
  const few = shortestList(resource);
  let last = first;
  const start = startOf(last, contract);
  if (start !== undefined) {
    session.rest(start);
    last = await session.send(few);
  }
  const limit = told === 0 ? allowDrive(run, last) : told;
  const others = turn === 0 ? spread(run, operations) : [];
  for (let sent = 1; sent <= limit && remainingOf(last, contract) > 0; sent += 1)
    last = await session.sendBeyond(others.shift() ?? few);
  const order = [...operations.slice(turn), ...operations.slice(0, turn)];
  const isEmpty = remainingOf(last, contract) === 0;
  const isRefused = isLimited(last, contract) || (isEmpty && (await goBeyond(run, order, few)));
  const end = isRefused ? 0 : nextWindow(last, contract);
  if (end === undefined) return undefined;
  session.rest(end);
  let next = await session.sendBeyond(few);
  // Reset is rounded: what has come, or comes within a second, has to move on.
  if (readWindow(next, contract.rateLimit).ahead <= 1000) {
    session.rest(next.endedAt + 1000 + clearance);
    next = await session.sendBeyond(few);
  }
  return isRefused ? next : undefined;
}

/**
 * Each operation but the list twice: where each has a count of its own, more are served in all than
 * Limit says. Nothing is removed.
 */
function spread(run: Run, [, ...others]: readonly Operation[]): Request[] {
  const once = others.filter(({ method }) => method !== 'DELETE').slice(0, 10);
  return [...once, ...once].map((operation) => ({
    ...validRequest(operation, run),
    intent: { kind: 'unspecified', way: 'one of the requests up to the limit' },
  }));
}

/** Most requests of a drive whose length only the headers tell. */
const longestDrive = 5000;

/**
 * Allows as many requests as the headers say that there are, and returns how many.
 * @throws {SessionEnd} `drive`, where they say nothing, or too much
 */
function allowDrive({ session, contract }: Run, last: Exchange): number {
  const { remaining } = readWindow(last, contract.rateLimit);
  const name = contract.rateLimit?.headers.remaining ?? 'Remaining';
  if (remaining === undefined)
    throw new SessionEnd(
      'drive',
      `exhausting the limit: no ${name} shows how many requests remain (pass --plan)`,
    );
  if (remaining > longestDrive)
    throw new SessionEnd(
      'drive',
      `exhausting the limit: ${name} is ${remaining}, and where the limit of the plan is unknown, at most ${longestDrive} requests are sent for this`,
    );
  session.budget += remaining;
  return remaining + 1;
}

/** Sends one operation after another when nothing is left, then a few lists, until the first 429. */
async function goBeyond(run: Run, order: readonly Operation[], few: Request): Promise<boolean> {
  const list = few.operation;
  for (const operation of [...order, ...Array.from({ length: beyond }, () => list)]) {
    const request = operation.id === list.id ? few : validRequest(operation, run);
    const sent = await run.session.sendBeyond({ ...request, intent: { kind: 'beyond' } });
    if (isLimited(sent, run.contract)) return true;
  }
  return false;
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

/** What is left; nothing if unknown, or after a 429. */
function remainingOf(exchange: Exchange, contract: Contract): number {
  return isLimited(exchange, contract)
    ? 0
    : (readWindow(exchange, contract.rateLimit).remaining ?? 0);
}
