import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { Contract } from '../../../contract/contract.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { periodsOf, type Look } from './look.ts';
import { pathIdOf, type Reading, type Trace } from './trace.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { isUntouched } from './change.ts';
import { isBefore } from './listing.ts';

/**
 * The id of the requirement that an item is not there for after the run changed it, or tried to:
 * the change lost it, or a refused removal removed it. Undefined where another response shows it.
 */
export function causeOfMissing(
  trace: Trace,
  resource: Resource,
  reading: Reading,
): string | undefined {
  const period = periodsOf(trace, resource).find((looks) =>
    looks.some((look) => look.reading === reading && look.isSingle),
  );
  const look = period?.find((each) => each.reading === reading);
  return period === undefined || look === undefined
    ? undefined
    : causeOfLoss(look, period, resource, trace.contract);
}

/** As `causeOfMissing`, for one of the looks at an item. */
export function causeOfLoss(
  { state }: Look,
  period: readonly Look[],
  { remove }: Resource,
  contract: Contract,
): string | undefined {
  if (state.kind !== 'there') return undefined;
  const isShown = period.some(
    ({ item, reading }) =>
      item !== undefined && reading.exchange.index > state.by.exchange.index && !isEarlier(reading),
  );
  if (isShown) return undefined;
  const isBefore = state.act === 'create' || period.some(({ item }) => item !== undefined);
  const removal = state.refused.findLast(({ operation }) => operation.id === remove?.id);
  // A body that was read after the removal was refused tells that the item was still there.
  const later = state.refused.findLast(
    ({ response: { status } }) => status === 400 || status === 422,
  );
  const isLater = (later?.exchange.index ?? -1) > (removal?.exchange.index ?? -1);
  const refused =
    isLater && isBefore ? later : (removal ?? (isBefore ? state.refused.at(-1) : undefined));
  if (refused !== undefined) return notWrittenId(refused, contract);
  return state.act === 'create' ? undefined : requirementId.state(state.by.operation.id, 'stored');

  /** It was seen before the first refused change, which may be what lost it. */
  function isEarlier(reading: Reading): boolean {
    const [first] = state.kind === 'there' ? state.refused : [];
    return first !== undefined && reading.exchange.index < first.exchange.index;
  }
}

/**
 * The id of the requirement that a removal removes no other item, where an item that is missing now
 * was read before the last removal of another one. Undefined where nothing speaks for that.
 */
export function removalOfOther(
  trace: Trace,
  resource: Resource,
  id: string,
  exchange: Exchange,
): string | undefined {
  const { remove, get } = resource;
  if (remove === undefined || !isUntouched(trace, resource, id, exchange)) return undefined;
  const before = trace.readings.filter((each) => isBefore(each.exchange, exchange));
  const seen = before.findLast(
    (each) => each.operation.id === get?.id && each.succeeded && pathIdOf(each, resource) === id,
  );
  const removal = before.findLast((each) => each.operation.id === remove.id && each.succeeded);
  return seen !== undefined && removal !== undefined && isBefore(seen.exchange, removal.exchange)
    ? requirementId.state(remove.id, 'others-kept')
    : undefined;
}

/** The requirement that a refused request writes nothing; undefined where there is none. */
export function notWrittenId(
  { operation, response }: Reading,
  contract: Contract,
): string | undefined {
  const id = requirementId.state(operation.id, `not-written.${response.status}`);
  return contract.requirementOf(id)?.id;
}
