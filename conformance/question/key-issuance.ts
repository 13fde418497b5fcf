import { forbiddenReadings, isServedEverywhere } from '../judge/trace/refusal.ts';
import { everyChoice, type QuestionKind } from './question.ts';

/** `key-issuance`: a key that may not use every operation. One that may says nothing of others. */
export const keyIssuance: QuestionKind = {
  *observe(question, _trace, whole) {
    for (const { exchange, operation } of forbiddenReadings(whole))
      yield {
        choices: ['scoped'],
        exchange: exchange.index,
        evidence: `${operation.id} returned 403 for every request with the key`,
      };
    const last = whole.readings.at(-1);
    if (last !== undefined && isServedEverywhere(whole))
      yield {
        choices: everyChoice(question),
        exchange: last.exchange.index,
        evidence: 'every operation accepted the key; other keys may have fewer rights',
      };
  },
};
