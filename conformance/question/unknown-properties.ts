import { isJsonObject, renderJson, type JsonObject } from '../../contract/json/value.ts';
import { resourceOf, type Reading, type Trace } from '../judge/trace/trace.ts';
import { describeResponse } from '../judge/trace/words.ts';
import {
  forCreates,
  isServed,
  observation,
  refusedAs,
  responsesTo,
  type QuestionKind,
} from './question.ts';

/** A property that no contract has. */
export const unknownProperty: JsonObject = { notInTheContract: 'x' };

/** `unknown-properties`: a valid body with a property that no contract has. */
export const unknownProperties: QuestionKind = {
  trials: forCreates((valid) => [
    {
      way: 'an unknown property',
      rank: 2,
      request: (run) => ({ body: renderJson({ ...valid(run), ...unknownProperty }) }),
    },
  ]),
  *observe(question, trace) {
    const own = new Set(responsesTo(question, trace));
    for (const reading of trace.readings) {
      const { exchange, response, json } = reading;
      const [extra] = unknownMembers(reading, trace);
      if (extra === undefined || exchange.intent.kind !== 'open') continue;
      if (!isServed(reading) && !own.has(reading)) continue;
      const isKept = isJsonObject(json) && Object.hasOwn(json, extra);
      const choices = isServed(reading)
        ? [isKept ? 'kept' : 'ignored']
        : refusedAs(reading, trace, { 400: 'refused' });
      yield observation(
        reading,
        choices,
        `sent \`${extra}\`, received ${describeResponse(response)}`,
      );
    }
  },
};

/** Members of a body that the create operation does not describe, but for the identifier. */
export function unknownMembers({ sent, operation }: Reading, trace: Trace): readonly string[] {
  const resource = resourceOf(trace.contract, operation);
  const known = operation.requestBody?.content[0]?.schema?.shape().properties;
  return isJsonObject(sent) && known && resource
    ? Object.keys(sent).filter((name) => !known.has(name) && name !== resource.idPlace[0])
    : [];
}
