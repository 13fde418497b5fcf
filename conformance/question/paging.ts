import { collectionsOf } from '../judge/trace/collection.ts';
import { countItems } from '../judge/trace/words.ts';
import { headerOf } from '../transport/exchange.ts';
import { observation, type QuestionKind } from './question.ts';

/** `paging`: what lists say that have fewer items than there are. */
export const paging: QuestionKind = {
  *observe(_question, trace) {
    for (const collection of collectionsOf(trace)) {
      for (const { items, limit, filters, more, reading } of collection.listings) {
        if (items.length !== limit || items.length === 0) continue;
        const link = headerOf(reading.response, 'link');
        const least = filters.size > 0 ? 0 : collection.leastSize(reading.exchange);
        const size = countItems(items.length);
        if (more && link !== undefined)
          yield observation(reading, ['link-header'], `Link: ${link}`);
        else if (more) yield observation(reading, [], 'a header refers to more items');
        // Parameters that the document does not describe may lead on.
        else if (least > items.length)
          yield observation(
            reading,
            ['none', 'query-parameters'],
            `a list of ${size} without a link to the others`,
          );
      }
    }
  },
};
