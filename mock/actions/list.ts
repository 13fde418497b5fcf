import type { Collection } from '../collection.ts';
import { successStatus } from '../operation-facts.ts';
import { type Action, reply } from '../outcome.ts';
import { argumentKey } from '../parameter-text.ts';

/** Answers the items of a collection that match the filters, as many as the page limit lets through. */
export function compileList(collection: Collection): Action {
  const { list, filters, limit } = collection.resource;
  const status = successStatus(list);
  const filterKeys = filters.map(({ parameter }) => argumentKey(parameter));
  const limitKey = limit === undefined ? '' : argumentKey(limit.parameter);
  const most = limit?.default ?? limit?.maximum ?? Number.POSITIVE_INFINITY;
  return ({ parameters, matchesNothing }, { sandbox }) => {
    if (matchesNothing) return reply(status, '[]');
    const wanted = filterKeys.map((key) => parameters.get(key));
    return reply(status, sandbox.store.read(collection).renderPage(wanted, Number(parameters.get(limitKey) ?? most), sandbox.turns++));
  };
}
