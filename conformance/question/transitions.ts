import type { JsonValue } from '../../contract/json/value.ts';
import type { OpenQuestion } from '../../contract/openapi/open-question.ts';
import { collectionsOf, type Collection } from '../judge/trace/collection.ts';
import type { Observation } from '../judge/trace/finding.ts';
import { isSame } from '../judge/trace/item.ts';
import { countItems, quote } from '../judge/trace/words.ts';
import { everyChoice, observation, type QuestionKind } from './question.ts';

/** `transitions`: whether a filtered member of an item that nobody changed was seen to change. */
export const transitions: QuestionKind = {
  *observe(question, trace) {
    for (const collection of collectionsOf(trace))
      for (const { property } of collection.resource.filters)
        yield* observeChanges(question, property, collection);
  },
};

/** Up to the first change; where there is none, how often it might have been seen. */
function* observeChanges(
  question: OpenQuestion,
  property: string,
  { listings, attempts }: Collection,
): Generator<Observation> {
  const first = new Map<string, JsonValue | undefined>();
  let again = 0;
  for (const { items, reading } of listings)
    for (const { id, members } of items) {
      if (attempts().has(id)) continue;
      const { [property]: value } = members;
      const before = first.get(id);
      if (first.has(id)) again += 1;
      else first.set(id, value);
      if (value === undefined || before === undefined || isSame(before, value)) continue;
      const evidence = `\`${property}\` of the item ${id} was ${quote(before)} and is ${quote(value)}`;
      yield observation(reading, ['elsewhere'], evidence);
      return;
    }
  const last = listings.at(-1);
  if (last === undefined || again === 0) return;
  const evidence = `${countItems(first.size)} ${first.size === 1 ? 'was' : 'were'} seen, ${again} of them more than once, and none had changed`;
  yield observation(last.reading, everyChoice(question), evidence);
}
