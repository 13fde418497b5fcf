import { isJsonArray, isJsonObject, isNumeric, type JsonValue } from '../../contract/json/value.ts';
import type { RateLimitHeaderNames } from '../../contract/openapi/rate-limit.ts';
import { headerOf } from '../../conformance/index.ts';
import { countOf } from '../../page/view/count.ts';
import { showLine } from '../../page/view/visible.ts';
import { describeCredential, noResponseWords } from '../model/exchange-line.ts';
import { headersOfFacet } from '../model/failure.ts';
import {
  classify,
  cutText,
  listWords,
  groupByReadings,
  isAsExpected,
  isCrash,
  isServed,
  isWriting,
  mediaTypeOf,
  operationsOf,
  readingsOf,
  type Log,
  type Reading,
  type Symptom,
} from './reading.ts';
import type { CauseOutcome, Claim, Count, Scope } from './fact.ts';
import { explainValues } from './values.ts';

/** Finds causes among the symptoms that no rule before it has explained. */
type Rule = (symptoms: readonly Symptom[], log: Log) => readonly Claim[];

/** The deepest first: each explains what those before it have left. */
export const rules: readonly Rule[] = [
  explainConstantResponse,
  explainConstantStatus,
  explainFixedResponses,
  explainMissingHeaders,
  explainCrashes,
  explainForeign,
  explainLimit,
  explainStatuses,
  explainValues,
  explainItems,
  explainBodies,
  explainRest,
];

// Scopes and words

function due(status: number): Scope {
  return {
    noun: 'request',
    ...(status < 300 ? { before: 'valid ' } : { after: ` that should get ${status}` }),
    holds: ({ expected }) => expected === status,
  };
}

/** Responses below 500, the most general first. */
const anyResponse: Scope = { noun: 'response', holds: (each) => !isCrash(each) };
const errorResponses: Scope = {
  noun: 'response',
  before: 'error ',
  holds: (each) => !isCrash(each) && (each.response?.status ?? 0) >= 400,
};
const successes: Scope = { noun: 'response', before: 'successful ', holds: isServed };

function responsesWith(status: number | undefined): Scope {
  const after = ` with ${status}`;
  return { noun: 'response', after, holds: ({ response }) => response?.status === status };
}

/** The operations with their verb: `createPet fails`, `createPet and getPet fail`. */
function operationsDo({ operations }: Count, one: string, many: string): string {
  return `${listWords(operations)} ${operations.length === 1 ? one : many}`;
}

/** `3 of 7 responses`, `all 3 responses`, `1 response`. */
function countResponses({ seen, of }: Count): string {
  if (seen !== of) return `${seen} of ${countOf(of, 'response')}`;
  return seen === 1 ? '1 response' : `all ${seen} responses`;
}

/** The requests in words: `for all 3 requests with limit=100, and for no other valid request`. */
function countRequests(
  { condition, among }: Pick<Claim, 'condition' | 'among'>,
  { seen, of, elsewhere, others }: Count,
  preposition = '',
): string {
  const { before = '', after = '' } = among ?? {};
  const noun = `${condition === undefined ? before : ''}request${of === 1 ? '' : 's'}`;
  const number = of === 1 ? 'the only' : seen === of ? `all ${seen}` : `${seen} of ${of}`;
  const some = `${preposition}${number} ${noun}`;
  if (condition === undefined) return `${some}${after}`;
  const rest =
    elsewhere === 0
      ? `no other ${before}request${after}`
      : `${elsewhere} of ${countOf(others, 'other request')}`;
  return `${some} ${condition}, and ${preposition}${rest}`;
}

function capitalise(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** A body in a few words: `no body`, `the HTML page "502 Bad Gateway"`, `JSON with `detail``. */
function describeForm({ response, body }: Reading): string {
  if (response === undefined || response.body === '') return 'no body';
  if (isJsonObject(body)) {
    const names = Object.keys(body).slice(0, 6);
    return `JSON with ${names.map((name) => `\`${name}\``).join(', ') || 'no members'}`;
  }
  if (body !== undefined) return 'JSON with another structure';
  const type = mediaTypeOf(response);
  if (!/<html|<!doctype/i.test(response.body))
    return type === '' ? 'text' : `text with the type ${type}`;
  const title = /<title>([^<]{1,80})/i.exec(response.body)?.[1]?.trim() ?? '';
  return title === '' ? 'an HTML page' : `the HTML page "${title}"`;
}

/** What came back: no response, served where it had to be refused, or its status. */
function outcomeOf({ response, exchange, expected = 0 }: Reading): CauseOutcome {
  if (response === undefined) {
    const { outcome } = exchange;
    const reason = outcome.kind === 'no-response' ? outcome.error.reason : 'unreachable';
    return { kind: 'no-response', reason };
  }
  const { status } = response;
  return status < 300 && expected >= 300 ? { kind: 'served' } : { kind: 'status', status };
}

export function showsOutcome(outcome: CauseOutcome): (reading: Reading) => boolean {
  if (outcome.kind === 'served') return isServed;
  if (outcome.kind === 'status') return ({ response }) => response?.status === outcome.status;
  return ({ exchange: { outcome: own } }) =>
    own.kind === 'no-response' && own.error.reason === outcome.reason;
}

function describeOutcome(outcome: CauseOutcome): string {
  if (outcome.kind === 'status') return `${outcome.status}`;
  const words = noResponseWords(outcome.kind === 'no-response' ? outcome.reason : '');
  return words.startsWith('no response: ') ? `${words.replace(': ', ' (')})` : words;
}

// A service that gives the same response to everything

/** Fewest different requests that show that nothing of a request matters to the whole service. */
const fewestRequests = 5;

/** The share of responses from which on they are called all the same. */
const nearlyAll = 0.95;

function textOf({ response }: Reading): string {
  return `${response?.status} ${response?.body}`;
}

function explainConstantResponse(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const [same = []] = [...Map.groupBy(log.answered, textOf).values()].toSorted(
    (one, other) => other.length - one.length,
  );
  const response = same[0]?.response;
  const isConstant =
    same.length >= log.answered.length * nearlyAll &&
    countDistinct(same) >= fewestRequests &&
    operationsOf(same).length > 1;
  if (!isConstant || !response || response.status === log.contract.rateLimit?.status) return [];
  const { status, body } = response;
  const shown = `${status} ${body === '' ? 'without a body' : cutText(showLine(body))}`;
  return [
    {
      kind: 'constant-response',
      operations: [],
      among: anyResponse,
      isSeen: (each) => textOf(each) === `${status} ${body}`,
      sentence: (count) =>
        `${capitalise(countResponses(count))} are ${shown}, whatever the request is.`,
      symptoms: symptoms.filter(({ reading }) => same.includes(reading)),
    },
  ];
}

/** All responses, or all errors, have one status, though several are due. */
function explainConstantStatus(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  return [anyResponse, errorResponses].flatMap((among): readonly Claim[] => {
    const readings = log.answered.filter(among.holds);
    const [status, ...others] = new Set(readings.map(({ response }) => response?.status));
    const wanted = new Set(readings.map(({ expected }) => expected));
    const isSpread =
      wanted.difference(new Set([undefined, status])).size > 1 && operationsOf(readings).length > 1;
    const own = symptoms.filter(
      ({ reading }) => readings.includes(reading) && reading.expected !== status,
    );
    if (status === undefined || others.length > 0 || !isSpread || !own.some(isWrongStatus))
      return [];
    return [
      {
        kind: 'constant-status',
        operations: [],
        among,
        outcome: { kind: 'status', status },
        sentence: ({ seen }) =>
          `All ${seen} ${among.before ?? ''}responses have the status ${status}, whatever is expected.`,
        symptoms: own,
        leads: isWrongStatus,
      },
    ];
  });
}

/** Operations with one response whatever they are sent, as from examples: nothing is stored. */
function explainFixedResponses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const served = Map.groupBy(log.answered.filter(isServed), ({ operation }) => operation);
  // Three requests show it for one operation; then two are enough for the others.
  if (!served.values().some((readings) => isFixed(readings, 3))) return [];
  return [
    {
      kind: 'fixed-response',
      among: successes,
      sentence: (count) =>
        `${operationsDo(count, 'returns', 'return')} the same response whatever the request is, as from an example: ${countResponses(count)}.`,
      symptoms: symptoms.filter(
        ({ requirement: { subject }, reading }) =>
          isServed(reading) &&
          isFixed(served.get(reading.operation) ?? [], 2) &&
          ['state', 'status', 'concurrency', 'parameter'].includes(subject.kind),
      ),
    },
  ];
}

function isFixed(readings: readonly Reading[], fewest: number): boolean {
  return (
    countDistinct(readings) >= fewest &&
    new Set(readings.map(({ response }) => response?.body)).size === 1 &&
    readings.some(isAsExpected)
  );
}

function countDistinct(readings: readonly Reading[]): number {
  const requests = readings.map(({ exchange: { request } }) => request);
  return new Set(requests.map(({ method, target, body }) => `${method} ${target} ${body}`)).size;
}

// Headers

/**
 * Headers that the same responses lack are one cause. What a crash or somebody else's response lacks
 * belongs to those, unless the service's own responses lack it too.
 */
function explainMissingHeaders(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const { limit, remaining, reset } = log.contract.rateLimit?.headers ?? {};
  const lackedBy = ({ requirement: { subject }, reading: { response } }: Symptom) => {
    const names =
      subject.kind === 'header'
        ? [subject.name]
        : subject.kind === 'rate-limit' && subject.facet === 'headers'
          ? [limit, remaining, reset]
          : [];
    return names.filter((name) => name !== undefined && response && !headerOf(response, name));
  };
  const own = symptoms.filter(({ reading }) => !isCrash(reading) && !isForeign(reading, log));
  const names = new Set(own.flatMap(lackedBy));
  const byName = [...names].map(
    (name) => [name, symptoms.filter((each) => lackedBy(each).includes(name))] as const,
  );
  const claimed = new Set<Symptom>();
  return groupByReadings(byName, ([, some]) => some).flatMap((group): readonly Claim[] => {
    const lacked = group.flatMap(([name = '']) => name);
    const some = [...new Set(group.flatMap(([, each]) => each)).difference(claimed)];
    for (const each of some) claimed.add(each);
    if (some.length === 0) return [];
    const isSeen = ({ response }: Reading): boolean =>
      response !== undefined && lacked.every((name) => headerOf(response, name) === undefined);
    const scope = narrowestScope(readingsOf(some), isSeen, log);
    return [{ kind: 'missing-header', ...scope, isSeen, sentence: describeLack, symptoms: some }];

    function describeLack({ seen, of, operations }: Count): string {
      const { before = '', after = '' } = scope.among;
      const from = operations.length === 0 ? '' : ` from ${listWords(operations)}`;
      const places = `${before}responses${after}${from}`;
      return seen === of && seen > 1
        ? `None of ${seen} ${places} have ${listWords(lacked, 'or')}.`
        : `${seen} of ${of} ${places} ${seen === 1 ? 'has' : 'have'} no ${listWords(lacked, 'or')}.`;
    }
  });
}

/** The widest kind of responses that all show something; where none does, all of the operations. */
function narrowestScope(
  readings: readonly Reading[],
  isSeen: (reading: Reading) => boolean,
  log: Log,
) {
  const own = operationsOf(readings);
  const [status, ...others] = new Set(readings.map(({ response }) => response?.status));
  const scopes = [anyResponse, errorResponses, successes];
  if (others.length === 0) scopes.push(responsesWith(status));
  for (const operations of [[], own])
    for (const among of scopes) {
      const within = log.answered.filter(
        (each) =>
          (operations.length === 0 || operations.includes(each.exchange.request.operation)) &&
          among.holds(each),
      );
      if (within.every(isSeen) && readings.every((each) => within.includes(each) || isCrash(each)))
        return { operations, among };
    }
  return { operations: own, among: anyResponse };
}

/**
 * A limit that is not enforced, and what its headers count wrong then; else what is wrong with the
 * values of one header of the limit, wherever it is seen.
 */
function explainLimit(symptoms: readonly Symptom[], { contract }: Log): readonly Claim[] {
  const policy = contract.rateLimit;
  if (policy === undefined) return [];
  const claims: Claim[] = [];
  const beyond = symptoms.filter((each) => facetOf(each) === 'exceeded' && isServed(each.reading));
  const [first] = beyond;
  const counting = ['exceeded', 'remaining-counts', 'remaining-monotonic', 'returns'];
  const isUnheld = (each: Symptom): boolean =>
    first !== undefined &&
    (counting.includes(facetOf(each) ?? '') ||
      each.reading.exchange.intent.kind === 'beyond' ||
      each.reading.expected === policy.status);
  if (first !== undefined) {
    const { expected, received } = first.failure;
    claims.push({
      kind: 'unheld-limit',
      operations: [],
      isSeen: (each) => beyond.some(({ reading }) => reading === each),
      sentence: () =>
        `The rate limit is not enforced: expected ${expected}, received ${cutText(received)}.`,
      symptoms: symptoms.filter(isUnheld),
      leads: (each) => beyond.includes(each),
    });
  }
  const isLimitWrong = symptoms.some((each) => facetOf(each) === 'plan');
  const byHeader = Map.groupBy(
    symptoms.filter((each) => !isUnheld(each)),
    (each) => headerOfLimit(each, policy.headers, isLimitWrong),
  );
  for (const [name, own] of byHeader) {
    if (name === undefined) continue;
    const lead = own.find((each) => facetOf(each) === 'plan') ?? own[0];
    const { expected = '', received = '' } = lead?.failure ?? {};
    claims.push({
      kind: 'quota-header',
      operations: [],
      among: {
        noun: 'response',
        after: ` with ${name}`,
        holds: ({ response }) => response !== undefined && headerOf(response, name) !== undefined,
      },
      sentence: () => `${name} is wrong: received ${cutText(received)}, expected ${expected}.`,
      symptoms: own,
      leads: (symptom) => symptom === lead,
    });
  }
  return claims;
}

/** The header that a symptom is about; Limit, where it is wrong itself, for a count above it. */
function headerOfLimit(
  symptom: Symptom,
  headers: RateLimitHeaderNames,
  isLimitWrong: boolean,
): string | undefined {
  const { subject } = symptom.requirement;
  if (subject.kind === 'header')
    return Object.values(headers).find((name) => name.toLowerCase() === subject.name.toLowerCase());
  const facet = facetOf(symptom);
  if (facet === undefined || facet === 'headers') return undefined;
  return isLimitWrong && facet === 'remaining-within-limit'
    ? headers.limit
    : headersOfFacet(facet, headers)[0];
}

function facetOf({ requirement: { subject } }: Symptom) {
  return subject.kind === 'rate-limit' ? subject.facet : undefined;
}

// Crashes, and responses of somebody else

/** Requests that got no response or a 5xx, by what came back and what they have in common. */
function explainCrashes(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const groups = Map.groupBy(log.readings.filter(isCrash), (each) =>
    JSON.stringify(outcomeOf(each)),
  );
  return [...groups.values()].flatMap((crashed) =>
    divideCrashes(crashed, log).flatMap(({ readings, ...division }): readonly Claim[] => {
      // What the headers of the rate limit count is not of the crash.
      const own = symptoms.filter(
        (each) =>
          readings.includes(each.reading) &&
          [undefined, 'exceeded', 'headers'].includes(facetOf(each)),
      );
      const [first] = readings;
      if (first === undefined || own.length === 0) return [];
      const outcome = outcomeOf(first);
      const form = first.response === undefined ? '' : ` (${describeForm(first)})`;
      return [
        {
          kind: 'crash',
          ...division,
          outcome,
          operations: operationsOf(readings),
          sentence: (count) =>
            `${operationsDo(count, 'returns', 'return')} ${describeOutcome(outcome)}${form} ${countRequests(division, count, 'for ')}.`,
          symptoms: own,
        },
      ];
    }),
  );
}

interface Division extends Pick<Claim, 'condition' | 'meets' | 'among'> {
  readonly readings: readonly Reading[];
}

/** By the addition after which all fail; else by what their requests have in common. */
function divideCrashes(crashed: readonly Reading[], log: Log): readonly Division[] {
  const operations = new Set(crashed.map(({ operation }) => operation));
  const sound = log.readings.filter(
    (each) => operations.has(each.operation) && !crashed.includes(each),
  );
  const poison = findPoison(crashed, sound, log);
  if (poison !== undefined)
    return [
      {
        condition: `sent after request ${poison + 1}`,
        meets: ({ exchange }) => exchange.index > poison,
        readings: crashed,
      },
    ];
  const plain = classify(crashed, sound);
  const [status, ...others] = new Set(crashed.map(({ expected }) => expected));
  const among = status === undefined || others.length > 0 ? undefined : due(status);
  const byDue = among && classify(crashed, sound.filter(among.holds));
  if (byDue !== undefined && byDue.length < plain.length)
    return byDue.map((each) => ({ ...each, among }));
  return plain;
}

/**
 * The one addition between the last request that was served and the first that failed, where the same
 * request was served before. Shards have items of their own: nothing is said of them.
 */
function findPoison(
  crashed: readonly Reading[],
  sound: readonly Reading[],
  { answered, isSplit }: Log,
): number | undefined {
  const first = crashed[0]?.exchange.index ?? 0;
  const last = sound.at(-1)?.exchange.index ?? first;
  if (isSplit || isWriting(crashed[0]?.operation) || last >= first) return undefined;
  const [only, ...more] = answered.filter(
    (each) =>
      isWriting(each.operation) &&
      isServed(each) &&
      each.exchange.index > last &&
      each.exchange.index < first,
  );
  const served = new Set(sound.filter(isServed).map(targetOf));
  const isSame = crashed.some((each) => served.has(targetOf(each)));
  return more.length > 0 || !isSame ? undefined : only?.exchange.index;
}

function targetOf({ exchange: { request } }: Reading): string {
  return `${request.operation} ${request.target}`;
}

function hasQuota({ response }: Reading, { contract: { rateLimit } }: Log): boolean {
  if (rateLimit === undefined || response === undefined) return false;
  const { limit, remaining, reset } = rateLimit.headers;
  return [limit, remaining, reset].some((name) => headerOf(response, name) !== undefined);
}

/**
 * A refusal that the service itself did not write: it is not of the error shape and carries none of
 * its headers; where no response carries them, it is not JSON either.
 */
function isForeign(reading: Reading, log: Log): boolean {
  const { response, body } = reading;
  if (response === undefined || isCrash(reading) || response.status < 300) return false;
  if (hasQuota(reading, log)) return false;
  const { error } = log.contract;
  if (body !== undefined && (error?.schema.validate(body).length ?? 0) === 0) return false;
  const isOther = response.body !== '' && !/\bjson$/.test(mediaTypeOf(response));
  return isOther || log.readings.some((each) => hasQuota(each, log));
}

function makerOf({ response }: Reading): string {
  return `${response && mediaTypeOf(response)} ${response && (headerOf(response, 'server') ?? '')}`;
}

/** Errors that the service itself did not write, such as those of a proxy or a framework, by maker. */
function explainForeign(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const foreign = new Set(log.answered.filter((each) => isForeign(each, log)));
  const without = log.readings.some((each) => hasQuota(each, log))
    ? ', without the rate-limit headers'
    : '';
  return [...Map.groupBy(foreign, makerOf).values()].flatMap((readings): readonly Claim[] => {
    const own = symptoms.filter(({ reading }) => readings.includes(reading));
    const [first] = readings;
    if (own.length === 0 || first?.response === undefined) return [];
    const statuses = readings.map(({ response }) => String(response?.status)).toSorted();
    const server = headerOf(first.response, 'server');
    const made = `${describeForm(first)}${server === undefined ? '' : `, Server ${server}`}`;
    return [
      {
        kind: 'foreign-response',
        operations: [],
        among: errorResponses,
        isSeen: (each) => foreign.has(each) && makerOf(each) === makerOf(first),
        sentence: (count) =>
          `${capitalise(countResponses(count))} look${count.seen === 1 ? 's' : ''} like the output of a proxy or a framework, not of the service (${listWords(statuses)}): ${made}${without}.`,
        symptoms: own,
      },
    ];
  });
}

// Statuses

/** The response has another status than was due, and the requirement is about it. */
function isWrongStatus({
  requirement: { subject },
  failure: { expected },
  reading,
}: Symptom): boolean {
  const isOther = ['body', 'header', 'state', 'concurrency'].includes(subject.kind);
  const isQuota = subject.kind === 'rate-limit' && subject.facet !== 'exceeded';
  return (
    (!isOther || (subject.kind === 'state' && /^\d{3}\b/.test(expected))) &&
    !isQuota &&
    reading.expected !== undefined &&
    !isAsExpected(reading)
  );
}

function explainStatuses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const groups = Map.groupBy(symptoms.filter(isWrongStatus), ({ reading, requirement }) =>
    JSON.stringify([reading.expected, outcomeOf(reading), requirement.subject.kind === 'auth']),
  );
  return [...groups.values()].flatMap((group) => {
    const operations = new Set(group.map(({ reading }) => reading.operation));
    /** Every request of the same operations for which the same status is due. */
    const all = log.readings.filter(
      (each) => each.expected === group[0]?.reading.expected && operations.has(each.operation),
    );
    return explainStatus(group, all);
  });
}

function explainStatus(group: readonly Symptom[], all: readonly Reading[]): readonly Claim[] {
  const [first] = group;
  if (first === undefined) return [];
  const { expected = 0, response } = first.reading;
  const status = response?.status ?? 0;
  if (first.requirement.subject.kind === 'auth') {
    const uses = new Set(group.map(({ reading }) => reading.exchange.request.credential));
    const meets = ({ exchange }: Reading): boolean => uses.has(exchange.request.credential);
    const others = all.filter((each) => !meets(each));
    const isSetApart = others.length > 0 && !others.some(showsOutcome(outcomeOf(first.reading)));
    const condition = isSetApart ? listWords([...uses].map(describeCredential), 'or') : undefined;
    return [
      claimStatus('unchecked-key', group, { condition, meets: isSetApart ? meets : undefined }),
    ];
  }
  const isNeverRight = all.length > 1 && !all.some(isAsExpected);
  if (isNeverRight || (expected >= 400 && status >= 400))
    return [claimStatus('wrong-status', group)];
  if (expected < 300 && status >= 300)
    return classify(readingsOf(group), all.filter(isAsExpected)).flatMap(
      ({ condition, readings }) =>
        condition !== undefined && readings.length > 1
          ? [
              claimStatus(
                'refused-request',
                group.filter(({ reading }) => readings.includes(reading)),
                { condition },
              ),
            ]
          : [],
    );
  return [];
}

function claimStatus(
  kind: Claim['kind'],
  symptoms: readonly Symptom[],
  division: Pick<Claim, 'condition' | 'meets'> = {},
): Claim {
  const [first] = symptoms;
  const expected = first?.reading.expected ?? 0;
  const outcome = first && outcomeOf(first.reading);
  const said = { ...division, among: due(expected) };
  return {
    kind,
    ...said,
    outcome,
    sentence: (count) =>
      outcome?.kind === 'status'
        ? `${operationsDo(count, 'returns', 'return')} ${outcome.status} instead of ${expected} ${countRequests(said, count, 'for ')}.`
        : `${operationsDo(count, 'accepts', 'accept')} ${countRequests(said, count)}.`,
    symptoms,
  };
}

// Items and bodies

/** Facets of items that are lost, or too many; filters and refused additions are causes of their own. */
const ofNumber = /^(listed|stored|filled|bound)$/;
const ofOne = /^(filter|not-written)$/;
const ofIdentity = /^(id-unique|id-assigned|unique|distinct)$/;

/** What a symptom has in common with others of its cause. */
function tiesOf({ requirement, reading, others }: Symptom): ReadonlySet<string> {
  const { subject, id } = requirement;
  const facet = 'facet' in subject ? subject.facet : '';
  if (ofOne.test(facet)) return new Set([id]);
  const kind = ofNumber.test(facet) ? 'number' : 'mixed up';
  const isOfOperation = kind === 'number' || ofIdentity.test(facet);
  return new Set([
    ...[reading, ...others].map(({ exchange }) => `${kind} ${exchange.index}`),
    `${kind} ${isOfOperation ? reading.exchange.request.operation : id}`,
  ]);
}

/**
 * Items that are lost, mixed up, or shown where others were asked for. Requirements are one cause if
 * the same is wrong in the same exchange, in exchanges that contradict the same one, or in one operation.
 */
function explainItems(symptoms: readonly Symptom[]): readonly Claim[] {
  const groups: { readonly ties: ReadonlySet<string>; readonly own: Symptom[] }[] = [];
  for (const symptom of symptoms) {
    const { subject } = symptom.requirement;
    if (!['state', 'concurrency', 'parameter'].includes(subject.kind) || isWrongStatus(symptom))
      continue;
    let [ties, own] = [tiesOf(symptom), [symptom]];
    for (const group of groups.filter((each) => !each.ties.isDisjointFrom(ties))) {
      ties = ties.union(group.ties);
      own = [...group.own, ...own];
      groups.splice(groups.indexOf(group), 1);
    }
    groups.push({ ties, own });
  }
  return groups
    .filter(({ own }) => new Set(own.map(({ requirement }) => requirement)).size > 1)
    .map(({ own }) => ({
      kind: 'wrong-items',
      among: readingsOf(own).every(isServed) ? successes : anyResponse,
      sentence: (count) =>
        `${operationsDo(count, 'does', 'do')} not return the expected items: ${countResponses(count)}.`,
      symptoms: own,
    }));
}

/** Bodies of another form: a deviation is one cause wherever it is, those of the same responses are one together. */
function explainBodies(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const byDeviation = Map.groupBy(withoutEffects(symptoms), (each) => {
    const deviation = deviationOf(each);
    if (deviation === undefined || each.requirement.subject.kind === 'header') return deviation;
    return formOf(each.reading, log) ?? deviation;
  });
  byDeviation.delete(undefined);
  return groupByReadings(byDeviation, ([, own]) => own).map((group): Claim => {
    const own = group.flatMap(([, some]) => some);
    const readings = readingsOf(own);
    const among = [successes, errorResponses].find(({ holds }) => readings.every(holds));
    const said = describeDeviation(
      group.map(([deviation = '']) => deviation),
      own,
    );
    return {
      kind: 'body',
      among: among ?? anyResponse,
      sentence: (count) =>
        `${capitalise(countResponses(count))} from ${listWords(count.operations)} ${count.seen === 1 ? 'differs' : 'differ'} from the document: ${said}.`,
      symptoms: own,
    };
  });
}

/** What is wrong with the form of a response, whatever the operation; undefined for other symptoms. */
function deviationOf({ requirement: { subject }, failure, reading }: Symptom): string | undefined {
  if (subject.kind === 'header') return `header ${subject.name}`;
  if (subject.kind !== 'body') return undefined;
  if (subject.part === 'content-type') return `content type ${failure.received}`;
  if (subject.part === 'error') return subject.facet;
  const path = subject.part === 'member' ? subject.path.filter((step) => step !== '[]') : [];
  if (subject.part === 'member' && path.length > 0)
    return subject.facet === 'type'
      ? failure.expected.replace(/^\S+ /, '').replace(/(a number|the string|an?|not) .*$/, '$1')
      : `${path.join('.')} ${subject.facet}`;
  // How a body begins that is wrong as a whole: alike where the same is done to it.
  const { response, body } = reading;
  const [first = 'nothing'] = response?.body.trimStart() ?? '';
  const start = /[\p{L}\d-]/u.test(first) ? 'word' : first;
  return `body ${start} ${body === undefined ? 'text' : body === null ? 'null' : typeof body}`;
}

/** What is done to a body as a whole, and so to every member of it; undefined where nothing is seen. */
function formOf(reading: Reading, log: Log): string | undefined {
  const { response, body } = reading;
  if (response === undefined) return undefined;
  const mediaType = mediaTypeOf(response);
  if (!/\bjson$/.test(mediaType) && response.body !== '') return `content type ${mediaType}`;
  if (!response.utf8 || (body === undefined && response.body !== '')) return 'not JSON in UTF-8';
  const wrapper = wrapperOf(reading, log);
  if (wrapper !== undefined) return `everything is inside \`${wrapper}\``;
  return body !== undefined && isNumberless(body) ? numberless : undefined;
}

const numberless = 'numbers are written as strings';

/** Whether a body has no number but a string that looks like one. */
function isNumberless(body: JsonValue): boolean {
  const leaves = [...leavesOf(body)];
  return (
    leaves.some((leaf) => typeof leaf === 'string' && /^-?\d+(\.\d+)?$/.test(leaf)) &&
    !leaves.some(isNumeric)
  );
}

function leavesOf(value: JsonValue): readonly JsonValue[] {
  if (isJsonArray(value)) return value.flatMap(leavesOf);
  if (!isJsonObject(value)) return [value];
  return Object.values(value).flatMap((each) => (each === undefined ? [] : leavesOf(each)));
}

/** The member that is by itself what the body has to be. */
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

function describeDeviation(deviations: readonly string[], symptoms: readonly Symptom[]): string {
  const missing = deviations.flatMap((each) => /^(\S+) required$/.exec(each)?.[1] ?? []);
  if (missing.length === deviations.length)
    return `${listWords(missing.map((name) => `\`${name}\``))} ${missing.length === 1 ? 'is' : 'are'} missing`;
  const [deviation = ''] = deviations;
  if (deviation.startsWith('everything is inside') || deviation === numberless) return deviation;
  const { expected = '', received = '' } = symptoms[0]?.failure ?? {};
  return /^(\/|the body )/.test(expected)
    ? expected
    : `expected ${expected}, received ${cutText(received)}`;
}

/** What no rule explains further: each requirement is a cause of its own. */
export function explainRest(symptoms: readonly Symptom[]): readonly Claim[] {
  return [...Map.groupBy(withoutEffects(symptoms), ({ requirement }) => requirement)].map(
    ([{ sentence }, own]) => ({
      kind: 'requirement',
      sentence: ({ seen }) => `Not true for ${countOf(seen, 'request')}: ${sentence}`,
      symptoms: own,
    }),
  );
}

/** Those that follow from none of the others. */
function withoutEffects(symptoms: readonly Symptom[]): readonly Symptom[] {
  const ids = new Set(
    symptoms.filter((each) => each.because === undefined).map(({ requirement }) => requirement.id),
  );
  return symptoms.filter(({ because }) => because === undefined || !ids.has(because));
}
