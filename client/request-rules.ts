import {
  cutReason,
  listFaults,
  readJson,
  readTexts,
  redactedKey,
  type RequestFault,
} from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import { type JsonValue, isJsonArray, isJsonObject } from '../contract/json/value.ts';
import type { Operation } from '../contract/openapi/operation.ts';
import type { SchemaNode } from '../contract/schema/schema-node.ts';
import {
  type Entry,
  type Evidence,
  isLost,
  isSameRequest,
  isSuccess,
  knowledgeOf,
  knows,
  limits,
  nameRequest,
} from './evidence.ts';
import { isPlayed } from './log.ts';
import {
  type RuleDraft,
  type RuleFinding,
  doubtful,
  failed,
  findNode,
  findResponse,
  notTested,
  passed,
} from './rule.ts';

export function* requestRules(contract: Contract): Generator<RuleDraft> {
  const { operations, resources } = contract;
  const of = { family: 'request', level: 'must' } as const;
  const body = operations.find(({ requestBody }) => requestBody !== undefined)?.requestBody;
  const [parameter] = operations.flatMap(({ parameters }) => parameters);
  yield {
    ...of,
    id: 'client/request.valid',
    pointer: body?.pointer ?? parameter?.pointer ?? '#/paths',
    sentence: 'The client sends only parameters and bodies that the document allows.',
    measure:
      'A parameter or body that is missing or does not match its schema, or a body with another media type or that is not JSON in UTF-8. Unknown paths, parameters and members, and truncated requests, are not judged.',
    unreached: 'the client sent no request to an operation of the document',
    needs: 'send any request to an operation of the document',
    judge: judgeValid,
  };
  const refusal = findResponse(contract, '400');
  if (refusal !== undefined)
    yield {
      ...of,
      id: 'client/request.refused-again',
      pointer: refusal.pointer,
      sentence: 'The client does not repeat a request that got a 400.',
      measure: 'A request with the method, target and body of an earlier request that got a 400.',
      unreached: 'no request of the client got a 400',
      needs: 'send a request with a body, for which `refused-body` returns 400',
      judge: judgeRefusedAgain,
      exemption: {
        client: 'a client that uses no operation that returns 400',
        scenario: 'refused-body',
        isExempt: ({ entries }) =>
          entries.every(({ operation }) =>
            (operation?.responses ?? []).every(({ status }) => status !== '400'),
          ),
      },
    };
  const creation = operations.find(({ method }) => method === 'POST' || method === 'PATCH');
  if (creation !== undefined)
    yield {
      ...of,
      id: 'client/request.repeated',
      level: 'should',
      pointer: creation.pointer,
      sentence: 'The client does not blindly repeat a POST or PATCH that may have succeeded.',
      measure: `More than ${limits.repeats} repetition of a request for which the client got no complete response, without a GET in between. A recommendation from RFC 9110 section 9.2.2; the document says nothing.`,
      unreached: 'every POST and PATCH of the client got a response',
      needs: 'send a POST or PATCH, whose response `lost-response` loses',
      judge: judgeRepeated,
      exemption: {
        client: 'a client that sends neither POST nor PATCH',
        scenario: 'lost-response',
        isExempt: ({ entries }) => entries.every(({ request }) => !isUnsafe(request)),
      },
    };
  const exact = resources.find(({ item }) => findNode(item, isExactInteger) !== undefined);
  if (exact !== undefined)
    yield {
      ...of,
      id: 'client/integer.exact',
      pointer: exact.item.pointer,
      sentence: 'The client returns integers beyond 2^53 exactly as it received them.',
      measure:
        'An integer in path, query or body that no response had, but that rounding makes of one beyond 2^53 that the client got: the nearest double, or fewer digits.',
      unreached: 'the client returned no integer beyond 2^53 that it received',
      needs:
        'send an integer that it received, such as one from a listed item in an item that it adds',
      judge: judgeIntegers,
      exemption: {
        client: 'a client that sends no integer that it received',
        scenario: 'large-ids',
        isExempt: sendsOwnIntegersOnly,
      },
    };
}

/** Deprecated operations should not be used, and after their sunset must not be. */
export function* deprecationRules({ operations }: Contract): Generator<RuleDraft> {
  for (const { id, pointer, deprecation } of operations) {
    if (deprecation === undefined) continue;
    const of = { family: 'request', operation: id } as const;
    // NaN without a sunset, which no instant reaches.
    const sunset = Date.parse(deprecation.sunset ?? '');
    const instead = `${deprecation.successor ?? 'another operation'} in its place`;
    const judgeUse =
      (isDue: (entry: Entry) => boolean) =>
      ({ entries }: Evidence): readonly RuleFinding[] =>
        entries.filter(isDue).map((entry) => {
          const { index, operation, exchange } = entry;
          const day = new Date(exchange.sentAt).toISOString().slice(0, 10);
          return operation?.id === id
            ? failed(index, [], instead, `${nameRequest(entry)} on ${day}`)
            : passed(index);
        });
    const isRemoved = ({ exchange }: Entry): boolean => exchange.sentAt >= sunset;
    const before = deprecation.sunset === undefined ? '' : ` before ${deprecation.sunset}`;
    yield {
      ...of,
      id: `client/${id}.deprecated`,
      level: 'should',
      pointer: `${pointer}/deprecated`,
      sentence: `The client does not use ${id}, which is deprecated.`,
      measure: `A request to it${before}.`,
      unreached: `the client sent nothing${before}`,
      needs: `send any request${before}`,
      judge: judgeUse((entry) => !isRemoved(entry)),
    };
    if (deprecation.sunset === undefined) continue;
    yield {
      ...of,
      id: `client/${id}.removed`,
      level: 'must',
      pointer: `${pointer}/x-sunset`,
      sentence: `From ${deprecation.sunset} on, the client does not use ${id}, which is removed that day.`,
      measure: 'A request to it on or after that day (UTC).',
      unreached: `the client sent nothing from ${deprecation.sunset} on`,
      needs: `send any request from ${deprecation.sunset} on, as in \`after-sunset\``,
      judge: judgeUse(isRemoved),
    };
  }
}

/** Whether a schema allows integers beyond 2^53, which a double cannot represent exactly. */
function isExactInteger(node: SchemaNode): boolean {
  const { types, format, maximum } = node.shape();
  return (
    types.length === 1 &&
    types[0] === 'integer' &&
    format !== 'int32' &&
    (maximum === undefined || maximum.value > Number.MAX_SAFE_INTEGER)
  );
}

function* judgeValid({ contract, entries, log }: Evidence): Generator<RuleFinding> {
  for (const entry of entries) {
    const { operation, index, intent } = entry;
    if (operation === undefined || !intent.isWhole) continue;
    // If the key is inside a value, its original value is unknown.
    if (isCut(entry, operation)) {
      yield { kind: 'doubtful', reason: `request ${index}: ${cutReason}` };
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
    else if (doubt === undefined) yield passed(index);
    else {
      const reason = `request ${index} was not fully judged: its ${doubt.part} ${doubt.reason}`;
      yield { kind: 'doubtful', reason, isUndecided: true };
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

/**
 * A journal has no headers: use what the mock has recorded about the media type and the encoding.
 */
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
  return failed(entry.index, [], expected, received);
}

function* judgeRefusedAgain({ entries }: Evidence): Generator<RuleFinding> {
  for (const [at, entry] of entries.entries()) {
    if (entry.response?.status !== 400 || !entry.intent.isWhole) continue;
    const alike = entries
      .slice(at + 1)
      .filter((later) => isOfSameClient(later, entry) && isSameRequest(later, entry));
    const again = alike.find((later) => knows(later, entry));
    const soon = alike.find((later) => knowledgeOf(later, entry) === 'doubtful');
    if (again !== undefined) {
      const received = `${nameRequest(again)} again, unchanged`;
      yield failed(again.index, [entry.index], 'another request, or none', received);
    } else if (soon !== undefined) yield doubtful(soon.index, entry.index);
    else yield passed(entry.index);
  }
}

/** A request that may have been executed is not blindly repeated (RFC 9110 section 9.2.2). */
function* judgeRepeated({ entries }: Evidence): Generator<RuleFinding> {
  const counted = new Set<Entry>();
  for (const [at, entry] of entries.entries()) {
    if (!isUnsafe(entry.request) || !isLost(entry) || counted.has(entry)) continue;
    const later = entries.slice(at + 1).filter((each) => isOfSameClient(each, entry));
    const look = later.findIndex(({ request }) => request.method === 'GET');
    const again = later
      .slice(0, look === -1 ? undefined : look)
      .filter((each) => isSameRequest(each, entry));
    for (const each of again) counted.add(each);
    const last = again.at(-1);
    if (again.length <= limits.repeats || last === undefined)
      yield passed(last?.index ?? entry.index);
    else {
      const expected = `at most ${limits.repeats} repetition before a GET that shows what happened`;
      const received = `${again.length} repetitions of ${nameRequest(entry)}`;
      yield failed(last.index, [entry.index], expected, received);
    }
  }
}

/** Methods that are not idempotent: sent twice, they may be executed twice. */
function isUnsafe({ method }: Entry['request']): boolean {
  return method === 'POST' || method === 'PATCH';
}

function isOfSameClient(a: Entry, b: Entry): boolean {
  return a.intent.scenario === b.intent.scenario && a.intent.key === b.intent.key;
}

/** Integers that a client received are returned exactly, even if no double can represent them. */
function* judgeIntegers({ entries, log }: Evidence): Generator<RuleFinding> {
  if (log.source === 'journal') return yield notTested('a journal does not store responses');
  const gotIn = new Map<string, Map<bigint, Entry>>();
  for (const entry of entries) {
    const got = gotIn.get(entry.intent.scenario) ?? new Map<bigint, Entry>();
    gotIn.set(entry.intent.scenario, got);
    for (const sent of listSentIntegers(entry).filter(isLarge)) {
      const [exact, from] = [...got].find(([integer]) => isRounded(sent, integer)) ?? [];
      if (got.has(sent)) yield passed(entry.index);
      else if (from !== undefined)
        yield failed(entry.index, [from.index], String(exact), String(sent));
    }
    if (isSuccess(entry))
      for (const integer of listIntegers(readJson(entry.response?.body)).filter(isLarge))
        if (!got.has(integer)) got.set(integer, entry);
  }
}

/** Integers that it also sends if the mock's integers are small are the client's own. */
function sendsOwnIntegersOnly({ entries, facts }: Evidence): boolean {
  const sentIn = (scenario: string): readonly bigint[] =>
    entries.filter(({ intent }) => intent.scenario === scenario).flatMap(listSentIntegers);
  const usual = new Set(sentIn('plain'));
  return isPlayed('plain', facts) && sentIn('large-ids').every((sent) => usual.has(sent));
}

/**
 * The integers of a request, in path, query and body, in any notation, such as
 * `9.007199254740992e15`.
 */
function listSentIntegers({ operation, texts, request }: Entry): readonly bigint[] {
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

/** Significant digits that languages print of a double by default. */
const precisions = [6, 12, 14, 15, 16, 17];

/**
 * Whether a number is a rounded form of an integer: the same double, the nearest single, or fewer
 * digits.
 */
function isRounded(number: bigint, integer: bigint): boolean {
  const [rounded, double] = [Number(number), Number(integer)];
  return (
    rounded === double ||
    rounded === Math.fround(double) ||
    precisions.some((digits) => rounded === Number(double.toPrecision(digits)))
  );
}
