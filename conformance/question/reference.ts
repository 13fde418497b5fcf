import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  renderJson,
} from '../../contract/json/value.ts';
import { openMember } from '../../contract/openapi/open-question.ts';
import { soleReason, takesAnyReference } from '../judge/trace/refusal.ts';
import { renderPlain, type Reading } from '../judge/trace/trace.ts';
import { validBody } from '../probes/valid-request.ts';
import {
  choicesWhere,
  describeValues,
  forCreates,
  listAdditions,
  propertyAt,
  type QuestionKind,
} from './question.ts';

/** `reference`: which references were accepted, and which refused. */
export const reference: QuestionKind = {
  trials: forCreates((create, resource, question) =>
    ['1e3', '10.0', '-10.0', '0.0'].map((digits) => ({
      way: `an integer written as ${digits}`,
      operation: create,
      rank: 3,
      request: (run) => ({
        body: writeInteger(validBody(create, resource, run), openMember(question), digits),
      }),
    })),
  ),
  *observe(question, trace) {
    const property = propertyAt(question, trace.contract);
    if (property === undefined) return;
    const accepted = listAdditions(trace).flatMap(({ reading }) => readTrial(reading, property));
    const taken = new Set(accepted.map(({ value }) => renderPlain(value)));
    const refused = trace.readings
      .filter((reading) => !reading.succeeded && soleReason(reading, trace) === question)
      .flatMap((reading) => readTrial(reading, property));
    const groups = Map.groupBy([...accepted, ...refused], ({ value, reading }) =>
      choicesWhere(question, ({ id, details }) => {
        const isBelow = isLess(value, details['minimum']);
        if (reading.succeeded)
          return id === 'must-exist'
            ? !takesAnyReference(question, reading.operation.id, trace)
            : !isBelow;
        const mayMiss = id === 'must-exist' && !taken.has(renderPlain(value));
        return reading.response.status === 400 && (isBelow || mayMiss);
      }).join(),
    );
    for (const [choices, trials] of groups) {
      const [first] = trials;
      if (first === undefined) continue;
      const { succeeded, exchange, response } = first.reading;
      const values = trials.map(({ value }) => renderPlain(value));
      const did = succeeded ? 'accepted' : `rejected (${response.status})`;
      yield {
        choices: choices === '' ? [] : choices.split(','),
        exchange: exchange.index,
        evidence: describeValues(did, values, `\`${property}\``),
      };
    }
  },
};

interface ReferenceTrial {
  readonly value: JsonValue;
  readonly reading: Reading;
}

function readTrial(reading: Reading, property: string): readonly ReferenceTrial[] {
  const value = isJsonObject(reading.sent) ? reading.sent[property] : undefined;
  return value === undefined ? [] : [{ value, reading }];
}

function isLess(value: JsonValue, minimum: JsonValue | undefined): boolean {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return isNumber && typeof minimum === 'number' && value < minimum;
}

/** A body as text, one of its integers written otherwise. */
function writeInteger(body: JsonObject, name: string, digits: string): string {
  const { [name]: _value, ...rest } = body;
  return `${renderJson(rest).slice(0, -1)},${renderJson(name)}:${digits}}`;
}
