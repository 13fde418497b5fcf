import {
  type Contract,
  type Operation,
  type ResponseContract,
  renderCredential,
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
    subject: { kind: 'client', applies: true },
    spares: undefined,
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
  const waiting = `send any request, which scenarios answer ${status}, and wait before the next or give up`;
  const early = `A request with that key, more than ${limits.early} ms before the wait is over, on the connection of the ${status}, on one opened after a client that sends one at a time closed that, or more than ${limits.onTheWay} ms after it (${limits.onTheWayAgain} ms for the same request). Let pass is the first request on a connection opened before the ${status} was sent. What only the tolerance excuses is not tested. A client that gives up has waited.`;
  yield {
    ...wait,
    id: 'client/rate-limit.retry-after-seconds',
    sentence: `After a ${status} with seconds in ${headers.retryAfter} the client sends nothing with that key until they are over.`,
    measure: early,
    unreached: `no request followed a ${status} with seconds in ${headers.retryAfter}`,
    needs: waiting,
  };
  if (header?.schema === undefined || header.schema.shape().types.includes('string')) {
    yield {
      ...wait,
      id: 'client/rate-limit.retry-after-date',
      sentence: `After a ${status} with a date in ${headers.retryAfter} the client sends nothing with that key until then.`,
      measure: `As with seconds, but more than ${limits.earlyDate} ms too early. The client may take the time from the Date of the response.`,
      unreached: `no request followed a ${status} with a date in ${headers.retryAfter}`,
      needs: waiting,
    };
  }
  yield {
    ...of,
    id: 'client/rate-limit.back-off',
    level: 'should',
    pointer: refusal?.pointer ?? pointer,
    sentence: `A client that gets one ${status} after another waits longer and longer, exponentially.`,
    measure: `Series of ${limits.waits} or more waits, each after a ${status} and with no other response between, none with a wait ${limits.growth} times as long and ${limits.growthLeast} ms longer than one before it. Waits of a whole window (${rateLimit.windows[0]?.seconds ?? 60} s) need not grow. Advice, since waiting as ${headers.retryAfter} says is all that a client must do.`,
    unreached: `no ${limits.waits} waits in a row followed a ${status} each`,
    needs: `try again after each of ${limits.waits} ${status}s in a row`,
    spares: `a client that gives up at a ${status}`,
  };
  if (bans)
    yield {
      ...of,
      id: 'client/rate-limit.ban',
      pointer: `${pointer}/ban`,
      sentence: `The client does not go on after a ${status} until its key is banned.`,
      measure: `A request that a ban refuses, sent before the wait of a ${status} is over that the client knew. Any other ban is not the client's fault.`,
      unreached: `the client got no ${status}`,
      needs: `send any request, which scenarios answer ${status}`,
    };
  yield {
    ...of,
    id: 'client/rate-limit.remaining',
    level: 'should',
    pointer: shown?.pointer ?? pointer,
    sentence: `When ${headers.remaining} is 0 the client sends nothing with that key until ${headers.reset}.`,
    measure: `A request after a response other than ${status} that said 0, more than ${limits.earlyDate} ms before the time that it named. Excused as with ${headers.retryAfter}; the client may take the time from the Date of the response. Advice, since the document does not say what a client is to do at 0.`,
    unreached: `no request followed a response with ${headers.remaining} 0`,
    needs: `send any request, after which \`nothing-remaining\` says 0, and wait before the next or end`,
  };
}

function* keyRules({ operations }: Contract): Generator<RuleDraft> {
  const credential = operations.find(wantsKey)?.credential;
  if (credential === undefined || credential.kind === 'none') return;
  const of = { family: 'auth', level: 'must', pointer: credential.pointer } as const;
  const field = renderCredential(credential, '');
  const place =
    credential.kind === 'bearer'
      ? 'as a bearer token'
      : `as the ${field?.in === 'header' ? 'header' : `${field?.in} member`} ${field?.name}`;
  yield {
    ...of,
    id: 'client/auth.key',
    sentence: `The client sends its key with every request, ${place}.`,
    measure:
      'A request to an operation that wants a key, without one or with another than the client was given.',
    unreached: 'the client sent no request that wants a key',
    needs: 'send any request to an operation that wants a key',
  };
  yield {
    ...of,
    id: 'client/auth.key-elsewhere',
    sentence: 'The client sends its key nowhere else: in no path, query, body or other header.',
    measure:
      'A request with the key anywhere but in its place: as it is, percent-encoded, in JSON or in Base64.',
    unreached: 'the client sent no request',
    needs: 'send any request',
  };
  const refusal = findResponse(operations, '401');
  if (refusal === undefined) return;
  yield {
    ...of,
    id: 'client/auth.refused-key',
    level: 'should',
    pointer: refusal.pointer,
    sentence: 'The client does not go on and on with a key that was answered 401.',
    measure: `More than ${limits.refusedKey} requests in a row with one key, all answered 401, each sent after the 401 before it. Advice, since the document does not say what a client is to do after a 401.`,
    unreached: 'no key of the client was answered 401',
    needs: 'send a second request, which `revoked-key` answers 401',
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
      'A missing parameter or body, one that does not fit its schema, or a body of another media type or not JSON in UTF-8. Unknown paths, parameters and members, and requests cut off, are not judged.',
    unreached: 'the client sent no request to an operation of the document',
    needs: 'send any request to an operation of the document',
  };
  const refusal = findResponse(operations, '400');
  if (refusal !== undefined)
    yield {
      ...of,
      id: 'client/request.refused-again',
      pointer: refusal.pointer,
      sentence: 'The client does not send again what was answered 400.',
      measure: 'A request with the method, target and body of one that was answered 400 before.',
      unreached: 'nothing that the client sent was answered 400',
      needs: 'send a request with a body, which `refused-body` answers 400',
      spares: 'a client that uses no operation that answers 400',
    };
  const creation = operations.find(({ method }) => method === 'POST' || method === 'PATCH');
  if (creation !== undefined)
    yield {
      ...of,
      id: 'client/request.repeated',
      level: 'should',
      pointer: creation.pointer,
      sentence: 'The client does not blindly repeat a POST or PATCH that may have been done.',
      measure: `More than ${limits.repeats} repetition of a request of which the client had no whole response, without a GET in between. Advice, from RFC 9110 section 9.2.2: the document says nothing.`,
      unreached: 'every POST and PATCH of the client was answered',
      needs: 'send a POST or PATCH, of which `lost-response` loses the response',
      spares: 'a client that sends neither POST nor PATCH',
    };
  const exact = resources.find(({ item }) => hasExactIntegers(item));
  if (exact !== undefined)
    yield {
      ...of,
      id: 'client/integer.exact',
      pointer: exact.item.pointer,
      sentence: 'The client sends back integers beyond 2^53 as it got them, to the digit.',
      measure:
        'An integer in path, query or body that no response had, but that rounding makes of one beyond 2^53 that the client got: the nearest double, or fewer digits.',
      unreached: 'the client sent back no integer beyond 2^53 that it got',
      needs: 'send an integer that it got, such as one of a listed item in an item that it adds',
      spares: 'a client that sends no integer that it got',
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
      needs: `send any request${before}`,
    };
    if (deprecation.sunset === undefined) continue;
    yield {
      ...of,
      id: `client/${id}.removed`,
      level: 'must',
      pointer: `${pointer}/x-sunset`,
      sentence: `From ${deprecation.sunset} on the client does not use ${id}, which is removed then.`,
      measure: 'A request to it from the beginning of that day (UTC) on.',
      unreached: `the client sent nothing from ${deprecation.sunset} on`,
      needs: `send any request from ${deprecation.sunset} on, as in \`after-sunset\``,
    };
  }
}

function* responseRules({ resources }: Contract): Generator<RuleDraft> {
  const [resource] = resources;
  if (resource === undefined) return;
  const { item, list, limit } = resource;
  const measure =
    'A command that got such a response and does not end with exit code 0, unless it fails in the scenario `plain` too.';
  const of = { family: 'robustness', level: 'must', measure } as const;
  const listing =
    list.responses.find(({ status }) => /^2\d\d$/.test(status))?.pointer ?? list.pointer;
  yield {
    ...of,
    id: 'client/response.unknown-fields',
    pointer: item.pointer,
    sentence:
      'The client goes on where objects of responses have fields that the document does not know.',
    unreached: unplayed('responses have fields that the document does not know'),
    needs: 'ask for items',
    spares: 'a client whose usual work gets no item',
  };
  const [member] = resources.flatMap((each) => listedMember(each.item) ?? []);
  if (member !== undefined)
    yield {
      ...of,
      id: 'client/response.unknown-value',
      level: 'should',
      pointer: member.pointer,
      sentence:
        'The client goes on where a value of a response is none of those that the document lists.',
      measure: `${measure} Advice, since such a response breaks the document.`,
      unreached: unplayed('responses have a value that the document does not list'),
      needs: 'ask for items',
      spares: 'a client whose usual work gets no item',
    };
  yield {
    ...of,
    id: 'client/response.empty-page',
    pointer: listing,
    sentence: 'The client goes on where a list is empty.',
    unreached: unplayed('lists are empty'),
    needs: 'ask for a list',
    spares: 'a client whose usual work gets no empty list',
  };
  yield {
    ...of,
    id: 'client/response.full-page',
    pointer: limit?.parameter.pointer ?? listing,
    sentence: 'The client goes on where a list is as long as it may be.',
    unreached: unplayed('lists are full'),
    needs: 'ask for a list',
    spares: 'a client whose usual work gets no list with items',
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
