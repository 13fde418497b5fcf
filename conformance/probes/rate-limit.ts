import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { listRequirements } from '../family/requirements.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import type { Exchange } from '../transport/exchange.ts';
import { isLimited, SessionEnd, readDate, readRateLimit } from '../transport/pacing.ts';
import type { Request } from '../transport/session.ts';
import { writes } from '../transport/target.ts';
import { shortestList } from './reads.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import { validRequest } from './requests.ts';

/** Requests over the limit, by the last of which a 429 must have come. */
const beyond = 3;

/**
 * Windows that are used up, each to exceed the limit with another operation; more if they are
 * small.
 */
const usualWindows = 3;

/** Most requests to use up small windows until each operation has exceeded the limit. */
const shortDrive = 150;

/** Most requests of a drive whose length is only known from the headers. */
const longestDrive = 5000;

/** Milliseconds before the end of a window in which a drive does not start. */
const clearance = 7000;

interface Drive {
  /** The list that is sent until nothing is left. */
  readonly few: Request;
  /** Those that are sent beyond the limit, the list first. */
  readonly operations: readonly Operation[];
  /** The limit of the plan; 0 without a plan: then the headers give it. */
  readonly planned: number;
  readonly windows: number;
}

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
  const refusals = listRequirements(contract).filter(
    ({ subject }) =>
      (subject.kind === 'header' || (subject.kind === 'body' && subject.part !== 'error')) &&
      subject.status === String(policy.status),
  );
  const planned = plan?.limits?.get(policy.windows[0]?.name ?? '') ?? 0;
  const permitted = contract.operations.filter((each) => !(readOnly && writes(each)));
  const operations = orderOperations(permitted, resource.list);
  const wanted = planned === 0 ? 0 : Math.floor(shortDrive / (planned + 2));
  const most = Math.min(operations.length, Math.floor(longestDrive / planned));
  const windows = Math.max(1, Math.min(Math.max(usualWindows, wanted), most));
  const drive = { few: shortestList(resource), operations, planned, windows };
  const facets = ['exceeded', 'retry-after', 'returns'] as const;
  return [
    createProbe({ id: '*', method: 'GET' }, 'exhaust', {
      phase: 'exhaust',
      rank: 0,
      // One request finds the window. In each window, one exceeds the limit and one looks again.
      requests: 3 + windows * (planned + 2) + operations.length + beyond,
      proves: [
        ...facets.map((each) => requirementId.rateLimit(each)),
        ...refusals.map(({ id }) => id),
      ],
      run: async (run) => {
        try {
          await exhaust(run, drive);
        } catch (error) {
          // Without a plan, the limit is unknown and the budget is a guess.
          if (planned > 0 || !(error instanceof SessionEnd) || error.kind !== 'budget') throw error;
          throw endOfDrive(
            'it accepts more requests than its headers allow, and the limit is unknown (pass --plan)',
          );
        }
      },
    }),
  ];
}

/** The list, one operation of each other method, then the rest: some limiters count by method. */
function orderOperations(operations: readonly Operation[], list: Operation): readonly Operation[] {
  const others = [...Map.groupBy(operations, ({ method }) => method)]
    .flatMap(([method, alike]) =>
      alike
        .filter(({ id }) => id !== list.id)
        .map((each, nth) => ({ each, turn: 2 * nth + (method === list.method ? 1 : 0) })),
    )
    .toSorted((a, b) => a.turn - b.turn);
  return [list, ...others.map(({ each }) => each)];
}

/**
 * Uses up one window after another, as long as the target refuses what is beyond them: lists until
 * nothing is left, once more than the plan has if Remaining does not say so.
 * @throws {SessionEnd} `drive`, where no plan says how large the limit is, and the headers do not either
 */
async function exhaust(run: Run, { few, operations, planned, windows }: Drive): Promise<void> {
  const { session, contract } = run;
  let last = await session.send(few);
  for (let turn = 0; turn < windows && !isLimited(last, contract); turn += 1) {
    const start = startOf(last, contract);
    if (start !== undefined) {
      session.rest(start);
      last = await session.send(few);
    }
    const limit = planned === 0 ? allowDrive(run, last) : planned;
    const others = turn === 0 ? spread(run, operations) : [];
    for (let sent = 1; sent <= limit && remainingOf(last, contract) > 0; sent += 1)
      last = await session.sendBeyond(others.shift() ?? few);
    const order = [...operations.slice(turn), ...operations.slice(0, turn)];
    const isRefused =
      isLimited(last, contract) ||
      (remainingOf(last, contract) === 0 && (await goBeyond(run, order, few)));
    const { ahead } = readWindow(last, contract);
    // Nothing is refused: the next window may be far off.
    if (!isRefused && !(ahead <= secondsOf(contract) * 1000)) return;
    session.rest(isRefused ? 0 : afterWindow(last, ahead));
    last = await session.sendBeyond(few);
    // Reset is rounded: what has come, or comes within a second, has to move on.
    if (readWindow(last, contract).ahead <= 1000) {
      session.rest(last.endedAt + 1000 + clearance);
      last = await session.sendBeyond(few);
    }
    if (!isRefused) return;
  }
}

function endOfDrive(reason: string): SessionEnd {
  return new SessionEnd('drive', `exhausting the limit: ${reason}`);
}

/**
 * Each operation except the list twice: if each has its own count, more are served than Limit
 * allows. Nothing is removed.
 */
function spread(run: Run, [, ...others]: readonly Operation[]): Request[] {
  const once = others.filter(({ method }) => method !== 'DELETE').slice(0, 10);
  return [...once, ...once].map((operation) => ({
    ...validRequest(operation, run),
    intent: { kind: 'unspecified', way: 'one of the requests up to the limit' },
  }));
}

/** Allows as many requests as the headers say that there are, and returns how many. */
function allowDrive({ session, contract }: Run, last: Exchange): number {
  const { remaining } = readWindow(last, contract);
  const name = contract.rateLimit?.headers.remaining ?? 'Remaining';
  if (remaining === undefined)
    throw endOfDrive(`no ${name} shows how many requests remain (pass --plan)`);
  if (remaining > longestDrive)
    throw endOfDrive(
      `${name} is ${remaining}, and where the limit of the plan is unknown, at most ${longestDrive} requests are sent for this`,
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

/**
 * When to begin, by the suite's clock; undefined for now. A window that ends during the drive
 * proves nothing, and neither does a Reset of this very second.
 */
function startOf(exchange: Exchange, contract: Contract): number | undefined {
  const { sentAt, endedAt } = exchange;
  const { remaining, reset, ahead } = readWindow(exchange, contract);
  if (remaining === undefined || reset === undefined) return undefined;
  const shortest = secondsOf(contract);
  const [, ...longer] = contract.rateLimit?.windows ?? [];
  const needed = clearance + remaining * (endedAt - sentAt);
  const isNear = ahead <= Math.min(needed, shortest * 500);
  const isLast = longer.some(({ seconds }) => reset % seconds === 0) && ahead <= shortest * 1000;
  return ahead >= -clearance && (isNear || isLast) ? afterWindow(exchange, ahead) : undefined;
}

/** The length of the shortest window. */
function secondsOf({ rateLimit }: Contract): number {
  return rateLimit?.windows[0]?.seconds ?? 0;
}

/** When a window has certainly ended, by the suite's clock. `ahead`: milliseconds until its end. */
function afterWindow({ endedAt }: Exchange, ahead: number): number {
  return endedAt + (ahead > 0 ? ahead + 1000 : clearance);
}

/** What a response says about its window; `ahead`: milliseconds until its end. */
function readWindow({ outcome, endedAt }: Exchange, { rateLimit }: Contract) {
  if (outcome.kind !== 'answered' || !rateLimit) return { ahead: Number.NaN };
  const { remaining, reset = Number.NaN } = readRateLimit(outcome.response, rateLimit.headers);
  const ahead = reset * 1000 - (readDate(outcome.response) ?? endedAt);
  return { remaining, reset, ahead };
}

/** Requests that remain; 0 if unknown, or after a 429. */
function remainingOf(exchange: Exchange, contract: Contract): number {
  return isLimited(exchange, contract) ? 0 : (readWindow(exchange, contract).remaining ?? 0);
}
