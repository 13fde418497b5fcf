import { quote } from '../trace/words.ts';
import { listAdditions, propertyAt, type Reader } from './reader.ts';

/** The value that an item has which was added without one, each once. */
export const readDefaultValue: Reader = function* readDefaultValue(question, trace) {
  const property = propertyAt(question, trace.contract);
  if (property === undefined) return;
  const seen = new Set<string>();
  for (const { sent, answered, reading } of listAdditions(trace)) {
    if (sent[property] !== undefined || !reading.succeeded) continue;
    const value = answered.members[property];
    const evidence = `added without \`${property}\`, answered ${quote(value)}`;
    if (seen.has(evidence)) continue;
    seen.add(evidence);
    const choice =
      value === undefined
        ? 'absent'
        : question.choices.find((each) => each.details['value'] === value)?.id;
    yield { choice, exchange: reading.exchange.index, evidence };
  }
};
