import {
  type Contract,
  type Operation,
  type ResponseContract,
  sectionOf,
} from '../../contract/index.ts';
import { wantsKey } from './evidence.ts';
import { hasExactIntegers, listedMember } from './response-schema.ts';
import { limits } from './limits.ts';
import type { ClientRule, RuleDraft } from './rule.ts';

/** In the order of reports. A rule about what the document does not have is left out. */
export function compileRules(contract: Contract): readonly ClientRule[] {
  const drafts = [
    ...rateLimitRules(contract),
    ...keyRules(contract),
    ...requestRules(contract),
    ...deprecationRules(contract),
    ...responseRules(contract),
  ];
  return drafts.map((draft) => ({
    operation: '*',
    subject: { kind: 'client' },
    ...draft,
    section: sectionOf(contract.document, draft.pointer),
  }));
}

function* rateLimitRules({ operations, rateLimit }: Contract): Generator<RuleDraft> {
  if (rateLimit === undefined) return;
  const { status, headers, pointer, bans } = rateLimit;
  const of = { family: 'rate-limit', level: 'must' } as const;
  const refusal = findResponse(operations, `${status}`);
  const header = refusal?.headers.find(
    ({ name }) => name.toLowerCase() === headers.retryAfter.toLowerCase(),
  );
  const shown = operations
    .flatMap(({ responses }) => responses)
    .flatMap((response) => response.headers)
    .find(({ name }) => name.toLowerCase() === headers.remaining.toLowerCase());
  const wait = { ...of, pointer: header?.pointer ?? refusal?.pointer ?? pointer };
  const early = `A request with the key that was told to wait, before the wait is over. ${limits.early} ms too early are let pass, and requests that were on their way when the ${status} was sent: on another connection up to ${limits.onTheWay} ms after it, or up to ${limits.onTheWayAgain} ms where it is the same request.`;
  yield {
    ...wait,
    id: 'client/rate-limit.retry-after-seconds',
    sentence: `After a ${status} with seconds in ${headers.retryAfter} the client sends nothing with that key until they are over.`,
    measure: early,
    unreached: `no request followed a ${status} with seconds in ${headers.retryAfter}`,
  };
  if (header?.schema === undefined || header.schema.shape().types.includes('string')) {
    yield {
      ...wait,
      id: 'client/rate-limit.retry-after-date',
      sentence: `After a ${status} with a date in ${headers.retryAfter} the client sends nothing with that key until then.`,
      measure: `As with seconds, but ${limits.earlyDate} ms too early are let pass, as a date has whole seconds. The client may take the time from the Date of the response.`,
      unreached: `no request followed a ${status} with a date in ${headers.retryAfter}`,
    };
  }
  yield {
    ...of,
    id: 'client/rate-limit.back-off',
    level: 'should',
    pointer: refusal?.pointer ?? pointer,
    sentence: `A client that gets one ${status} after another waits longer and longer, exponentially.`,
    measure: `Judged where ${limits.waits} waits follow one another, each after a ${status} and before another response came. Broken if in no such series one wait is ${limits.growth} times as long as one before it, and ${limits.growthLeast} ms longer. A wait of a whole window (${rateLimit.windows[0]?.seconds ?? 60} s) need not grow, and one series that grows is enough. Clients are expected to back off, and who waits as ${headers.retryAfter} says has kept what they must, so it is advice.`,
    unreached: `no ${limits.waits} waits in a row followed a ${status} each`,
  };
  if (bans)
    yield {
      ...of,
      id: 'client/rate-limit.ban',
      pointer: `${pointer}/ban`,
      sentence: `The client does not go on after a ${status} until its key is banned.`,
      measure: `A refusal for a ban, before the wait that another ${status} told was over. Any other ban is none of the client's doing.`,
      unreached: `the client got no ${status}`,
    };
  yield {
    ...of,
    id: 'client/rate-limit.remaining',
    level: 'should',
    pointer: shown?.pointer ?? pointer,
    sentence: `When ${headers.remaining} is 0 the client sends nothing with that key until ${headers.reset}.`,
    measure: `A request after a response other than ${status} that said 0, before the time that it said. ${limits.earlyDate} ms too early are let pass, and requests on their way as with ${headers.retryAfter}; the client may take the time from the Date of the response. What a client is to do at 0 is not said, so it is advice.`,
    unreached: `no request followed a response with ${headers.remaining} 0`,
  };
}

function* keyRules({ operations }: Contract): Generator<RuleDraft> {
  const credential = operations.find(wantsKey)?.credential;
  if (credential === undefined || credential.kind === 'none') return;
  const of = { family: 'auth', level: 'must', pointer: credential.pointer } as const;
  const place =
    credential.kind === 'bearer'
      ? 'as a bearer token'
      : `as the ${credential.in === 'header' ? 'header' : `${credential.in} member`} ${credential.name}`;
  yield {
    ...of,
    id: 'client/auth.key',
    sentence: `The client sends its key with every request, ${place}.`,
    measure:
      'A request to an operation that wants a key, without one or with another than the one that the client was given.',
    unreached: 'the client sent no request that wants a key',
  };
  yield {
    ...of,
    id: 'client/auth.key-elsewhere',
    sentence: 'The client sends its key nowhere else: in no path, query, body or other header.',
    measure:
      'A request in which the key stands anywhere but in its place, as it is or percent-encoded, in JSON or in Base64.',
    unreached: 'the client sent no request',
  };
  const refusal = findResponse(operations, '401');
  if (refusal === undefined) return;
  yield {
    ...of,
    id: 'client/auth.refused-key',
    level: 'should',
    pointer: refusal.pointer,
    sentence: 'The client does not go on and on with a key that was answered 401.',
    measure: `More than ${limits.refusedKey} requests in a row with one key, all answered 401, each sent after the 401 before it. What a client is to do after a 401 is not said, so it is advice.`,
    unreached: 'no key of the client was answered 401',
  };
}

function* requestRules({ operations, resources }: Contract): Generator<RuleDraft> {
  const of = { family: 'request', level: 'must' } as const;
  const body = operations.find(({ requestBody }) => requestBody !== undefined)?.requestBody;
  const [parameter] = operations.flatMap(({ parameters }) => parameters);
  yield {
    ...of,
    id: 'client/request.valid',
    pointer: body?.pointer ?? parameter?.pointer ?? '#/paths',
    sentence: 'The client sends only parameters and bodies that the document allows.',
    measure:
      'A parameter that is missing or does not fit its schema; a body that is missing, of another media type, no JSON, or does not fit its schema. Paths, parameters and members that the document does not know are let pass: it is silent on them. So is what is not there to its end.',
    unreached: 'the client sent no request to an operation of the document',
  };
  const refusal = findResponse(operations, '400');
  if (refusal !== undefined)
    yield {
      ...of,
      id: 'client/request.refused-again',
      pointer: refusal.pointer,
      sentence: 'The client does not send again what was answered 400.',
      measure:
        'A request of the same method, target and body as one that was answered 400 before it was sent.',
      unreached: 'nothing that the client sent was answered 400',
    };
  const creation = operations.find(({ method }) => method === 'POST' || method === 'PATCH');
  if (creation !== undefined)
    yield {
      ...of,
      id: 'client/request.repeated',
      level: 'should',
      pointer: creation.pointer,
      sentence: 'The client does not blindly repeat a POST or PATCH that may have been done.',
      measure: `More than ${limits.repeats} repetition of the same request after it got no whole response, without a GET in between. The document does not say that a client may not (RFC 9110 section 9.2.2 advises it), so it is advice.`,
      unreached: 'every POST and PATCH of the client was answered',
    };
  const exact = resources.find(({ item }) => hasExactIntegers(item));
  if (exact !== undefined)
    yield {
      ...of,
      id: 'client/integer.exact',
      pointer: exact.item.pointer,
      sentence: 'The client sends back integers beyond 2^53 as it got them, to the digit.',
      measure:
        'An integer in path, query or body that is no integer of a response that the client got, but what rounding makes of one that is beyond 2^53: the nearest double, or fewer digits.',
      unreached: 'the client sent back no integer beyond 2^53 that it got',
    };
}

function* deprecationRules({ operations }: Contract): Generator<RuleDraft> {
  for (const { id, pointer, deprecation } of operations) {
    if (deprecation === undefined) continue;
    const of = { family: 'request', operation: id } as const;
    const before = deprecation.sunset === undefined ? '' : ` before ${deprecation.sunset}`;
    yield {
      ...of,
      id: `client/${id}.deprecated`,
      level: 'should',
      pointer: `${pointer}/deprecated`,
      sentence: `The client does not use ${id}, which is deprecated.`,
      measure: `A request to it${before}.`,
      unreached: `the client sent nothing${before}`,
    };
    if (deprecation.sunset === undefined) continue;
    yield {
      ...of,
      id: `client/${id}.removed`,
      level: 'must',
      pointer: `${pointer}/x-sunset`,
      sentence: `From ${deprecation.sunset} on the client does not use ${id}, which is removed then.`,
      measure:
        'A request to it from the beginning of that day on (UTC), by the clock of its sandbox.',
      unreached: `the client sent nothing from ${deprecation.sunset} on`,
    };
  }
}

function* responseRules({ resources }: Contract): Generator<RuleDraft> {
  const [resource] = resources;
  if (resource === undefined) return;
  const { item, list, limit } = resource;
  const measure =
    'A command that got such a response in the scenario, and does not end with exit code 0. Not judged where it fails in the scenario in which nothing happens as well.';
  const of = { family: 'robustness', level: 'must', measure } as const;
  const listing =
    list.responses.find(({ status }) => /^2\d\d$/.test(status))?.pointer ?? list.pointer;
  yield {
    ...of,
    id: 'client/answer.unknown-fields',
    pointer: item.pointer,
    sentence:
      'The client goes on where objects of responses have fields that the document does not know.',
    unreached: unplayed('answers have fields that the document does not know'),
  };
  const [member] = resources.flatMap((each) => listedMember(each.item) ?? []);
  if (member !== undefined)
    yield {
      ...of,
      id: 'client/answer.unknown-value',
      level: 'should',
      pointer: member.pointer,
      sentence:
        'The client goes on where a value of a response is none of those that the document lists.',
      measure: `${measure} Such a response breaks the document, so it is advice.`,
      unreached: unplayed('answers have a value that the document does not list'),
    };
  yield {
    ...of,
    id: 'client/answer.empty-page',
    pointer: listing,
    sentence: 'The client goes on where a list is empty.',
    unreached: unplayed('lists are empty'),
  };
  yield {
    ...of,
    id: 'client/answer.full-page',
    pointer: limit?.parameter.pointer ?? listing,
    sentence: 'The client goes on where a list is as long as it may be.',
    unreached: unplayed('lists are full'),
  };
}

function unplayed(shown: string): string {
  return `no scenario was played in which ${shown}`;
}

/** The first response that operations document for a status. */
function findResponse(
  operations: readonly Operation[],
  status: string,
): ResponseContract | undefined {
  return operations
    .flatMap(({ responses }) => responses)
    .find((response) => response.status === status);
}
