import { isJsonObject, renderJson, type JsonObject } from '../../contract/json/value.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { resourceOf, type Reading, type Trace } from '../judge/trace/trace.ts';
import { isSame } from '../judge/trace/item.ts';
import { describeResponse } from '../judge/trace/words.ts';
import { tagNumber } from '../generate/tag.ts';
import { validBody } from '../probes/valid-request.ts';
import type { Run } from '../probes/probe.ts';
import {
  forCreates,
  isRefused,
  isServed,
  observeResponses,
  responsesTo,
  type QuestionKind,
  type Trial,
} from './question.ts';

/** A byte order mark, which a reader of JSON may ignore (RFC 8259 section 8.1). */
const mark = '\ufeff';

/** Texts that are no JSON, made from a valid one; lenient readers take some of them. */
const ways: readonly (readonly [way: string, rank: number, breakText: (text: string) => string])[] =
  [
    ['a body that is no JSON', 1, () => '{"name": "cut off'],
    ['text behind the body', 2, (text) => `${text} and more`],
    ['two bodies', 3, (text) => `${text}\n${text}`],
    ['a comma behind the last member', 3, (text) => text.replace(/\}$/, ',}')],
    ['a comment in the body', 3, (text) => text.replace('{', '{/* new */')],
    ['names in apostrophes', 4, (text) => text.replaceAll('"', "'")],
    ['NaN as a value', 3, (text) => text.replace(/:[^:,}]*\}$/, ':NaN}')],
    ['a body of white space', 3, () => ' \n'],
    ['a byte order mark before the body', 4, (text) => `${mark}${text}`],
    ['an unescaped line break in a text', 4, (text) => text.replace(':"', ':"\n')],
    ['a number with a zero before it', 4, (text) => text.replace(/:(\d)/, ':0$1')],
  ];

/** `malformed-body`: several kinds of broken JSON. */
export const malformedBody: QuestionKind = {
  trials: forCreates((operation, resource) =>
    ways.map(([way, rank, breakText]) => ({
      way,
      operation,
      rank,
      request: (run) => ({ body: breakText(renderJson(validBody(operation, resource, run))) }),
    })),
  ),
  observe: observeResponses((reading, trace) => {
    const isMarked = reading.exchange.request.body?.startsWith(mark) === true;
    if (isServed(reading) && isMarked) return undefined;
    return [
      ...(isRefused(reading, trace, 400) ? ['refused'] : []),
      ...(isRefused(reading, trace, 422) ? ['unprocessable'] : []),
    ];
  }),
};

/** A property that no contract has. */
const unknownProperty: JsonObject = { notInTheContract: 'x' };

/** `unknown-properties`: a valid body with a property that no contract has. */
export const unknownProperties: QuestionKind = {
  trials: forCreates((create, resource) => [
    {
      way: 'an unknown property',
      operation: create,
      rank: 2,
      request: (run) => ({
        body: renderJson({ ...validBody(create, resource, run), ...unknownProperty }),
      }),
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
      const refused = isRefused(reading, trace, 400) ? ['refused'] : [];
      yield {
        choices: isServed(reading) ? [isKept ? 'kept' : 'ignored'] : refused,
        exchange: exchange.index,
        evidence: `sent \`${extra}\`, received ${describeResponse(response)}`,
      };
    }
  },
};

/** An identifier that a client might wish for, and no other run: far from what counters give out. */
function wishedId({ tag, session }: Run): number {
  return 4_294_967_311 + tagNumber(tag) * 1000 + session.exchanges.length;
}

/** `read-only-property`: an identifier and an unknown property; if refused, that alone. */
export const readOnlyProperty: QuestionKind = {
  trials: forCreates((create, resource) => {
    const { idProperty } = resource;
    const body = (run: Run): JsonObject => {
      const { types } = resource.item.shape().properties.get(idProperty)?.shape() ?? { types: [] };
      return {
        ...validBody(create, resource, run),
        [idProperty]: types.some((type) => type === 'string') ? run.nextTag() : wishedId(run),
      };
    };
    const trial: Trial = {
      way: `a client-sent ${idProperty}`,
      operation: create,
      rank: 1,
      proves: [requirementId.state(create.id, 'id-assigned')],
      request: (run) => ({ body: renderJson({ ...body(run), ...unknownProperty }) }),
      milder: (run) => ({ body: renderJson(body(run)) }),
    };
    return [trial];
  }),
  observe: observeResponses((reading, trace) => {
    if (isServed(reading)) return isIdSent(reading, trace) ? [] : ['ignored'];
    // The unknown property may be the reason.
    if (unknownMembers(reading, trace).length > 0) return undefined;
    return isRefused(reading, trace, 400) ? ['refused'] : [];
  }),
};

/** The new item has the identifier that the client sent. */
function isIdSent({ sent, json, operation }: Reading, { contract }: Trace): boolean {
  const name = resourceOf(contract, operation)?.idProperty;
  return (
    name !== undefined && isJsonObject(sent) && isJsonObject(json) && isSame(sent[name], json[name])
  );
}

/** Members of a body that the create operation does not describe, but for the identifier. */
function unknownMembers({ sent, operation }: Reading, trace: Trace): readonly string[] {
  const resource = resourceOf(trace.contract, operation);
  const known = operation.requestBody?.content[0]?.schema?.shape().properties;
  return isJsonObject(sent) && known && resource
    ? Object.keys(sent).filter((name) => !known.has(name) && name !== resource.idProperty)
    : [];
}
