import { isJsonObject, obligationId, type ErrorShape } from '../../../contract/index.ts';
import type { Check } from '../trace/check.ts';
import { headerOf } from '../../transport/exchange.ts';
import { held, violated, type Finding } from '../trace/finding.ts';
import { readMediaType, type Reading } from '../trace/trace.ts';
import { describeAnswer, quote } from '../trace/words.ts';

/**
 * Judges refusals of a status that the operation does not list: they are error answers too, so they
 * have the error shape.
 */
export const errorCheck: Check = {
  id: 'error',
  *judge(trace) {
    const { error } = trace.contract;
    if (!error) return;
    for (const reading of trace.readings) {
      const refusal = reading.answer.status >= 400 && reading.answer.status < 500;
      if (refusal && !reading.response) yield* judgeError(reading, error);
    }
  },
};

function* judgeError({ json, answer, exchange }: Reading, error: ErrorShape): Generator<Finding> {
  const shape = obligationId.errors('shape');
  const type = readMediaType(headerOf(answer, 'content-type'));
  if (type !== 'application/json') {
    yield violated(
      shape,
      exchange.index,
      'the content type application/json',
      type ?? 'no Content-Type',
    );
    return;
  }
  const [issue] = json === undefined ? [] : error.schema.validate(json);
  if (json === undefined || issue) {
    const expected = issue
      ? `${issue.at || 'the body'} ${issue.message}`
      : 'the error shape as JSON';
    yield violated(shape, exchange.index, expected, describeAnswer(answer));
    return;
  }
  yield held(shape, exchange.index);
  const name = error.members.find((member) => member.role === 'status')?.name;
  if (name === undefined || !isJsonObject(json)) return;
  const status = obligationId.errors('status');
  if (json[name] === answer.status) yield held(status, exchange.index);
  else
    yield violated(
      status,
      exchange.index,
      `\`${name}\` ${answer.status}`,
      `\`${name}\` ${quote(json[name])}`,
    );
}
