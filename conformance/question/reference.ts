import {
  isJsonObject,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import { openMember } from '../../contract/openapi/open-question.ts';
import { soleReason, takesAnyReference } from '../judge/trace/refusal.ts';
import { renderPlain } from '../judge/trace/trace.ts';
import {
  choicesWhere,
  forCreates,
  listAdditions,
  observeValues,
  propertyAt,
  type QuestionKind,
} from './question.ts';

/** `reference`: which references were accepted, and which refused. */
export const reference: QuestionKind = {
  trials: forCreates((valid, question) =>
    ['1e3', '10.0', '-10.0', '0.0'].map((digits) => ({
      way: `an integer written as ${digits}`,
      rank: 3,
      request: (run) => ({ body: writeInteger(valid(run), openMember(question), digits) }),
    })),
  ),
  *observe(question, trace) {
    const property = propertyAt(question, trace.contract);
    if (property === undefined) return;
    const accepted = listAdditions(trace).map(({ reading }) => reading);
    const refused = trace.readings.filter(
      (reading) => !reading.succeeded && soleReason(reading, trace) === question,
    );
    const taken = new Set(
      accepted.map(({ sent }) => renderPlain(memberOf(sent, property) ?? null)),
    );
    const trials = [...accepted, ...refused].flatMap((reading) => {
      const sent = memberOf(reading.sent, property);
      if (sent === undefined) return [];
      const value = renderPlain(sent);
      const choices = choicesWhere(question, ({ id, details }) => {
        const isBelow = isLess(sent, details['minimum']);
        if (reading.succeeded)
          return id === 'must-exist'
            ? !takesAnyReference(question, reading.operation.id, trace)
            : !isBelow;
        return reading.status === 400 && (isBelow || (id === 'must-exist' && !taken.has(value)));
      });
      return [{ value, reading, choices }];
    });
    yield* observeValues(trials, property);
  },
};

function memberOf(sent: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(sent) ? sent[name] : undefined;
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
