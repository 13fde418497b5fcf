import { withValueAt } from '../../contract/json/place.ts';
import {
  isJsonObject,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import { openMember, type OpenQuestion } from '../../contract/openapi/open-question.ts';
import { createPattern } from '../../contract/pattern/pattern.ts';
import { schemaAt } from '../../contract/resource/item-view.ts';
import { idName, resourceOf } from '../../contract/resource/resource.ts';
import { tagNumber } from '../generate/tag.ts';
import { collectionsOf, type Addition } from '../judge/trace/collection.ts';
import type { Observation } from '../judge/trace/finding.ts';
import { isSame } from '../judge/trace/item.ts';
import { soleReason, takesAnyReference } from '../judge/trace/refusal.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { idIn, renderPlain, type Reading, type Trace } from '../judge/trace/trace.ts';
import { describeResponse, quote } from '../judge/trace/words.ts';
import type { Run } from '../probes/probe.ts';
import {
  choicesWhere,
  forCreates,
  isServed,
  observation,
  observeResponses,
  refusedAs,
  responsesTo,
  type Ask,
  type QuestionKinds,
} from './question.ts';

/** A byte order mark, which JSON parsers may ignore (RFC 8259 section 8.1). */
const mark = '\ufeff';

const cutOff = '{"name": "cut off';

/** Texts that are not JSON, made from a valid one. Lenient parsers accept some of them. */
const malformed: readonly (readonly [
  way: string,
  rank: number,
  text: (valid: string) => string,
])[] = [
  ['a body that is no JSON', 1, () => cutOff],
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

const mediaTypes = [
  ['text/plain', 2],
  ['', 3],
  ['application/vnd.api+json', 3],
  ['application/xml', 4],
  ['Application/JSON', 4],
  ['application/json ; charset=utf-8', 4],
] as const;

const unknownProperty: JsonObject = { notInTheContract: 'x' };

export const bodyQuestions = {
  /** The values of items that were added without one. */
  'default-value': {
    *observe(question, trace) {
      const property = openMember(question);
      for (const { sent, answered, reading } of listAdditions(trace)) {
        if (sent[property] !== undefined || !reading.succeeded) continue;
        const value = answered.members[property];
        const choices = choicesWhere(question, ({ details }) => isSame(details['value'], value));
        const evidence = `added without \`${property}\`, received ${quote(value)}`;
        yield observation(reading, choices, evidence);
      }
    },
  },
  'malformed-body': {
    trials: forCreates((valid) =>
      malformed.map(([way, rank, text]) =>
        askBody(way, rank, (run) => text(renderJson(valid(run)))),
      ),
    ),
    observe: observeResponses((reading, trace) => {
      const isMarked = reading.exchange.request.body?.startsWith(mark) === true;
      return isServed(reading) && isMarked
        ? undefined
        : refusedAs(reading, trace, { 400: 'refused', 422: 'unprocessable' });
    }),
  },
  /** Two errors at once, one of them a missing key. */
  'order-of-checks': {
    trials: forCreates(() =>
      [
        ['no key and a body that breaks the contract', '{}'] as const,
        ['no key and a body that is no JSON', cutOff] as const,
      ].map(([way, body]) => ({ way, rank: 3, request: () => ({ body, credential: 'missing' }) })),
    ),
    observe: observeResponses(({ status, sent }) => {
      if (status === 401) return ['credential-first'];
      // A body that is not JSON may get 422, which is another question.
      const isBody = status === 400 || (status === 422 && sent === undefined);
      return isBody ? ['body-first'] : [];
    }),
  },
  /** An identifier and an unknown property; if refused, that alone. */
  'read-only-property': {
    trials: forCreates((valid, _question, create, resource) => {
      const { item, idPlace } = resource;
      const types = schemaAt(item, idPlace)?.shape().types ?? [];
      const wish = (run: Run): JsonValue =>
        types.some((type) => type === 'string') ? run.nextTag() : wishedId(run);
      const body = (run: Run): JsonObject => withValueAt(valid(run), idPlace, wish(run));
      return [
        {
          way: `a client-sent ${idName(resource)}`,
          rank: 1,
          proves: [requirementId.state(create.id, 'id-assigned')],
          request: (run) => ({ body: renderJson({ ...body(run), ...unknownProperty }) }),
          milder: (run) => ({ body: renderJson(body(run)) }),
        },
      ];
    }),
    observe: observeResponses((reading, trace) => {
      if (isServed(reading)) return isIdSent(reading, trace) ? [] : ['ignored'];
      // The refusal may be about the unknown property.
      return unknownMembers(reading, trace).length > 0
        ? undefined
        : refusedAs(reading, trace, { 400: 'refused' });
    }),
  },
  /** Which references were accepted, and which refused. */
  reference: {
    trials: forCreates((valid, question) =>
      ['1e3', '10.0', '-10.0', '0.0'].map((digits) =>
        askBody(`an integer written as ${digits}`, 3, (run) =>
          writeInteger(valid(run), openMember(question), digits),
        ),
      ),
    ),
    *observe(question, trace) {
      const property = openMember(question);
      const accepted = listAdditions(trace).map(({ reading }) => reading);
      const refused = trace.readings.filter(
        (reading) => !reading.succeeded && soleReason(reading, trace) === question,
      );
      const taken = new Set(
        accepted.map((reading) => renderPlain(sentMember(reading, property) ?? null)),
      );
      const trials = [...accepted, ...refused].flatMap((reading) => {
        const sent = sentMember(reading, property);
        if (sent === undefined) return [];
        const value = renderPlain(sent);
        const choices = choicesWhere(question, ({ id, details: { minimum } }) => {
          const isNumber = typeof sent === 'number' || typeof sent === 'bigint';
          const isBelow = isNumber && typeof minimum === 'number' && sent < minimum;
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
  },
  /** A valid body under other names. */
  'request-media-type': {
    trials: forCreates((valid) =>
      mediaTypes.map(([mediaType, rank]) => ({
        way: mediaType === '' ? 'a body without a Content-Type' : `a body as ${mediaType}`,
        rank,
        request: (run) => ({
          body: renderJson(valid(run)),
          headers: { 'content-type': mediaType },
        }),
      })),
    ),
    observe: observeResponses((reading, trace) => {
      const { headers } = reading.exchange.request;
      const sent = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
      // A server may guess a missing type (RFC 9110 section 8.3); case and white space do not
      // matter.
      if (/^(?:application\/json\s*(?:;.*)?)?$/i.test(sent.trim())) return undefined;
      if (isServed(reading)) return ['accepted'];
      return refusedAs(reading, trace, { 415: 'unsupported', 400: 'refused' });
    }),
  },
  /** The choices whose limits explain which texts were accepted and which refused. */
  'string-limits': {
    trials: forCreates((valid, question) => [
      askBody('an empty text', 2, (run) =>
        renderJson({ ...valid(run), [openMember(question)]: '' }),
      ),
    ]),
    *observe(question, trace) {
      const property = openMember(question);
      const trials = trace.readings.flatMap((reading) => {
        const text = sentMember(reading, property);
        if (typeof text !== 'string' || !isTelling(reading, question, trace)) return [];
        const choices = choicesWhere(question, ({ details }) =>
          reading.status < 300
            ? isAllowed(text, details)
            : reading.status === 400 && !isAllowed(text, details),
        );
        return [{ value: quote(text), reading, choices }];
      });
      yield* observeValues(trials, property);
    },
  },
  /** A valid body with a property that no contract has. */
  'unknown-properties': {
    trials: forCreates((valid) => [
      askBody('an unknown property', 2, (run) => renderJson({ ...valid(run), ...unknownProperty })),
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
        const evidence = `sent \`${extra}\`, received ${describeResponse(response)}`;
        yield observation(reading, choices, evidence);
      }
    },
  },
} satisfies QuestionKinds;

function askBody(way: string, rank: number, text: (run: Run) => string): Ask {
  return { way, rank, request: (run) => ({ body: text(run) }) };
}

function listAdditions(trace: Trace): readonly Addition[] {
  return collectionsOf(trace).flatMap(({ additions }) => additions);
}

function sentMember({ sent }: Reading, name: string): JsonValue | undefined {
  return isJsonObject(sent) ? sent[name] : undefined;
}

/** A sent value, in words, and the choices that fit the response. */
interface ValueTrial {
  readonly value: string;
  readonly reading: Reading;
  readonly choices: readonly string[];
}

/** Observes which values were accepted or rejected, grouped by the choices that fit. */
function* observeValues(trials: readonly ValueTrial[], property: string): Generator<Observation> {
  for (const group of Map.groupBy(trials, ({ choices }) => choices.join()).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { reading, choices } = first;
    const did = reading.status < 300 ? 'accepted' : `rejected (${reading.status})`;
    const values = [...new Set(group.map(({ value }) => value))];
    const evidence =
      values.length === 1
        ? `${did} 1 value of \`${property}\`, ${first.value}`
        : `${did} ${values.length} different values of \`${property}\`, including ${values.slice(0, 3).join(', ')}`;
    yield observation(reading, choices, evidence);
  }
}

/** An identifier that only this run asks for, far from those that counters assign. */
function wishedId({ tag, session }: Run): number {
  return 4_294_967_311 + tagNumber(tag) * 1000 + session.exchanges.length;
}

function isIdSent({ sent, json, operation }: Reading, { contract }: Trace): boolean {
  const resource = resourceOf(contract.resources, operation);
  if (resource === undefined) return false;
  const wished = idIn(sent, resource);
  return wished !== undefined && isSame(wished, idIn(json, resource));
}

/** Members of a body that the operation does not describe, except the identifier. */
function unknownMembers({ sent, operation }: Reading, trace: Trace): readonly string[] {
  const resource = resourceOf(trace.contract.resources, operation);
  const known = operation.requestBody?.content[0]?.schema?.shape().properties;
  return isJsonObject(sent) && known && resource
    ? Object.keys(sent).filter((name) => !known.has(name) && name !== resource.idPlace[0])
    : [];
}

function writeInteger(body: JsonObject, name: string, digits: string): string {
  const { [name]: _value, ...rest } = body;
  return `${renderJson(rest).slice(0, -1)},${renderJson(name)}:${digits}}`;
}

/** False if a text may have been refused for another reason. */
function isTelling(reading: Reading, question: OpenQuestion, trace: Trace): boolean {
  const { status, isValid, exchange } = reading;
  const asks = exchange.intent.kind === 'open' && exchange.intent.question === question.id;
  if (status < 300) return asks || isValid;
  return asks
    ? status >= 400 && status < 500 && status !== 401
    : isValid && soleReason(reading, trace) === question;
}

/** Lengths are in code points, as in JSON Schema. */
function isAllowed(value: string, { minLength, maxLength, pattern }: JsonObject): boolean {
  const length = Array.from(value).length;
  if (typeof minLength === 'number' && length < minLength) return false;
  if (typeof maxLength === 'number' && length > maxLength) return false;
  return typeof pattern !== 'string' || createPattern(pattern).test(value);
}
