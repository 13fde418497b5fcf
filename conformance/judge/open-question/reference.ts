import { takesAnyReference } from '../trace/refusal.ts';
import { renderPlain } from '../trace/trace.ts';
import { listAdditions, propertyAt, type Reader } from './reader.ts';

/** References that no list had shown were taken. Refusals are recorded by the status check. */
export const readReference: Reader = function* readReference(question, trace) {
  const property = propertyAt(question, trace.contract);
  if (property === undefined) return;
  const taken = listAdditions(trace).filter(
    ({ sent, reading }) =>
      sent[property] !== undefined && takesAnyReference(question, reading.operation.id, trace),
  );
  const values = [...new Set(taken.map(({ sent }) => renderPlain(sent[property] ?? null)))];
  const example = taken.at(-1);
  if (example !== undefined)
    yield {
      choice: 'any',
      exchange: example.reading.exchange.index,
      evidence: `took ${values.length} different values of \`${property}\`, ${values.slice(0, 3).join(', ')} among them`,
    };
};
