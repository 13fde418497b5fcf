import { successStatus } from '../../../contract/index.ts';
import type { Collection } from '../../store/collection.ts';
import type { Choices } from '../../choice/choices.ts';
import { renderItems } from '../../store/inventory.ts';
import { type HeaderFacts, hasTotal } from '../response/headers.ts';
import { type Action, type Call, type Input, success } from '../response/outcome.ts';
import { compilePaging } from './paging.ts';
import { argumentKey } from '../../http/parameter-text.ts';
import { isRefusal } from '../response/refusal.ts';

/** Answers the items that match the filters, as many as the page limit lets through. */
export function compileList(collection: Collection, choices: Choices): Action {
  const { list, filters, limit } = collection.resource;
  const status = successStatus(list);
  const filterKeys = filters.map(({ parameter }) => argumentKey(parameter));
  const limitKey = limit === undefined ? '' : argumentKey(limit.parameter);
  const most = limit?.default ?? limit?.maximum ?? Number.POSITIVE_INFINITY;
  const isTotalTold = hasTotal(list);
  /** What a header tells of all pages, where the document has one for it. */
  const totalOf = (input: Input, { sandbox }: Call): HeaderFacts | undefined => {
    if (!isTotalTold) return undefined;
    const wanted = filterKeys.map((key) => input.parameters.get(key));
    const { length } = sandbox.store.read(collection).find(wanted, 0, Number.MAX_SAFE_INTEGER, 0);
    return { total: length };
  };
  const readPage = compilePaging(collection.resource, choices);
  /** A negative limit, which a document may allow, is none. */
  const pageSize = ({ parameters }: Input): number => {
    const asked = Number(parameters.get(limitKey) ?? most);
    return asked < 0 ? most : asked;
  };
  const whole: Action = (input, call) => {
    const { sandbox } = call;
    const wanted = filterKeys.map((key) => input.parameters.get(key));
    return success(
      status,
      sandbox.store.read(collection).renderPage(wanted, pageSize(input), sandbox.listCount++),
      totalOf(input, call),
    );
  };
  const paged: Action = (input, call) => {
    const page = readPage?.(call, pageSize(input));
    if (page === undefined || isRefusal(page)) return page ?? whole(input, call);
    const wanted = filterKeys.map((key) => input.parameters.get(key));
    const items = call.sandbox.store
      .read(collection)
      .find(wanted, page.offset, page.size + 1, page.orderSeed);
    const { next } = page;
    const link = next !== undefined && items.length > page.size ? { next } : undefined;
    const facts = isTotalTold ? { ...link, ...totalOf(input, call) } : link;
    return success(status, renderItems(items.slice(0, page.size)), facts);
  };
  const act = readPage === undefined ? whole : paged;
  return (input: Input, call: Call) =>
    input.matchesNothing ? success(status, '[]') : act(input, call);
}
