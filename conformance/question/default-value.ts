import { isSame } from '../judge/trace/item.ts';
import { quote } from '../judge/trace/words.ts';
import {
  choicesWhere,
  listAdditions,
  observation,
  propertyAt,
  type QuestionKind,
} from './question.ts';

/** `default-value`: each value that an item has which was added without one. */
export const defaultValue: QuestionKind = {
  *observe(question, trace) {
    const property = propertyAt(question, trace.contract);
    if (property === undefined) return;
    for (const { sent, answered, reading } of listAdditions(trace)) {
      if (sent[property] !== undefined || !reading.succeeded) continue;
      const value = answered.members[property];
      const choices = choicesWhere(question, ({ details }) => isSame(details['value'], value));
      yield observation(
        reading,
        choices,
        `added without \`${property}\`, received ${quote(value)}`,
      );
    }
  },
};
