import { isJsonObject, requirementId, type ErrorShape } from '../../../contract/index.ts';
import type { Check } from '../trace/check.ts';
import { headerOf } from '../../transport/exchange.ts';
import { passed, failed, type Finding } from '../trace/finding.ts';
import { readMediaType, type Reading } from '../trace/trace.ts';
import { describeResponse, quote } from '../trace/words.ts';

/**
 * Judges refusals of a status that the operation does not list: they are error responses too, so they
 * have the error shape.
 */
export const errorCheck: Check = {
  id: 'error',
  *judge(trace) {
    const { error } = trace.contract;
    if (!error) return;
    for (const reading of trace.readings) {
      const refusal = reading.response.status >= 400 && reading.response.status < 500;
      if (refusal && !reading.documented) yield* judgeError(reading, error);
    }
  },
};

function* judgeError({ json, response, exchange }: Reading, error: ErrorShape): Generator<Finding> {
  const shape = requirementId.errors('shape');
  const type = readMediaType(headerOf(response, 'content-type'));
  if (type !== 'application/json') {
    yield failed(
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
    yield failed(shape, exchange.index, expected, describeResponse(response));
    return;
  }
  yield passed(shape, exchange.index);
  const name = error.members.find((member) => member.role === 'status')?.name;
  if (name === undefined || !isJsonObject(json)) return;
  const status = requirementId.errors('status');
  if (json[name] === response.status) yield passed(status, exchange.index);
  else
    yield failed(
      status,
      exchange.index,
      `\`${name}\` ${response.status}`,
      `\`${name}\` ${quote(json[name])}`,
    );
}
