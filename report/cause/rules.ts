import { renderPointer } from '../../contract/json/pointer.ts';
import { listWords } from '../../contract/list/list.ts';
import { isJsonArray, isJsonObject } from '../../contract/json/value.ts';
import { resourceOf } from '../../contract/resource/resource.ts';
import { headerOf, memberPath, type Failure, type Requirement } from '../../conformance/index.ts';
import { countOf } from '../../page/view/count.ts';
import { describeCredential, noResponseWords } from '../model/exchange-line.ts';
import { headersOfFacet } from '../model/failure.ts';
import {
  cutText,
  isAsExpected,
  isCrash,
  isServed,
  mediaTypeOf,
  operationsOf,
  readingsOf,
  type Log,
  type Reading,
  type Symptom,
} from './log.ts';
import {
  capitalise,
  countRequests,
  countResponses,
  withVerb,
  outcomeOf,
  showsOutcome,
  type Claim,
} from './claim.ts';
import { divideByCondition } from './condition.ts';
import { explainAlteredValues } from './altered-value.ts';

/** Finds causes among the failures that no earlier rule has explained. */
type Rule = (symptoms: readonly Symptom[], log: Log) => Iterable<Claim>;

/** In order of precedence: the most fundamental causes first. */
export const rules: readonly Rule[] = [
  explainConstant,
  explainFixed,
  explainCrashes,
  explainForeign,
  explainMissingHeaders,
  explainStatuses,
  explainAlteredValues,
  explainBodies,
  explainRemaining,
];

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
 * Lists of the same items, removals and responses without a body say nothing alone.
 */
function* explainFixed(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  const served = Map.groupBy(log.answered.filter(isServed), ({ operation }) => operation);
  const fixed = [...served.values()].filter(isFixed).flat();
  const isTelling = ({ operation, response }: Reading): boolean =>
    response?.body !== '' &&
    operation?.method !== 'DELETE' &&
    !log.contract.resources.some(({ list }) => list === operation);
  if (!fixed.some(isTelling)) return;
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
    sentence: `${withVerb(operations, 'returns', 'return')} the same response whatever the request is, as from an example: ${count.words}.`,
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
  return names.flatMap((name) =>
    name && response && headerOf(response, name) === undefined ? name : [],
  );
}

/** Headers missing from the same responses are one cause. */
function* explainMissingHeaders(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  const lacking = symptoms.filter((each) => lackedHeaders(each, log).length > 0);
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
        sentence: `${withVerb(operations, 'returns', 'return')} ${came} ${count.words}.`,
      };
    }
  }
}

/**
 * Groups crashes by what distinguishes their requests from others; if nothing does for all, those
 * of each operation of which something does.
 */
function divideCrashes(crashed: readonly Reading[], log: Log) {
  const all = divideAlike(crashed, log);
  if (all.length > 0) return all;
  const byOperation = [...Map.groupBy(crashed, ({ operation }) => operation).values()];
  const divided = byOperation
    .filter((some) => some.length > 1 && byOperation.length > 1)
    .flatMap((some) => divideAlike(some, log));
  const apart = new Set(divided.flatMap(({ readings }) => readings));
  const rest = crashed.filter((each) => !apart.has(each));
  return rest.length > 0
    ? [...divided, { readings: rest, condition: undefined, due: dueOf(rest) }]
    : divided;
}

/** Compares with other requests of the operations; if one status is expected, with those of it. */
function divideAlike(crashed: readonly Reading[], { answered }: Log) {
  const operations = new Set(crashed.map(({ operation }) => operation));
  const due = dueOf(crashed);
  const sound = answered.filter(
    ({ operation, expected }) =>
      operations.has(operation) && (due === undefined || expected === due),
  );
  return divideByCondition(crashed, sound).map((each) => ({ ...each, due }));
}

/** The status that is expected of all; undefined if there are several. */
function dueOf(readings: readonly Reading[]): number | undefined {
  const [due, ...others] = new Set(readings.map(({ expected }) => expected));
  return others.length === 0 ? due : undefined;
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
      if (body !== undefined && contract.error?.schema.isValid(body) === true) return false;
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
  // A 404 for an item that was not stored is not a failure of the read operation.
  const isOfRead = subject.kind === 'state' && subject.facet !== 'stored';
  const isOfStatus = isOfRead
    ? /^\d{3}\b/.test(failure.expected)
    : !['body', 'header', 'state', 'concurrency', 'rate-limit'].includes(subject.kind);
  return isOfStatus && reading.expected !== undefined && !isAsExpected(reading);
}

/**
 * A status that is always replaced by another one, a refusal with the wrong status, and unchecked
 * keys.
 */
function* explainStatuses(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  // What is accepted once may be refused for another reason later: the item is there already.
  const accepted = new Set(
    symptoms.filter(({ reading }) => isServed(reading)).map(({ requirement }) => requirement),
  );
  const wrong = symptoms.filter(
    (each) => isWrongStatus(each) && (isServed(each.reading) || !accepted.has(each.requirement)),
  );
  const groups = Map.groupBy(wrong, ({ reading, requirement }) =>
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
        ? `${withVerb(operations, 'accepts', 'accept')} ${count.words}.`
        : `${withVerb(operations, 'returns', 'return')} ${response?.status} instead of ${due} ${count.words}.`,
    };
  }
}

// Items and bodies

/**
 * Malformed bodies: the same deviation is one cause wherever it occurs, and so are the missing and
 * additional members of the same responses, which have another form.
 */
function* explainBodies(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  const groups = Map.groupBy(symptoms, (each) => deviationOf(each, log));
  groups.delete(undefined);
  const joined = Map.groupBy(groups, ([deviation, some]) =>
    some.every(isOfForm)
      ? readingsOf(some)
          .map(({ exchange }) => exchange.index)
          .join(' ')
      : deviation,
  );
  for (const some of joined.values()) {
    const own = some.flatMap(([, each]) => each);
    const firsts = some.flatMap(([, [first]]) => first ?? []);
    const readings = readingsOf(own);
    const said = firsts.map((each) => formOf(each.reading, log) ?? describeDeviation(each));
    const count = countResponses(readings, log);
    yield {
      kind: 'body',
      symptoms: own,
      ...count,
      sentence: `${capitalise(count.words)} ${readings.length === 1 ? 'differs' : 'differ'} from the document: ${listWords(said)}.`,
    };
  }
}

/**
 * What is wrong with the form of a response, independent of the operation; undefined for other
 * failures.
 */
function deviationOf(symptom: Symptom, log: Log): string | undefined {
  const { requirement, found, reading } = symptom;
  const { subject } = requirement;
  if (subject.kind === 'header') return `header ${subject.name}`;
  if (subject.kind !== 'body') return undefined;
  const form = formOf(reading, log);
  if (form !== undefined) return form;
  if (subject.part === 'content-type') return `content type ${found.received}`;
  if (/ must be (a number|an integer), not the string "-?\d+"$/.test(found.expected))
    return 'numbers are strings';
  const { at = '', rule = '' } = found;
  const path = memberPath(at).filter((step) => step !== '[]');
  const place = rule.replace(/(required|additionalProperties)$/, `properties/${path.at(-1)}`);
  const [schema] = /^#\/components\/(.*\/properties\/[^/]+|\w+\/[^/]+)/.exec(place) ?? [];
  // The same member in several places; operations may also have their own schemas of an item.
  return schema ?? `${path.join('.')} ${rule.split('/').at(-1)}`;
}

/** Whether members are missing or additional, or the failure is not about a schema. */
function isOfForm({ found: { rule } }: Symptom): boolean {
  return rule === undefined || /\/(required|additionalProperties)$/.test(rule);
}

/** What is wrong with a response, in words that follow `differs from the document:`. */
function describeDeviation({ found: { expected, received, at = '', rule } }: Symptom): string {
  if (rule === undefined || at === '' || !expected.startsWith(at)) {
    const isClear = expected.includes(' must be ');
    return isClear ? expected : `expected ${expected}, received ${cutText(received)}`;
  }
  const name = `\`${memberPath(at).join('.').replaceAll('.[]', '[]')}\``;
  const said = expected.slice(at.length);
  return `${said === ' is required' ? `without ${name}` : `${name}${said}`} (${rule})`;
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
function wrapperOf({ documented, body }: Reading, log: Log): string | undefined {
  if (!isJsonObject(body)) return undefined;
  const schema =
    documented?.content.find((each) => each.schema)?.schema ?? log.contract.error?.schema;
  const isOwn = (name: string): boolean => schema?.shape().properties.has(name) === true;
  // Any object may match a schema without required members.
  if (schema === undefined || Object.keys(body).some(isOwn)) return undefined;
  return Object.entries(body).find(
    ([, value]) =>
      value !== undefined && (isJsonObject(value) || isJsonArray(value)) && schema.isValid(value),
  )?.[0];
}

/** A failure in two sentences: the requirement that is broken, and what was expected and received. */
export function describeFailure(
  { sentence }: Pick<Requirement, 'sentence'>,
  { expected, received }: Pick<Failure, 'expected' | 'received'>,
): string {
  return `Broken: ${cutText(sentence, 200)} Expected ${cutText(expected, 40)}, received ${cutText(received)}.`;
}

/**
 * Failures that no rule explains: one cause per requirement, with others that fail for the same
 * reason.
 */
export function* explainRemaining(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  const groups = Map.groupBy(symptoms, (each) => aspectOf(each, log));
  for (const own of groups.values()) {
    const lead =
      own.find(({ requirement: { id } }) => /\/(rate-limit\.exceeded|state\.id-\w+)$/.test(id)) ??
      own.find(isAcceptance) ??
      own[0];
    if (lead === undefined) continue;
    const { requirement, failure, reading } = lead;
    const readings = readingsOf(own);
    const accepting = withVerb(operationsOf(readings), 'accepts', 'accept');
    const way = failure.expected.replace(/^\d+, because /, '');
    yield {
      kind: 'requirement',
      symptoms: own,
      lead,
      ...countResponses(readings, log),
      sentence: isAcceptance(lead)
        ? `${accepting} ${countOf(readings.length, 'request')} that should get ${reading.expected}, such as one in which ${way}.`
        : describeFailure(requirement, failure),
    };
  }
}

/** A request with an invalid body was accepted. */
function isAcceptance({ requirement: { subject }, reading }: Symptom): boolean {
  return subject.kind === 'request' && isServed(reading) && (reading.expected ?? 0) >= 400;
}

/**
 * What failures with the same cause have in common: a count of requests or items, ids, a header, a
 * member that is sent, or the items of an operation. Any other failure stands for its own
 * requirement.
 */
function aspectOf({ requirement, reading }: Symptom, { contract }: Log): string {
  const { subject, id, operation } = requirement;
  const facet = 'facet' in subject ? subject.facet : '';
  if (subject.kind === 'header') return `header ${subject.name.toLowerCase()}`;
  if (subject.kind === 'request') {
    const sent = reading.operation && resourceOf(contract.resources, reading.operation);
    const place = facet === 'additional' ? facet : renderPointer(subject.path) || facet;
    return `sent ${sent?.list.id ?? operation} ${place} ${reading.expected}`;
  }
  if (subject.kind === 'rate-limit') {
    const { headers } = contract.rateLimit ?? {};
    if (facet === 'remaining-within-limit') return `header ${headers?.limit.toLowerCase()}`;
    if (/^(exceeded|remaining-|returns)/.test(facet)) return 'quota';
    return `header ${headers && headersOfFacet(subject.facet, headers)[0]?.toLowerCase()}`;
  }
  if (/^(listed|filled|bound)$/.test(facet) || id.endsWith('concurrency.stored'))
    return `number ${reading.exchange.request.operation}`;
  if (/^(id-unique|id-assigned|id-kept|distinct)$/.test(facet)) return 'identity';
  if (/^(echo|spaces|unique)$/.test(facet)) return `returned ${operation}`;
  return subject.kind === 'state' && facet !== 'not-written' ? `${facet} ${operation}` : id;
}

function facetOf({ requirement: { subject } }: Symptom) {
  return subject.kind === 'rate-limit' ? subject.facet : undefined;
}
