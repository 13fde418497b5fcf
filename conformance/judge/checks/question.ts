import type { Contract, JsonValue, OpenQuestion } from '../../../contract/index.ts';
import { isJsonObject } from '../../../contract/index.ts';
import type { Check } from '../trace/check.ts';
import { headerOf } from '../../transport/exchange.ts';
import { observed, type Finding } from '../trace/finding.ts';
import { additionsOf } from '../trace/addition.ts';
import { listingsOf, type Listing } from '../trace/listing.ts';
import {
  itemsOf,
  queryOf,
  readMediaType,
  renderPlain,
  resourceOf,
  type Reading,
  type Trace,
} from '../trace/trace.ts';
import { describeResponse, quote } from '../trace/words.ts';
import { explainRefusal, forbiddenReadings, takesAnyReference } from '../trace/refusal.ts';

/** Records what the target does where the document is silent. Never finds a failure. */
export const questionCheck: Check = {
  id: 'question',
  *judge(trace) {
    const forbidden = forbiddenReadings(trace);
    const telling = {
      ...trace,
      readings: trace.readings.filter((reading) => !forbidden.has(reading)),
    };
    for (const question of trace.contract.openQuestions) {
      const observe = observers[question.kind];
      if (observe) yield* observe(question, telling);
    }
  },
};

type Observer = (question: OpenQuestion, trace: Trace) => Iterable<Finding>;

const observers: Readonly<Record<string, Observer>> = {
  reference: observeReference,
  'default-value': observeDefault,
  'string-limits': observeStringLimits,
  order: observeOrder,
  paging: observePaging,
  'error-code': observeErrorCode,
  'rate-limit-body': observeLimitedBody,
  'retry-after-format': observeRetryAfter,
  'invalid-parameter': observeInvalidParameter,
  'invalid-path-parameter': observeResponseStatus,
  'request-media-type': observeResponseStatus,
  accept: observeResponseStatus,
  'malformed-body': observeResponseStatus,
  'order-of-checks': observeResponseStatus,
  'undescribed-requests': observeResponseStatus,
  'unknown-properties': observeUnknownProperties,
  'read-only-property': observeReadOnly,
};

function choice(question: OpenQuestion, id: string): string | undefined {
  return question.choices.some((each) => each.id === id) ? id : undefined;
}

/** The answers to requests that were sent for a question. */
function responsesTo(question: OpenQuestion, trace: Trace): readonly Reading[] {
  return trace.readings.filter(
    ({ exchange: { intent } }) => intent.kind === 'open' && intent.question === question.id,
  );
}

/** The property whose schema stands where the question points. */
function propertyAt(question: OpenQuestion, contract: Contract): string | undefined {
  for (const resource of contract.resources) {
    const properties =
      resource.create?.requestBody?.content[0]?.schema?.shape().properties ??
      new Map<string, never>();
    for (const name of properties.keys())
      if (question.at.endsWith(`/properties/${name}`)) return name;
  }
  return undefined;
}

function additions(trace: Trace): readonly ReturnType<typeof additionsOf>[number][] {
  return trace.contract.resources.flatMap((resource) => additionsOf(trace, resource));
}

/** References that no list had shown were taken. Refusals are recorded by the status check. */
function* observeReference(question: OpenQuestion, trace: Trace): Generator<Finding> {
  const property = propertyAt(question, trace.contract);
  if (property === undefined) return;
  const free = new Set(
    trace.contract.operations
      .map(({ id }) => id)
      .filter((id) => takesAnyReference(question, id, trace)),
  );
  const taken = additions(trace).filter(
    ({ sent, reading }) => sent[property] !== undefined && free.has(reading.operation.id),
  );
  const values = new Set(taken.map(({ sent }) => renderPlain(sent[property] ?? null)));
  const example = taken.at(-1);
  if (example)
    yield observed(
      question.id,
      choice(question, 'any'),
      example.reading.exchange.index,
      `took ${values.size} different values of \`${property}\`, ${[...values].slice(0, 3).join(', ')} among them`,
    );
}

function* observeDefault(question: OpenQuestion, trace: Trace): Generator<Finding> {
  const property = propertyAt(question, trace.contract);
  if (property === undefined) return;
  const seen = new Set<string>();
  for (const { sent, answered, reading } of additions(trace)) {
    if (sent[property] !== undefined || !reading.succeeded) continue;
    const value = answered.members[property];
    const evidence = `added without \`${property}\`, answered ${quote(value)}`;
    if (seen.has(evidence)) continue;
    seen.add(evidence);
    const found =
      value === undefined
        ? choice(question, 'absent')
        : question.choices.find((each) => each.details['value'] === value)?.id;
    yield observed(question.id, found, reading.exchange.index, evidence);
  }
}

/** A text that was sent, and whether it was taken; `refused` has the status where it was not. */
interface TextTrial {
  readonly value: string;
  readonly refused: number | undefined;
  readonly reading: Reading;
}

function* observeStringLimits(question: OpenQuestion, trace: Trace): Generator<Finding> {
  const property = propertyAt(question, trace.contract);
  if (property === undefined) return;
  const trials = trace.readings.flatMap((reading) =>
    readTextTrial(reading, property, question, trace),
  );
  const last = trials.at(-1);
  if (!last) return;
  const fitting = question.choices.find((each) =>
    trials.every(({ value, refused }) =>
      isTaken(value, each.details) ? refused === undefined : refused === 400,
    ),
  );
  const refused = trials
    .filter((trial) => trial.refused !== undefined)
    .map(({ value }) => quote(value));
  const evidence =
    refused.length === 0
      ? `took all ${trials.length} texts that were sent`
      : `refused ${refused.slice(0, 3).join(', ')}`;
  yield observed(question.id, fitting?.id, last.reading.exchange.index, evidence);
}

/** What a response tells of a text: nothing where it may have been refused for something else. */
function readTextTrial(
  reading: Reading,
  property: string,
  question: OpenQuestion,
  trace: Trace,
): readonly TextTrial[] {
  const value = isJsonObject(reading.sent) ? reading.sent[property] : undefined;
  const { intent } = reading.exchange;
  const { status } = reading.response;
  const asks = intent.kind === 'open' && intent.question === question.id;
  if (typeof value !== 'string' || !(asks || intent.kind === 'valid')) return [];
  if (status < 300) return [{ value, refused: undefined, reading }];
  const [reason, ...others] = asks ? [question] : explainRefusal(reading, trace);
  const isSure =
    reason?.id === question.id && others.length === 0 && (status === 400 || status === 422);
  return isSure ? [{ value, refused: status, reading }] : [];
}

function isTaken(value: string, limits: Readonly<Record<string, JsonValue | undefined>>): boolean {
  const { minLength, maxLength, pattern } = limits;
  const length = Array.from(value).length;
  if (typeof minLength === 'number' && length < minLength) return false;
  if (typeof maxLength === 'number' && length > maxLength) return false;
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value);
}

function* observeOrder(question: OpenQuestion, trace: Trace): Generator<Finding> {
  for (const resource of trace.contract.resources) {
    const listings = listingsOf(trace, resource).filter((each) => each.items.length >= 3);
    const longest = listings.toSorted((a, b) => b.items.length - a.items.length)[0];
    if (!longest || !question.at.startsWith(resource.list.pointer)) continue;
    const found = question.choices.find((each) =>
      listings.every((listing) => isOrdered(listing, each.details)),
    );
    yield observed(
      question.id,
      found?.id ?? choice(question, 'none'),
      longest.reading.exchange.index,
      `${longest.items.length} items, the first ${quote(longest.items.slice(0, 3).map(({ members }) => members[resource.idProperty] ?? null))}`,
    );
  }
}

function isOrdered(
  { items }: Listing,
  { by, direction }: Readonly<Record<string, JsonValue | undefined>>,
): boolean {
  if (typeof by !== 'string') return false;
  const sign = direction === 'descending' ? -1 : 1;
  return items.every(
    (item, index) =>
      index === 0 || sign * order(items[index - 1]?.members[by], item.members[by]) <= 0,
  );
}

function order(a: JsonValue | undefined, b: JsonValue | undefined): number {
  if (a === undefined || b === undefined || a === null || b === null || a === b) return 0;
  return a < b ? -1 : 1;
}

function* observePaging(question: OpenQuestion, trace: Trace): Generator<Finding> {
  for (const resource of trace.contract.resources) {
    const full = listingsOf(trace, resource).find(
      (each) => each.items.length === each.limit && each.items.length > 0,
    );
    if (!full) continue;
    const link = headerOf(full.reading.response, 'link');
    if (link !== undefined && full.more)
      yield observed(
        question.id,
        choice(question, 'link-header'),
        full.reading.exchange.index,
        `Link: ${link}`,
      );
    else
      yield observed(
        question.id,
        full.more ? undefined : choice(question, 'none'),
        full.reading.exchange.index,
        full.more
          ? 'a header speaks of further items'
          : 'a full list without a hint at further items',
      );
  }
}

function* observeErrorCode(question: OpenQuestion, trace: Trace): Generator<Finding> {
  const member = trace.contract.error?.members.find((each) => each.role === 'code')?.name;
  for (const reading of trace.readings) {
    const code =
      member !== undefined && isJsonObject(reading.json) && reading.response.status >= 400
        ? reading.json[member]
        : undefined;
    if (typeof code !== 'string') continue;
    const kind =
      code === String(reading.response.status)
        ? 'status-number'
        : isPhrase(code, reading.response.status)
          ? 'status-phrase'
          : 'reason';
    yield observed(
      question.id,
      choice(question, kind),
      reading.exchange.index,
      `${reading.response.status} with ${quote(code)}`,
    );
    return;
  }
}

const phrases: Readonly<Record<number, string>> = {
  400: 'badrequest',
  401: 'unauthorized',
  404: 'notfound',
  429: 'toomanyrequests',
};

/**
 * `not_found` and `unauthorized` are reasons as much as phrases; only upper case tells a phrase.
 */
function isPhrase(code: string, status: number): boolean {
  return (
    code.replaceAll(/[^a-z]/gi, '').toLowerCase() === phrases[status] && code !== code.toLowerCase()
  );
}

function* observeLimitedBody(
  question: OpenQuestion,
  { limited, contract }: Trace,
): Generator<Finding> {
  const [reading] = limited;
  if (!reading) return;
  const { body } = reading.response;
  const isError =
    reading.json !== undefined && contract.error?.schema.validate(reading.json).length === 0;
  const isText = readMediaType(headerOf(reading.response, 'content-type')) === 'text/plain';
  const kind = body === '' ? 'empty' : isError ? 'error' : isText ? 'text' : undefined;
  yield observed(
    question.id,
    kind && choice(question, kind),
    reading.exchange.index,
    describeResponse(reading.response),
  );
}

function* observeRetryAfter(
  question: OpenQuestion,
  { limited, contract }: Trace,
): Generator<Finding> {
  for (const reading of limited) {
    const text = headerOf(
      reading.response,
      contract.rateLimit?.headers.retryAfter ?? 'retry-after',
    );
    if (text === undefined) continue;
    const kind = /^\d+$/.test(text)
      ? choice(question, 'seconds')
      : Number.isNaN(Date.parse(text))
        ? undefined
        : choice(question, 'http-date');
    yield observed(question.id, kind, reading.exchange.index, `Retry-After: ${text}`);
    return;
  }
}

/**
 * A few items may be all that there are, and then fit several choices: what fits all responses that
 * served the request is told, `ignored` first.
 */
function* observeInvalidParameter(question: OpenQuestion, trace: Trace): Generator<Finding> {
  const responses = responsesTo(question, trace).map((reading) => ({
    reading,
    fitting: fittingChoices(reading, trace),
  }));
  const served = responses.filter(({ reading }) => itemsOf(reading) !== undefined);
  const common = ['ignored', 'clamped'].find((kind) =>
    served.every(({ fitting }) => fitting.includes(kind)),
  );
  for (const { reading, fitting } of responses) {
    const items = itemsOf(reading);
    const kind = items && common !== undefined ? common : fitting[0];
    yield observed(
      question.id,
      kind && choice(question, kind),
      reading.exchange.index,
      `${reading.exchange.request.target} answered ${items ? `${reading.response.status} with ${items.length} items` : describeResponse(reading.response)}`,
    );
  }
}

/** The choices that a response to an invalid parameter may stand for. */
function fittingChoices(reading: Reading, { contract }: Trace): readonly string[] {
  const size = itemsOf(reading)?.length;
  if (size === undefined) return reading.response.status === 400 ? ['refused'] : [];
  if (size === 0) return ['empty'];
  const limit = resourceOf(contract, reading.operation)?.limit;
  const asked = limit && queryOf(reading.exchange, limit.parameter.name);
  if (limit === undefined || asked === undefined) return ['ignored'];
  const preset = limit.default ?? Infinity;
  const isAbove = Number(asked) > (limit.maximum ?? Infinity);
  const nearest = /^-?\d+$/.test(asked)
    ? ((isAbove ? limit.maximum : limit.minimum) ?? Infinity)
    : preset;
  return [...(size <= preset ? ['ignored'] : []), ...(size <= nearest ? ['clamped'] : [])];
}

/** Which choice a status stands for, by the words that choices of these kinds use. */
const statusChoices: readonly (readonly [
  status: (status: number) => boolean,
  choices: readonly string[],
])[] = [
  [(status) => status < 300, ['accepted', 'ignored']],
  [(status) => status === 400, ['refused', 'body-first']],
  [(status) => status === 401, ['credential-first']],
  [(status) => status === 404, ['not-found']],
  [(status) => status === 405, ['http']],
  [(status) => status === 406, ['not-acceptable']],
  [(status) => status === 415, ['unsupported']],
  [(status) => status === 422, ['unprocessable']],
];

function* observeResponseStatus(question: OpenQuestion, trace: Trace): Generator<Finding> {
  for (const reading of responsesTo(question, trace)) {
    const candidates = statusChoices.find(([fits]) => fits(reading.response.status))?.[1] ?? [];
    const found = candidates.map((id) => choice(question, id)).find((id) => id !== undefined);
    const { intent } = reading.exchange;
    yield observed(
      question.id,
      found,
      reading.exchange.index,
      `${intent.kind === 'open' ? intent.way : ''}: answered ${describeResponse(reading.response)}`,
    );
  }
}

/** Members of a body that the create operation does not describe, but for the identifier. */
function unknownMembers({ sent, operation }: Reading, trace: Trace): readonly string[] {
  const resource = resourceOf(trace.contract, operation);
  const known = operation.requestBody?.content[0]?.schema?.shape().properties;
  return isJsonObject(sent) && known && resource
    ? Object.keys(sent).filter((name) => !known.has(name) && name !== resource.idProperty)
    : [];
}

function* observeUnknownProperties(question: OpenQuestion, trace: Trace): Generator<Finding> {
  const own = new Set(responsesTo(question, trace));
  for (const reading of trace.readings) {
    const [extra] = unknownMembers(reading, trace);
    const refused = reading.response.status >= 400;
    if (
      extra === undefined ||
      reading.exchange.intent.kind !== 'open' ||
      (refused && !own.has(reading))
    )
      continue;
    const saved = isJsonObject(reading.json) && Object.hasOwn(reading.json, extra);
    const kind = refused ? refusalOf(reading) : saved ? 'kept' : 'ignored';
    yield observed(
      question.id,
      kind && choice(question, kind),
      reading.exchange.index,
      `sent \`${extra}\`, answered ${describeResponse(reading.response)}`,
    );
  }
}

/** A refusal of an identifier beside an unknown property may be that of the property. */
function* observeReadOnly(question: OpenQuestion, trace: Trace): Generator<Finding> {
  for (const reading of responsesTo(question, trace)) {
    const refused = reading.response.status >= 400;
    if (refused && unknownMembers(reading, trace).length > 0) continue;
    const kind = refused ? refusalOf(reading) : 'ignored';
    yield observed(
      question.id,
      kind && choice(question, kind),
      reading.exchange.index,
      `answered ${describeResponse(reading.response)}`,
    );
  }
}

/** The choices of a document refuse with 400. */
function refusalOf({ response }: Reading): 'refused' | undefined {
  return response.status === 400 ? 'refused' : undefined;
}
