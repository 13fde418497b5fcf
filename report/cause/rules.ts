import { isJsonArray, isJsonObject } from '../../contract/json/value.ts';
import { headerOf, type Failure, type Requirement } from '../../conformance/index.ts';
import { countOf } from '../../page/view/count.ts';
import { describeCredential, noResponseWords } from '../model/exchange-line.ts';
import { headersOfFacet } from '../model/failure.ts';
import {
  cutText,
  isAsExpected,
  isCrash,
  isServed,
  listWords,
  mediaTypeOf,
  operationsOf,
  readingsOf,
  type Log,
  type Reading,
  type Symptom,
} from './log.ts';
import { divideByCondition, hasCondition } from './condition.ts';
import type { CauseFact, CauseKind, CauseOutcome } from './fact.ts';
import { findAlteredValues } from './altered-value.ts';

/** Failures with the same cause, and what the log shows about it. */
export interface Claim {
  readonly kind: CauseKind;
  readonly symptoms: readonly Symptom[];
  /**
   * The failure whose requirement represents the cause. Default: the first in the order of reports.
   */
  readonly lead?: Symptom | undefined;
  /** In plain English. May quote the target. */
  readonly sentence: string;
  readonly fact: CauseFact;
  /** Indexes of the exchanges that show the fact. */
  readonly exchanges: readonly number[];
}

/** Finds causes among the failures that no earlier rule has explained. */
type Rule = (symptoms: readonly Symptom[], log: Log) => Iterable<Claim>;

/** In order of precedence: the most fundamental causes first. */
export const rules: readonly Rule[] = [
  explainConstant,
  explainFixed,
  explainMissingHeaders,
  explainCrashes,
  explainForeign,
  explainStatuses,
  explainValues,
  explainBodies,
  explainRest,
];

// What is counted

/** Exchanges that show something, and how many there are in total. */
interface Count extends Pick<Claim, 'fact' | 'exchanges'> {
  /** `3 of 7 getPet error responses`; `for all 3 requests without a key, and for no other request`. */
  readonly words: string;
}

/** Counts responses among all responses of the same kind. */
function countResponses(shown: readonly Reading[], { readings }: Log): Count {
  const statuses = shown.map(({ response }) => response?.status ?? 0);
  const [status] = statuses;
  const kinds: readonly (readonly [words: string, holds: (status: number) => boolean])[] = [
    [`${status} responses`, (each) => each === status],
    ['error responses', (each) => each >= 400],
    ['successful responses', (each) => each < 300],
  ];
  const [among, holds] = kinds.find((each) => statuses.every(each[1])) ?? ['responses', () => true];
  const all = readings.filter(({ response }) => response !== undefined && holds(response.status));
  const own = operationsOf(shown);
  const isOfAll = operationsOf(all).every((each) => own.includes(each)) && own.length > 1;
  const scope = all.filter(({ exchange }) => own.includes(exchange.request.operation));
  const [seen, of] = [shown.length, scope.length];
  // Two adjacent numbers are hard to read.
  const what = isOfAll
    ? among.replace(/^(\d+) responses/, 'responses with $1')
    : `${listWords(own)} ${among}`;
  return {
    fact: { operations: isOfAll ? [] : own, among, of, others: 0, elsewhere: 0 },
    exchanges: shown.map(({ exchange }) => exchange.index),
    words: `${shareOf(seen, of)} ${of === 1 ? what.replace('responses', 'response') : what}`,
  };
}

/** Which requests are counted: those with a certain expected status and something in common. */
interface Division {
  readonly due?: number | undefined;
  readonly condition?: string | undefined;
  /** Default: what the condition says. */
  readonly meets?: (reading: Reading) => boolean;
}

/**
 * Counts requests with the same outcome: `all 3 requests with limit=100, and for no other request`.
 */
function countRequests(
  operations: readonly string[],
  outcome: CauseOutcome,
  { due, condition, meets = (each) => !condition || hasCondition(each, condition) }: Division,
  { readings }: Log,
  preposition = '',
): Count {
  const all = readings.filter(({ exchange }) => operations.includes(exchange.request.operation));
  // If the same status is expected of all, it need not be mentioned.
  const isNarrow = due !== undefined && all.filter(meets).some(({ expected }) => expected !== due);
  // Except for crashes, the same status may be right for requests with another expected status.
  const isCrashed =
    outcome.kind === 'no-response' || (outcome.kind === 'status' && outcome.status >= 500);
  const isLimited = due !== undefined && (isNarrow || !isCrashed);
  const isDue = (each: Reading): boolean => !isLimited || each.expected === due;
  const meant = all.filter((each) => isDue(each) && meets(each));
  const others = condition === undefined ? [] : all.filter((each) => isDue(each) && !meets(each));
  const shown = meant.filter((each) => showsOutcome(each, outcome));
  const elsewhere = others.filter((each) => showsOutcome(each, outcome)).length;
  const ofDue = due === undefined || due < 300 ? '' : ` that should get ${due}`;
  const before = isNarrow && ofDue === '' ? 'valid ' : '';
  const noun = meant.length === 1 ? 'request' : 'requests';
  const words = `${preposition}${shareOf(shown.length, meant.length)} ${before}${noun}${isNarrow ? ofDue : ''}`;
  const rest =
    elsewhere > 0
      ? `${elsewhere} of ${countOf(others.length, 'other request')}`
      : `no other request${outcome.kind === 'served' ? ofDue : ''}`;
  return {
    fact: {
      operations,
      among: isLimited ? `${before}requests${ofDue}` : undefined,
      condition,
      outcome,
      of: meant.length,
      others: others.length,
      elsewhere,
    },
    exchanges: shown.map(({ exchange }) => exchange.index),
    words: condition === undefined ? words : `${words} ${condition}, and ${preposition}${rest}`,
  };
}

function shareOf(seen: number, of: number): string {
  if (seen < of) return `${seen} of ${of}`;
  return of === 1 ? 'the only' : `all ${of}`;
}

/** The operations with a verb: `createPet fails`, `createPet and getPet fail`. */
function operationsDo(operations: readonly string[], one: string, many: string): string {
  return `${listWords(operations)} ${operations.length === 1 ? one : many}`;
}

function capitalise(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** The outcome: no response, accepted although it should have been refused, or the status. */
function outcomeOf({ response, exchange, expected = 0 }: Reading): CauseOutcome {
  const { outcome } = exchange;
  if (outcome.kind === 'no-response') return { kind: 'no-response', reason: outcome.error.reason };
  const status = response?.status ?? 0;
  return status < 300 && expected >= 300 ? { kind: 'served' } : { kind: 'status', status };
}

function showsOutcome({ response, exchange }: Reading, outcome: CauseOutcome): boolean {
  if (outcome.kind === 'status') return response?.status === outcome.status;
  if (outcome.kind === 'served') return response !== undefined && response.status < 300;
  const { outcome: own } = exchange;
  return own.kind === 'no-response' && own.error.reason === outcome.reason;
}

// One status or one response, whatever is sent

/** All responses have the same status, although several are expected. */
function* explainConstant(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  const { answered } = log;
  const [status, ...others] = new Set(answered.map(({ response }) => response?.status));
  const dues = new Set(answered.map(({ expected }) => expected ?? status));
  if (others.length > 0 || dues.size < 3) return;
  yield {
    kind: 'constant-status',
    symptoms: symptoms.filter(
      ({ reading }) => reading.expected !== status && answered.includes(reading),
    ),
    ...countResponses(answered, log),
    sentence: `All ${answered.length} responses have the status ${status}, whatever is expected.`,
  };
}

/** Whether several requests got identical bodies with the expected status. */
function isFixed(readings: readonly Reading[]): boolean {
  const requests = readings.map(({ exchange: { request } }) => `${request.target} ${request.body}`);
  const bodies = readings.map(({ response }) => response?.body);
  return new Set(requests).size > 2 && new Set(bodies).size === 1 && readings.some(isAsExpected);
}

/**
 * Operations whose response is the same whatever is sent, such as an example: nothing is stored.
 */
function* explainFixed(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  const served = Map.groupBy(log.answered.filter(isServed), ({ operation }) => operation);
  const fixed = [...served.values()].filter(isFixed).flat();
  const own = symptoms.filter(
    ({ requirement: { subject }, reading }) =>
      fixed.includes(reading) &&
      ['state', 'status', 'concurrency', 'parameter'].includes(subject.kind),
  );
  const operations = operationsOf(readingsOf(own));
  const count = countResponses(
    fixed.filter(({ exchange }) => operations.includes(exchange.request.operation)),
    log,
  );
  yield {
    kind: 'fixed-response',
    symptoms: own,
    ...count,
    sentence: `${operationsDo(operations, 'returns', 'return')} the same response whatever the request is, as from an example: ${count.words}.`,
  };
}

// Headers

/** The headers that a failure reports as missing. */
function lackedHeaders(
  { requirement: { subject }, reading: { response } }: Symptom,
  { contract }: Log,
): readonly string[] {
  const { limit, remaining, reset } = contract.rateLimit?.headers ?? {};
  const names =
    subject.kind === 'header'
      ? [subject.name]
      : subject.kind === 'rate-limit' && subject.facet === 'headers'
        ? [limit, remaining, reset]
        : [];
  return names.flatMap((name) => (name && response && !headerOf(response, name) ? name : []));
}

/**
 * Headers missing from the same responses are one cause. If only crashes and foreign responses lack
 * them, they belong to those causes.
 */
function* explainMissingHeaders(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  const foreign = findForeign(log);
  const own = symptoms.filter(({ reading }) => !isCrash(reading) && !foreign.has(reading));
  const names = new Set(own.flatMap((each) => lackedHeaders(each, log)));
  const lacking = symptoms.filter((each) =>
    lackedHeaders(each, log).some((name) => names.has(name)),
  );
  const byReading = Map.groupBy(lacking, ({ reading }) => reading);
  const byNames = Map.groupBy(byReading.values(), (some) =>
    [...new Set(some.flatMap((each) => lackedHeaders(each, log)))].toSorted().join(),
  );
  for (const groups of byNames.values()) {
    const some = groups.flat();
    const lacked = [...new Set(some.flatMap((each) => lackedHeaders(each, log)))];
    const shown = log.readings.filter(
      ({ response }) => response && lacked.every((name) => headerOf(response, name) === undefined),
    );
    const count = countResponses(shown, log);
    yield {
      kind: 'missing-header',
      symptoms: some,
      ...count,
      sentence: `${capitalise(count.words)} ${shown.length === 1 ? 'lacks' : 'lack'} ${listWords(lacked)}.`,
    };
  }
}

/** Joins groups that were found in the same exchanges. */
function joinGroups(groups: Iterable<readonly Symptom[]>): readonly (readonly Symptom[])[] {
  const byReadings = Map.groupBy(groups, (some) =>
    readingsOf(some)
      .map(({ exchange }) => exchange.index)
      .join(' '),
  );
  return [...byReadings.values()].map((some) => some.flat());
}

// Crashes, and responses of somebody else

/** A body in a few words: `no body`, `the HTML page "502 Bad Gateway"`, `JSON with `detail``. */
function describeForm({ response, body }: Reading): string {
  if (response === undefined || response.body === '') return 'no body';
  if (isJsonObject(body))
    return `JSON with ${listWords(Object.keys(body).map((name) => `\`${cutText(name)}\``)) || 'no members'}`;
  if (body !== undefined) return 'JSON';
  const title = /<title>([^<]{1,80})/i.exec(response.body)?.[1]?.trim() ?? '';
  return title === '' ? `text with the type ${mediaTypeOf(response)}` : `the HTML page "${title}"`;
}

/**
 * Requests without a response or with a 5xx, grouped by outcome and by what they have in common.
 */
function* explainCrashes(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  const alive = new Set(log.answered.map(({ operation }) => operation));
  const groups = Map.groupBy(log.readings.filter(isCrash), (each) =>
    JSON.stringify([outcomeOf(each), alive.has(each.operation)]),
  );
  for (const [first, ...others] of groups.values()) {
    if (first === undefined) continue;
    const outcome = outcomeOf(first);
    const came =
      outcome.kind === 'status'
        ? `${outcome.status} (${describeForm(first)})`
        : noResponseWords(outcome.kind === 'no-response' ? outcome.reason : '').replace(
            /: (.*)/,
            ' ($1)',
          );
    for (const { readings, ...division } of divideCrashes([first, ...others], log)) {
      const operations = operationsOf(readings);
      const count = countRequests(operations, outcome, division, log, 'for ');
      yield {
        kind: 'crash',
        // Failures of rate-limit counts are not part of the crash.
        symptoms: symptoms.filter(
          (each) =>
            readings.includes(each.reading) &&
            [undefined, 'exceeded', 'headers'].includes(facetOf(each)),
        ),
        ...count,
        sentence: `${operationsDo(operations, 'returns', 'return')} ${came} ${count.words}.`,
      };
    }
  }
}

/**
 * Groups crashes by what distinguishes their requests from others; if the same status was expected
 * of all, from others with that status.
 */
function divideCrashes(crashed: readonly Reading[], { answered }: Log) {
  const operations = new Set(crashed.map(({ operation }) => operation));
  const [first, ...otherDues] = new Set(crashed.map(({ expected }) => expected));
  const due = otherDues.length === 0 ? first : undefined;
  const sound = answered.filter(
    ({ operation, expected }) =>
      operations.has(operation) && (due === undefined || expected === due),
  );
  const classes = divideByCondition(crashed, sound).map((each) => ({ ...each, due }));
  return classes.length > 0 ? classes : [{ readings: crashed, condition: undefined, due }];
}

/**
 * Refusals not written by the service itself: not in the error shape and without any of its
 * headers. If no response has these headers, they must also not be JSON.
 */
function findForeign({ readings, answered, contract }: Log): ReadonlySet<Reading> {
  const { limit, remaining, reset } = contract.rateLimit?.headers ?? {};
  const hasQuota = ({ response }: Reading): boolean =>
    [limit, remaining, reset].some((name) => name && response && headerOf(response, name));
  const isQuotaKnown = readings.some(hasQuota);
  return new Set(
    answered.filter((reading) => {
      const { response, body } = reading;
      if (response === undefined || response.status < 300 || hasQuota(reading)) return false;
      if (body !== undefined && contract.error?.schema.validate(body).length === 0) return false;
      return isQuotaKnown || (response.body !== '' && !/\bjson$/.test(mediaTypeOf(response)));
    }),
  );
}

/**
 * Errors not written by the service itself, such as those of a proxy or a framework, grouped by
 * form.
 */
function* explainForeign(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  const byType = Map.groupBy(findForeign(log), ({ response }) => response && mediaTypeOf(response));
  for (const [first, ...others] of byType.values()) {
    if (first === undefined) continue;
    const readings = [first, ...others];
    const count = countResponses(readings, log);
    yield {
      kind: 'foreign-response',
      symptoms: symptoms.filter(({ reading }) => readings.includes(reading)),
      ...count,
      sentence: `${capitalise(count.words)} ${readings.length === 1 ? 'looks' : 'look'} like the output of a proxy or a framework, not of the service: ${describeForm(first)}.`,
    };
  }
}

// Statuses

/** The response has another status than expected, and the requirement is about the status. */
function isWrongStatus({ requirement: { subject }, failure, reading }: Symptom): boolean {
  const isOther = ['body', 'header', 'state', 'concurrency', 'rate-limit'].includes(subject.kind);
  // A 404 for an item that was not stored is not a failure of the read operation.
  const isOfRead = subject.kind === 'state' && subject.facet !== 'stored';
  return (
    (!isOther || (isOfRead && /^\d{3}\b/.test(failure.expected))) &&
    reading.expected !== undefined &&
    !isAsExpected(reading)
  );
}

/**
 * A status that is always replaced by another one, a refusal with the wrong status, and unchecked
 * keys.
 */
function* explainStatuses(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  const groups = Map.groupBy(symptoms.filter(isWrongStatus), ({ reading, requirement }) =>
    JSON.stringify([reading.expected, outcomeOf(reading), requirement.subject.kind === 'auth']),
  );
  for (const some of groups.values()) {
    const [first] = some;
    if (first === undefined) continue;
    const { reading } = first;
    const { expected: due = 0, response } = reading;
    const operations = operationsOf(readingsOf(some));
    const all = log.readings.filter(
      ({ exchange, expected }) =>
        expected === due && operations.includes(exchange.request.operation),
    );
    const isOfKey = first.requirement.subject.kind === 'auth';
    const isNeverRight = all.length > 1 && !all.some(isAsExpected);
    const isOtherRefusal = due >= 400 && (response?.status ?? 0) >= 400;
    if (!isOfKey && !isNeverRight && !isOtherRefusal) continue;
    const outcome = outcomeOf(reading);
    const uses = new Set(some.map((each) => each.reading.exchange.request.credential));
    const meets = ({ exchange }: Reading): boolean => uses.has(exchange.request.credential);
    const others = all.filter((each) => !meets(each));
    const isSetApart =
      isOfKey && others.length > 0 && !others.some((each) => showsOutcome(each, outcome));
    const condition = listWords([...uses].map(describeCredential), 'or');
    const division = isSetApart ? { due, condition, meets } : { due };
    const isServedAnyway = outcome.kind === 'served';
    const preposition = isServedAnyway ? '' : 'for ';
    const count = countRequests(operations, outcome, division, log, preposition);
    yield {
      kind: isOfKey ? 'unchecked-key' : 'wrong-status',
      symptoms: some,
      ...count,
      sentence: isServedAnyway
        ? `${operationsDo(operations, 'accepts', 'accept')} ${count.words}.`
        : `${operationsDo(operations, 'returns', 'return')} ${response?.status} instead of ${due} ${count.words}.`,
    };
  }
}

// Items and bodies

function* explainValues(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  for (const { words, members, symptoms: own, example } of findAlteredValues(symptoms, log)) {
    const count = countResponses(readingsOf(own), log);
    yield {
      kind: 'altered-value',
      symptoms: own,
      ...count,
      fact: { ...count.fact, alteration: { members, words, ...example } },
      sentence: `${listWords(members.map((name) => `\`${name}\``))} ${words}: ${count.words}, such as ${example.shown ?? 'nothing'} for ${example.sent}.`,
    };
  }
}

/**
 * Malformed bodies: the same deviation is one cause wherever it occurs, and so are deviations of
 * the same responses.
 */
function* explainBodies(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  const groups = Map.groupBy(withoutEffects(symptoms), (each) => deviationOf(each, log));
  groups.delete(undefined);
  for (const some of joinGroups(groups.values())) {
    const [first] = some;
    if (first === undefined) continue;
    const readings = readingsOf(some);
    const missing = some.flatMap(({ requirement: { subject } }) =>
      'path' in subject && subject.facet === 'required' ? (subject.path.at(-1) ?? '') : [],
    );
    const { expected, received } = first.failure;
    const said =
      missing.length === some.length
        ? `without ${listWords(missing.map((name) => `\`${name}\``))}`
        : expected.includes(' must be ')
          ? expected
          : `expected ${expected}, received ${cutText(received)}`;
    const count = countResponses(readings, log);
    yield {
      kind: 'body',
      symptoms: some,
      ...count,
      sentence: `${capitalise(count.words)} ${readings.length === 1 ? 'differs' : 'differ'} from the document: ${formOf(first.reading, log) ?? said}.`,
    };
  }
}

/**
 * What is wrong with the form of a response, independent of the operation; undefined for other
 * failures.
 */
function deviationOf(symptom: Symptom, log: Log): string | undefined {
  const { requirement, failure, reading } = symptom;
  const { subject } = requirement;
  if (subject.kind === 'header') return `header ${subject.name}`;
  if (subject.kind !== 'body') return undefined;
  const form = formOf(reading, log);
  if (form !== undefined) return form;
  if (subject.part === 'content-type') return `content type ${failure.received}`;
  if (/ must be (a number|an integer), not the string "-?\d+"$/.test(failure.expected))
    return 'numbers are strings';
  if (subject.part === 'error') return subject.facet;
  const path = subject.part === 'member' ? subject.path.filter((step) => step !== '[]') : [];
  if (subject.part === 'member' && path.length > 0) return `${path.join('.')} ${subject.facet}`;
  return 'whole';
}

/** A change of the body as a whole, and so of every member; undefined if none is recognised. */
function formOf(reading: Reading, log: Log): string | undefined {
  const { response, body } = reading;
  if (response === undefined) return undefined;
  const mediaType = mediaTypeOf(response);
  if (!/\bjson$/.test(mediaType) && response.body !== '') return `the content type is ${mediaType}`;
  if (!response.utf8 || (body === undefined && response.body !== ''))
    return 'it is not JSON in UTF-8';
  const wrapper = wrapperOf(reading, log);
  return wrapper === undefined ? undefined : `everything is inside \`${wrapper}\``;
}

/** The member whose value is what the body should be. */
function wrapperOf({ operation, response, body }: Reading, log: Log): string | undefined {
  if (!isJsonObject(body)) return undefined;
  const documented = operation?.responses.find(({ status }) => status === String(response?.status));
  const schema =
    documented?.content.find((each) => each.schema)?.schema ?? log.contract.error?.schema;
  if (schema === undefined || schema.validate(body).length === 0) return undefined;
  return Object.entries(body).find(
    ([, value]) =>
      value !== undefined &&
      (isJsonObject(value) || isJsonArray(value)) &&
      schema.validate(value).length === 0,
  )?.[0];
}

/** A failure in one sentence: requirement, expected and received. */
export function describeFailure(
  { id }: Pick<Requirement, 'id'>,
  { expected, received }: Pick<Failure, 'expected' | 'received'>,
): string {
  return `${id}: expected ${cutText(expected, 40)}, received ${cutText(received)}.`;
}

/**
 * Failures that no rule explains: one cause per requirement, with others that fail for the same
 * reason.
 */
export function* explainRest(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  const musts = withoutEffects(symptoms).toSorted(
    ({ requirement: one }, { requirement: other }) =>
      Number(other.level === 'must') - Number(one.level === 'must'),
  );
  const groups = Map.groupBy(musts, (each) => aspectOf(each, log));
  for (const own of groups.values()) {
    const [lead = own[0]] = own.filter((each) => facetOf(each) === 'exceeded');
    if (lead === undefined) continue;
    const { requirement, failure } = lead;
    yield {
      kind: 'requirement',
      symptoms: own,
      lead,
      ...countResponses(readingsOf(own), log),
      sentence: describeFailure(requirement, failure),
    };
  }
}

/**
 * What failures with the same cause have in common: a count of requests or items, ids, a header, or
 * the items of an operation. Any other failure stands for its own requirement.
 */
function aspectOf({ requirement, reading }: Symptom, { contract }: Log): string {
  const { subject, id, operation } = requirement;
  const facet = 'facet' in subject ? subject.facet : '';
  if (subject.kind === 'header') return `header ${subject.name.toLowerCase()}`;
  if (subject.kind === 'rate-limit') {
    const { headers } = contract.rateLimit ?? {};
    if (facet === 'remaining-within-limit') return `header ${headers?.limit.toLowerCase()}`;
    if (/^(exceeded|remaining-|returns)/.test(facet)) return 'quota';
    return `header ${headers && headersOfFacet(subject.facet, headers)[0]?.toLowerCase()}`;
  }
  if (/^(listed|filled|bound)$/.test(facet) || id.endsWith('concurrency.stored'))
    return `number ${reading.exchange.request.operation}`;
  if (/^(id-unique|id-assigned|distinct)$/.test(facet)) return 'identity';
  const isOfItem = subject.kind === 'state' && facet !== 'not-written';
  return isOfItem || facet === 'unique' ? `items ${operation}` : id;
}

function facetOf({ requirement: { subject } }: Symptom) {
  return subject.kind === 'rate-limit' ? subject.facet : undefined;
}

/** Failures that do not follow from another one in the list. */
function withoutEffects(symptoms: readonly Symptom[]): readonly Symptom[] {
  const ids = new Set(
    symptoms.filter((each) => each.because === undefined).map(({ requirement }) => requirement.id),
  );
  return symptoms.filter(({ because }) => because === undefined || !ids.has(because));
}
