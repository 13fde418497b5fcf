import {
  cutReason,
  listFaults,
  readJson,
  readTexts,
  redactedKey,
  type RequestFault,
} from '../conformance/index.ts';
import { type JsonValue, isJsonArray, isJsonObject } from '../contract/json/value.ts';
import { type Credential, renderCredential } from '../contract/openapi/credential.ts';
import type { Operation } from '../contract/openapi/operation.ts';
import {
  type Entry,
  type Evidence,
  entriesByKey,
  isLost,
  isSameRequest,
  isSuccess,
  knowledgeOf,
  knows,
  nameRequest,
  wantsKey,
} from './evidence.ts';
import { type ClientEnd, isGoodEnd } from './log.ts';
import {
  type RuleFinding,
  type RuleId,
  doubtful,
  failed,
  limits,
  notTested,
  passed,
} from './rule.ts';

/** The key is sent with every request that wants it. */
export function* judgeKey({ entries, log }: Evidence): Generator<RuleFinding> {
  const rule = 'client/auth.key';
  for (const entry of entries) {
    const { operation, index } = entry;
    const { credential } = entry.request;
    if (operation === undefined || !wantsKey(operation)) continue;
    if (credential === 'valid') {
      if (log.source === 'scenarios') yield passed(rule, index);
      continue;
    }
    const wrong =
      credential === 'other-scheme' ? 'a key in another form' : 'another key than its own';
    const received = `${nameRequest(entry)} with ${credential === 'missing' ? 'no key' : wrong}`;
    yield failed(rule, index, [], 'the key of the client', received);
  }
  if (log.source === 'journal')
    yield notTested(
      rule,
      'requests without a valid key are in the journal of main, whoever sent them',
    );
}

/** The key is sent nowhere else. */
export function* judgeKeyElsewhere({ contract, entries, log }: Evidence): Generator<RuleFinding> {
  const rule = 'client/auth.key-elsewhere';
  const credential = contract.operations.find(wantsKey)?.credential;
  if (credential === undefined) return;
  for (const entry of entries) {
    const places = findKey(entry, credential);
    const received = `the key in ${places.join(' and ')}`;
    // A journal names the sandbox of a key without a plan by it: it may be a plain word or number.
    const isWord = /^(?:[a-z]+|\d+)\/$/i.test(entry.intent.key ?? '');
    if (places.length > 0 && log.source === 'journal' && isWord) {
      const reason = `request ${entry.index} contains its key in ${places.join(' and ')}, possibly by chance`;
      yield { kind: 'doubtful', rule, reason };
    } else if (places.length > 0)
      yield failed(rule, entry.index, [], 'the key in its place only', received);
    else if (log.source === 'scenarios') yield passed(rule, entry.index);
  }
  if (log.source === 'journal') yield notTested(rule, 'a journal does not store headers');
}

/** Where a request has the key besides its place. */
function findKey(
  { request: { target, headers, body } }: Entry,
  credential: Credential,
): readonly string[] {
  const field = renderCredential(credential, '');
  const isPlace = (place: 'header' | 'query', name: string): boolean =>
    field?.in === 'cookie'
      ? place === 'header' && name.toLowerCase() === 'cookie'
      : field?.in === place && name.toLowerCase() === field.name.toLowerCase();
  const [path = '', query = ''] = target.split('?');
  const others = query.split('&').filter((member) => !isPlace('query', member.split('=')[0] ?? ''));
  return [
    ...(path.includes(redactedKey) ? ['the path'] : []),
    ...(others.some((member) => member.includes(redactedKey)) ? ['the query'] : []),
    ...headers
      .filter(([name, value]) => !isPlace('header', name) && (name + value).includes(redactedKey))
      .map(([name]) => `the header ${name}`),
    ...(body?.includes(redactedKey) ? ['the body'] : []),
  ];
}

/** A key that is refused is not tried for ever. */
export function* judgeRefusedKey(evidence: Evidence): Generator<RuleFinding> {
  const rule = 'client/auth.refused-key';
  for (const { known, unclear } of entriesByKey(evidence).flatMap(listRefusals)) {
    const [first, last, soon] = [known[0], known.at(-1), unclear[0]];
    if (first === undefined || last === undefined) continue;
    if (known.length > limits.refusedKey) {
      const expected = `at most ${limits.refusedKey} requests in a row with a key that gets a 401`;
      yield failed(rule, last.index, [first.index], expected, `${known.length} of them`);
    } else if (soon !== undefined && known.length + unclear.length > limits.refusedKey)
      yield doubtful(rule, soon.index, first.index);
    else yield passed(rule, last.index);
  }
}

/** Requests with a key answered 401, no other in between. */
interface Refusals {
  /** Each was sent after the 401 before it. */
  readonly known: Entry[];
  /** Of these nobody can say that. */
  readonly unclear: Entry[];
}

function listRefusals(entries: readonly Entry[]): readonly Refusals[] {
  const all: Refusals[] = [];
  let series: Refusals = { known: [], unclear: [] };
  for (const entry of entries) {
    const before = series.known.at(-1);
    const knowledge = before === undefined ? 'known' : knowledgeOf(entry, before);
    if (entry.response?.status !== 401) {
      if (knowledge === 'known') series = { known: [], unclear: [] };
    } else if (knowledge === 'known') {
      if (before === undefined) all.push(series);
      series.known.push(entry);
    } else if (knowledge === 'doubtful') series.unclear.push(entry);
  }
  return all;
}

/** Every request fits the document, as far as the document speaks of it. */
export function* judgeValid({ contract, entries, log }: Evidence): Generator<RuleFinding> {
  const rule = 'client/request.valid';
  for (const entry of entries) {
    const { operation, index, intent } = entry;
    if (operation === undefined || !intent.isWhole) continue;
    // Where the key is in a value, nobody can say what it is without.
    if (isCut(entry, operation)) {
      yield { kind: 'doubtful', rule, reason: `request ${index}: ${cutReason}` };
      continue;
    }
    const hasHeaders = log.source === 'scenarios';
    const parameters = operation.parameters.filter(
      ({ in: place }) =>
        (hasHeaders && place !== 'querystring') || place === 'query' || place === 'path',
    );
    const faults = [
      ...listFaults(contract, { ...operation, parameters }, readRequest(entry, operation)),
    ];
    const fault = faults.find(({ isUndecided }) => isUndecided !== true);
    const [doubt] = faults;
    if (fault !== undefined) yield describeFault(entry, fault);
    else if (doubt === undefined) yield passed(rule, index);
    else {
      const reason = `request ${index} was not fully judged: its ${doubt.part} ${doubt.reason}`;
      yield { kind: 'doubtful', rule, reason, isUndecided: true };
    }
  }
}

function isCut({ texts, request }: Entry, { parameters }: Operation): boolean {
  return [
    ...parameters.flatMap((parameter) => readTexts(texts, parameter)),
    ...texts.query.keys(),
    request.body ?? '',
  ].some((text) => text.includes(redactedKey));
}

/** A journal has no headers: the mock has judged the media type, and the bytes of the text. */
function readRequest({ texts, request, intent }: Entry, { requestBody }: Operation) {
  const { body = '' } = request;
  const isTyped = texts.headers.some(([name]) => name.toLowerCase() === 'content-type');
  const isRefused = intent.refusal?.reason === 'unsupported_media_type';
  const usual = isRefused ? 'another media type' : (requestBody?.content[0]?.mediaType ?? '');
  return {
    ...texts,
    headers: isTyped ? texts.headers : [...texts.headers, ['content-type', usual] as const],
    body: { text: body, utf8: intent.refusal?.reason !== 'malformed_body' },
  };
}

function describeFault(entry: Entry, { part, at, reason }: RequestFault): RuleFinding {
  const found = entry.operation?.parameters.find(
    (parameter) => part === `${parameter.in} parameter ${parameter.name}`,
  );
  const texts = found === undefined ? [] : readTexts(entry.texts, found);
  const isMissing = reason === 'is missing';
  const where = at === '' ? `the ${part}` : `a ${part} in which ${at}`;
  const received = isMissing
    ? `${nameRequest(entry)} without it`
    : found === undefined
      ? (entry.request.body ?? '')
      : `${nameRequest(entry)}, where it is ${texts.map((text) => `"${text}"`).join(' and ')}`;
  const expected = isMissing ? `the ${part}` : `${where} ${reason}`;
  return failed('client/request.valid', entry.index, [], expected, received);
}

/** What was answered 400 is not sent again. */
export function* judgeRefusedAgain({ entries }: Evidence): Generator<RuleFinding> {
  const rule = 'client/request.refused-again';
  for (const [at, entry] of entries.entries()) {
    if (entry.response?.status !== 400 || !entry.intent.isWhole) continue;
    const alike = entries
      .slice(at + 1)
      .filter((later) => isOfSameClient(later, entry) && isSameRequest(later, entry));
    const again = alike.find((later) => knows(later, entry));
    const soon = alike.find((later) => knowledgeOf(later, entry) === 'doubtful');
    if (again !== undefined) {
      const received = `${nameRequest(again)} again, unchanged`;
      yield failed(rule, again.index, [entry.index], 'another request, or none', received);
    } else if (soon !== undefined) yield doubtful(rule, soon.index, entry.index);
    else yield passed(rule, entry.index);
  }
}

/** What may have been done is not blindly repeated (RFC 9110 section 9.2.2). */
export function* judgeRepeated({ entries }: Evidence): Generator<RuleFinding> {
  const rule = 'client/request.repeated';
  const counted = new Set<Entry>();
  for (const [at, entry] of entries.entries()) {
    const { method } = entry.request;
    if (!['POST', 'PATCH'].includes(method) || !isLost(entry) || counted.has(entry)) continue;
    const later = entries.slice(at + 1).filter((each) => isOfSameClient(each, entry));
    const look = later.findIndex(({ request }) => request.method === 'GET');
    const again = later
      .slice(0, look === -1 ? undefined : look)
      .filter((each) => isSameRequest(each, entry));
    for (const each of again) counted.add(each);
    const last = again.at(-1);
    if (again.length <= limits.repeats || last === undefined)
      yield passed(rule, last?.index ?? entry.index);
    else {
      const expected = `at most ${limits.repeats} repetition before a GET that shows what happened`;
      const received = `${again.length} repetitions of ${nameRequest(entry)}`;
      yield failed(rule, last.index, [entry.index], expected, received);
    }
  }
}

function isOfSameClient(a: Entry, b: Entry): boolean {
  return a.intent.scenario === b.intent.scenario && a.intent.key === b.intent.key;
}

/** Integers that a client got come back to the digit, also where no double holds them. */
export function* judgeIntegers({ contract, entries, log }: Evidence): Generator<RuleFinding> {
  const rule = 'client/integer.exact';
  if (log.source === 'journal') return yield notTested(rule, 'a journal does not store responses');
  if (contract.resources.length === 0) return;
  const gotIn = new Map<string, Map<bigint, Entry>>();
  for (const entry of entries) {
    const got = gotIn.get(entry.intent.scenario) ?? new Map<bigint, Entry>();
    gotIn.set(entry.intent.scenario, got);
    for (const sent of listSentIntegers(entry).filter(isLarge)) {
      const [exact, from] = [...got].find(([integer]) => isRounded(sent, integer)) ?? [];
      if (got.has(sent)) yield passed(rule, entry.index);
      else if (from !== undefined)
        yield failed(rule, entry.index, [from.index], String(exact), String(sent));
    }
    if (isSuccess(entry))
      for (const integer of listIntegers(readJson(entry.response?.body)).filter(isLarge))
        if (!got.has(integer)) got.set(integer, entry);
  }
}

/** The integers of a request, in path, query and body, in any form, such as `9.007199254740992e15`. */
export function listSentIntegers({ operation, texts, request }: Entry): readonly bigint[] {
  const values = (operation?.parameters ?? []).flatMap((parameter) =>
    readTexts(texts, parameter).map((text) => readJson(text)),
  );
  return [...values, readJson(request.body)].flatMap(listIntegers);
}

function listIntegers(value: JsonValue | undefined): readonly bigint[] {
  if (typeof value === 'bigint') return [value];
  if (typeof value === 'number') return Number.isInteger(value) ? [BigInt(value)] : [];
  if (isJsonArray(value)) return value.flatMap(listIntegers);
  return isJsonObject(value) ? Object.values(value).flatMap(listIntegers) : [];
}

function isLarge(integer: bigint): boolean {
  return !Number.isSafeInteger(Number(integer));
}

/** Digits that languages print of a double by default. */
const precisions = [6, 12, 14, 15, 16, 17];

/** Whether rounding makes it of an integer: the same double, nearest single, or fewer digits. */
function isRounded(number: bigint, integer: bigint): boolean {
  const [rounded, double] = [Number(number), Number(integer)];
  return (
    rounded === double ||
    rounded === Math.fround(double) ||
    precisions.some((digits) => rounded === Number(double.toPrecision(digits)))
  );
}

/** A deprecated operation is better not used, and from its sunset on not at all. */
export function* judgeDeprecation({ contract, entries }: Evidence): Generator<RuleFinding> {
  for (const { id, deprecation } of contract.operations) {
    if (deprecation === undefined) continue;
    const sunset = Date.parse(deprecation.sunset ?? '');
    for (const entry of entries) {
      // Without a sunset it is NaN, which no instant reaches.
      const state = entry.exchange.sentAt >= sunset ? 'removed' : 'deprecated';
      const rule = `client/${id}.${state}` as const;
      if (entry.operation?.id !== id) yield passed(rule, entry.index);
      else {
        const expected = `${deprecation.successor ?? 'another operation'} in its place`;
        const received = `${nameRequest(entry)} on ${new Date(entry.exchange.sentAt).toISOString().slice(0, 10)}`;
        yield failed(rule, entry.index, [], expected, received);
      }
    }
  }
}

type Body = JsonValue | undefined;

/** A rule, the scenario that shows it, and whether a response is one that it is about. */
const responseRules: readonly (readonly [RuleId, string, (body: Body) => boolean])[] = [
  ['client/response.unknown-fields', 'unknown-fields', hasObject],
  ['client/response.unknown-value', 'unknown-value', hasObject],
  ['client/response.empty-page', 'empty-pages', (body) => isJsonArray(body) && body.length === 0],
  ['client/response.full-page', 'full-pages', (body) => isJsonArray(body) && body.length > 0],
];

function hasObject(body: Body): boolean {
  return isJsonObject(body) || (isJsonArray(body) && body.length > 0);
}

/** The client goes on after answers that are out of the ordinary. */
export function* judgeResponses({ log, facts, entries }: Evidence): Generator<RuleFinding> {
  const endOf = (scenario: string): ClientEnd | undefined =>
    facts.scenarios.find(({ id }) => id === scenario)?.end;
  const plain = endOf('plain');
  for (const [rule, scenario, isOdd] of responseRules) {
    const end = endOf(scenario);
    const odd = entries.findLast(
      (entry) =>
        entry.intent.scenario === scenario &&
        isSuccess(entry) &&
        isOdd(readJson(entry.response?.body)),
    );
    if (log.source === 'journal')
      yield notTested(rule, 'a journal does not show how the client went on');
    else if (end === undefined) continue;
    else if (odd === undefined)
      yield notTested(rule, 'the client sent no request that gets such a response');
    else if (isGoodEnd(end)) yield passed(rule, odd.index);
    else if (plain !== undefined && !isGoodEnd(plain))
      yield notTested(rule, 'the command also fails in the scenario `plain`');
    else if (end.kind === 'aborted') yield notTested(rule, 'the command was stopped early');
    else yield failed(rule, odd.index, [], 'the command ends with exit code 0', nameEnd(end));
  }
}

function nameEnd(end: ClientEnd): string {
  if (end.kind === 'exited') return `it ended with exit code ${end.code}`;
  return end.kind === 'killed' ? `it was killed by ${end.signal}` : 'it did not end in time';
}
