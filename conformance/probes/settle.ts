import { defined } from '../../contract/list/defined.ts';
import { findUnsettled, hasKey, listSteps } from '../family/rate-limit.ts';
import { appearancesOf } from '../family/state/not-written.ts';
import { collectionIn, collectionsOf, isBefore, isWhole } from '../judge/trace/collection.ts';
import { readTrace } from '../family/read-trace.ts';
import { scopeIn, type TargetFacts } from '../judge/trace/trace.ts';
import type { Exchange, Intent } from '../transport/exchange.ts';
import type { Session } from '../transport/session.ts';
import { operationOf } from '../transport/target.ts';
import { itemRequest, readBack } from './requests.ts';
import type { Run } from './probe.ts';

/** Most requests that are repeated to find out how Remaining behaves, within the budget. */
const most = 24;

/** Most of them that are sent on top of the budget, if it is used up. */
const maxOnTop = 6;

/** Repeats a request after which Remaining did something too rarely to be judged. */
export async function settleRemaining(session: Session, facts: TargetFacts): Promise<void> {
  const { contract, exchanges } = session;
  const repeat = createRepeat(session);
  if (contract.rateLimit === undefined) return;
  for (let sent = 0; sent < most; sent += 1) {
    const steps = listSteps(readTrace(contract, exchanges, facts)).filter(hasKey);
    const exchange = exchanges[findUnsettled(steps) ?? -1];
    if (exchange === undefined) return;
    const intent = { kind: 'unspecified', way: 'sent again to see how Remaining changes' } as const;
    if (!(await repeat(exchange, intent))) return;
  }
}

/**
 * Reads an added item that is missing from the last list with room for all: a service may return
 * shorter lists than requested, but must not lose an item. If no list has room and a request is
 * left, reads the item that was added first.
 */
export async function settleMissing(run: Run, facts: TargetFacts): Promise<void> {
  const { session, known } = run;
  const trace = readTrace(session.contract, session.exchanges, facts);
  for (const resource of session.contract.resources) {
    if (resource.get === undefined) continue;
    const scope = scopeIn(resource, known.within(resource).path);
    const list = collectionIn(trace, resource, scope).listings.findLast(isWhole);
    const added = [...known.added(resource)];
    const [missing] =
      list === undefined
        ? added.slice(0, session.left())
        : added.filter(
            ([id, { exchange }]) => !list.ids.has(id) && isBefore(exchange, list.reading.exchange),
          );
    if (missing === undefined) continue;
    if (session.left() === 0) session.budget += 1;
    await readBack(run, resource, missing[0]);
  }
}

/**
 * Repeats refused requests if several may have added an item that no response explains: those of
 * each status between two lists, until it is clear which did. Only if nobody else adds items.
 */
export async function settleUnexplained(session: Session, facts: TargetFacts): Promise<void> {
  const { contract, exchanges } = session;
  if (facts.exclusive !== true) return;
  const trace = readTrace(contract, exchanges, facts);
  const repeat = createRepeat(session);
  for (const collection of collectionsOf(trace)) {
    const last = appearancesOf(collection).findLast(({ refused }) => refused.size > 0);
    const list = collection.listings.findLast(isWhole)?.reading.exchange;
    if (last === undefined || last.failing.size > 0 || list === undefined) continue;
    const groups = [...last.refused.values()];
    // Two of the likelier status: a service may store only bodies that it can complete.
    const turns = groups.map((suspects, index) => suspects.slice(0, index === 0 ? 2 : 1));
    for (const exchange of [
      list,
      ...turns.flatMap((turn) => [...turn.map(({ reading }) => reading.exchange), list]),
    ])
      if (!(await repeat(exchange, exchange.intent))) return;
  }
}

/**
 * Removes the items that the run added, as far as requests are left, so that the next run finds the
 * target unchanged. The responses prove nothing.
 */
export async function removeAdded({ contract, session, known }: Run): Promise<void> {
  const intent = { kind: 'unspecified', way: 'removes what the run added' } as const;
  // Nested items are removed before their parent.
  for (const resource of contract.resources.toReversed()) {
    const { remove } = resource;
    if (remove === undefined) continue;
    for (const id of known.added(resource).keys())
      if (session.left() > 0) await session.send(itemRequest(remove, resource, id, intent));
  }
}

/** Returns a function that repeats a request, a few on top of the budget; false if none is left. */
function createRepeat(session: Session): (exchange: Exchange, intent: Intent) => Promise<boolean> {
  let onTop = 0;
  return async ({ request }, intent) => {
    if (session.left() === 0) {
      onTop += 1;
      if (onTop > maxOnTop) return false;
      session.budget += 1;
    }
    const { operation: id, headers, ...sent } = request;
    const operation = operationOf(session.contract, id);
    const repeated = { ...sent, headers: Object.fromEntries(headers), intent };
    if (operation !== undefined) await session.send({ operation, ...defined(repeated) });
    return true;
  };
}
