import { forbiddenReadings, isServedEverywhere } from '../judge/trace/refusal.ts';
import { everyChoice, observation, type QuestionKind } from './question.ts';

/** `key-issuance`: a key that may not use every operation. One that may says nothing of others. */
export const keyIssuance: QuestionKind = {
  *observe(question, _trace, whole) {
    for (const reading of forbiddenReadings(whole)) {
      const evidence = `${reading.operation.id} returned 403 for every request with the key`;
      yield observation(reading, ['scoped'], evidence);
    }
    const last = whole.readings.at(-1);
    const evidence = 'every operation accepted the key; other keys may have fewer rights';
    if (last !== undefined && isServedEverywhere(whole))
      yield observation(last, everyChoice(question), evidence);
  },
};
