import { headerOf } from '../../transport/exchange.ts';
import { listingsOf } from '../trace/listing.ts';
import type { Reader } from './reader.ts';

/** How the first list that is as long as its limit speaks of further items. */
export const readPaging: Reader = function* readPaging(_question, trace) {
  for (const resource of trace.contract.resources) {
    const full = listingsOf(trace, resource).find(
      ({ items, limit }) => items.length === limit && items.length > 0,
    );
    if (full === undefined) continue;
    const exchange = full.reading.exchange.index;
    const link = headerOf(full.reading.response, 'link');
    if (!full.more)
      yield { choice: 'none', exchange, evidence: 'a full list without a hint at further items' };
    else if (link === undefined)
      yield { choice: undefined, exchange, evidence: 'a header speaks of further items' };
    else yield { choice: 'link-header', exchange, evidence: `Link: ${link}` };
  }
};
