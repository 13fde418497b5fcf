import { answersItem, type Resource } from '../../../contract/resource/resource.ts';
import { refusalStatuses } from '../../../contract/requirement/reachable-responses.ts';
import { statusOf, type Exchange } from '../../transport/exchange.ts';
import { operationOf } from '../../transport/target.ts';
import { isBefore } from './listing.ts';
import { once } from '../../memo/once.ts';
import { idOf, itemOf, pathIdOf, type Reading, type Trace } from './trace.ts';

/** What a request does to a single item. */
export type ChangeAct = 'replace' | 'update' | 'remove';

const acts: readonly ChangeAct[] = ['replace', 'update', 'remove'];

/** The operations of a resource that change a single item or remove it, with what they do. */
export function changesOf(resource: Resource) {
  return acts.flatMap((act) => {
    const { [act]: operation } = resource;
    return operation === undefined ? [] : [{ act, operation }];
  });
}

/** Whether no request before an exchange tried to change or remove an item, nor one beside it. */
export function isUntouched(
  trace: Trace,
  resource: Resource,
  id: string,
  exchange: Exchange,
): boolean {
  const attempts = attemptsOf(trace)(resource).get(id) ?? [];
  return attempts.every((attempt) => isBefore(exchange, attempt));
}

/**
 * Whether nobody can say what became of an item: a request before an exchange that tried to change it
 * was not answered, failed, answered another item, is still under way (202), or was served though it
 * was none to serve.
 */
export function isInDoubt(
  trace: Trace,
  resource: Resource,
  id: string,
  exchange: Exchange,
): boolean {
  const attempts = attemptsOf(trace)(resource).get(id) ?? [];
  return attempts.some((attempt) => {
    const status = statusOf(attempt) ?? 500;
    const isServed = status < 300 && status !== 202 && attempt.intent.kind === 'valid';
    const isClear = isServed ? !isRenamed(attempt, id) : isRefusalStatus(status);
    return !isClear && attempt !== exchange && !isBefore(exchange, attempt);
  });

  /** It was answered with another identifier than it was sent to. */
  function isRenamed(attempt: Exchange, wanted: string): boolean {
    const reading = trace.readings.find((each) => each.exchange === attempt);
    if (reading === undefined || !answersItem(reading.operation, resource)) return false;
    const item = itemOf(reading);
    return item !== undefined && idOf(item, resource) !== wanted;
  }
}

/** The responses of a run in turn, with the items whose changes were not answered before each. */
export function* withLostChanges(
  trace: Trace,
  resource: Resource,
): Generator<{ readonly reading: Reading; readonly lost: readonly string[] }> {
  const unanswered = [...attemptsOf(trace)(resource)].flatMap(([id, attempts]) =>
    attempts.flatMap((each) => (statusOf(each) === undefined ? [{ id, index: each.index }] : [])),
  );
  let before = -1;
  for (const reading of trace.readings) {
    const { index: now } = reading.exchange;
    const between = unanswered.filter(({ index }) => index > before && index < now);
    yield { reading, lost: between.map(({ id }) => id) };
    before = now;
  }
}

/** Whether a run ever tried to change or remove an item. */
export function isEverTouched(trace: Trace, resource: Resource, id: string): boolean {
  return attemptsOf(trace)(resource).has(id);
}

/** The requests that tried to change each item, answered or not, by its identifier. */
const attemptsOf = once((trace: Trace) =>
  once((resource: Resource): ReadonlyMap<string, readonly Exchange[]> => {
    const ids = new Set(changesOf(resource).map(({ operation }) => operation.id));
    const limit = trace.contract.rateLimit?.status ?? 429;
    const attempts = ids.size === 0 ? [] : trace.exchanges.filter(isAttempt);
    return Map.groupBy(attempts, (exchange) => pathOf(exchange) ?? '');

    function isAttempt(exchange: Exchange): boolean {
      return ids.has(exchange.request.operation) && statusOf(exchange) !== limit;
    }

    function pathOf(exchange: Exchange): string | undefined {
      const operation = operationOf(trace.contract, exchange.request.operation);
      return operation && pathIdOf({ operation, exchange }, resource);
    }
  }),
);

/** Whether a status says that a request was refused and nothing was done. */
export function isRefusalStatus(status: number): boolean {
  return refusalStatuses.some((each) => each === status);
}
