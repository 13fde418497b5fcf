import { isJsonObject, type OpenQuestion } from '../../../contract/index.ts';
import { explainRefusal, isBelowFirst, takesAnyReference } from '../trace/refusal.ts';
import { renderPlain } from '../trace/trace.ts';
import { quote } from '../trace/words.ts';
import { listAdditions, propertyAt, type Reader } from './reader.ts';

/** References that no list had shown were taken. Refusals are recorded by the status check. */
export const readReference: Reader = function* readReference(question, trace) {
  const property = propertyAt(question, trace.contract);
  if (property === undefined) return;
  const taken = listAdditions(trace).filter(
    ({ sent, reading }) =>
      sent[property] !== undefined &&
      reading.exchange.intent.kind === 'valid' &&
      takesAnyReference(question, reading.operation.id, trace),
  );
  const values = [...new Set(taken.map(({ sent }) => renderPlain(sent[property] ?? null)))];
  const [example] = taken;
  if (example === undefined) return;
  const below = trace.readings.find(
    (reading) =>
      reading.operation.id === example.reading.operation.id &&
      isBelowFirst(question, reading.sent) &&
      isExplainedBy(question, explainRefusal(reading, trace)),
  );
  const took = `took ${values.length} different values of \`${property}\`, ${values.slice(0, 3).join(', ')} among them`;
  const refused = isJsonObject(below?.sent) ? `, and refused ${quote(below.sent[property])}` : '';
  yield {
    choice: below === undefined ? 'any' : 'from-1',
    exchange: (below ?? example.reading).exchange.index,
    evidence: took + refused,
  };
};

/** The question alone may be why a request was refused. */
function isExplainedBy({ id }: OpenQuestion, reasons: readonly OpenQuestion[]): boolean {
  return reasons.length === 1 && reasons[0]?.id === id;
}
