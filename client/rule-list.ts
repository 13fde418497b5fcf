import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi/operation.ts';
import type { ResponseContract } from '../contract/openapi/response.ts';
import type { SchemaNode } from '../contract/schema/schema-node.ts';
import { renderCredential } from '../contract/openapi/credential.ts';
import { sectionOf } from '../contract/source/node.ts';
import { wantsKey } from './evidence.ts';
import { type ClientRule, limits } from './rule.ts';

/** A rule before its section is looked up. Default of its operation: `*`; it spares none. */
type RuleDraft = Omit<ClientRule, 'operation' | 'subject' | 'section' | 'spares'> &
  Partial<Pick<ClientRule, 'operation' | 'spares'>>;

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
  const waiting = `send any request, for which scenarios return ${status}, and wait before the next or give up`;
  const early = `A request with that key, more than ${limits.early} ms before the wait is over, on the connection of the ${status}, on one opened after a client that sends one at a time closed that, or more than ${limits.onTheWay} ms after it (${limits.onTheWayAgain} ms for the same request). Let pass is the first request on a connection opened before the ${status} was sent. What only the tolerance excuses is not tested. A client that gives up has waited.`;
  yield {
    ...wait,
    id: 'client/rate-limit.retry-after-seconds',
    sentence: `After a ${status} with seconds in ${headers.retryAfter} the client sends nothing with that key until they have passed.`,
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
    sentence: `A client that gets repeated ${status}s increases its waits exponentially.`,
    measure: `Series of ${limits.waits} or more waits, each after a ${status} and with no other response between, none with a wait ${limits.growth} times as long and ${limits.growthLeast} ms longer than one before it. Waits of a whole window (${rateLimit.windows[0]?.seconds ?? 60} s) need not grow. A recommendation, because a client only has to wait as long as ${headers.retryAfter} says.`,
    unreached: `no ${limits.waits} waits in a row followed a ${status} each`,
    needs: `try again after each of ${limits.waits} ${status}s in a row`,
    spares: `a client that gives up at a ${status}`,
  };
  if (bans)
    yield {
      ...of,
      id: 'client/rate-limit.ban',
      pointer: `${pointer}/ban`,
      sentence: `The client does not continue after a ${status} until its key is banned.`,
      measure: `A request that a ban refuses, sent before the wait of a ${status} is over that the client knew. Any other ban is not the client's fault.`,
      unreached: `the client got no ${status}`,
      needs: `send any request, for which scenarios return ${status}`,
    };
  yield {
    ...of,
    id: 'client/rate-limit.remaining',
    level: 'should',
    pointer: shown?.pointer ?? pointer,
    sentence: `When ${headers.remaining} is 0 the client sends nothing with that key until ${headers.reset}.`,
    measure: `A request after a response other than ${status} with 0, more than ${limits.earlyDate} ms before the time that it named. Excused as with ${headers.retryAfter}; the client may take the time from the Date of the response. A recommendation, because the document does not say what a client must do at 0.`,
    unreached: `no request followed a response with ${headers.remaining} 0`,
    needs: `send any request, for which \`nothing-remaining\` returns 0, and wait before the next or end`,
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
      'A request to an operation that requires a key, without a key or with a key other than the one given to the client.',
    unreached: 'the client sent no request that requires a key',
    needs: 'send any request to an operation that requires a key',
  };
  yield {
    ...of,
    id: 'client/auth.key-elsewhere',
    sentence:
      'The client does not send its key anywhere else: not in a path, query, body or other header.',
    measure:
      'A request with the key in any other place: plain, percent-encoded, in JSON or in Base64.',
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
    sentence: 'The client does not keep using a key that gets a 401.',
    measure: `More than ${limits.refusedKey} requests in a row with one key that all get a 401, each sent after the previous 401. A recommendation, because the document does not say what a client must do after a 401.`,
    unreached: 'no key of the client got a 401',
    needs: 'send a second request, for which `revoked-key` returns 401',
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
      'A parameter or body that is missing or does not match its schema, or a body with another media type or that is not JSON in UTF-8. Unknown paths, parameters and members, and truncated requests, are not judged.',
    unreached: 'the client sent no request to an operation of the document',
    needs: 'send any request to an operation of the document',
  };
  const refusal = findResponse(operations, '400');
  if (refusal !== undefined)
    yield {
      ...of,
      id: 'client/request.refused-again',
      pointer: refusal.pointer,
      sentence: 'The client does not repeat a request that got a 400.',
      measure: 'A request with the method, target and body of an earlier request that got a 400.',
      unreached: 'no request of the client got a 400',
      needs: 'send a request with a body, for which `refused-body` returns 400',
      spares: 'a client that uses no operation that returns 400',
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
      spares: 'a client that sends neither POST nor PATCH',
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
      spares: 'a client that sends no integer that it received',
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
      sentence: `From ${deprecation.sunset} on, the client does not use ${id}, which is removed that day.`,
      measure: 'A request to it on or after that day (UTC).',
      unreached: `the client sent nothing from ${deprecation.sunset} on`,
      needs: `send any request from ${deprecation.sunset} on, as in \`after-sunset\``,
    };
  }
}

function* responseRules({ resources }: Contract): Generator<RuleDraft> {
  const resource = resources.find(({ parents }) => parents.length === 0);
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
      'The client keeps working when objects in responses have fields that the document does not define.',
    unreached: unplayed('responses have fields that the document does not define'),
    needs: 'request items',
    spares: 'a client whose usual work gets no item',
  };
  const [member] = resources.flatMap((each) => findNode(each.item, isListed) ?? []);
  if (member !== undefined)
    yield {
      ...of,
      id: 'client/response.unknown-value',
      level: 'should',
      pointer: member.pointer,
      sentence:
        'The client keeps working when a response has a value that the document does not list.',
      measure: `${measure} A recommendation, because such a response breaks the contract.`,
      unreached: unplayed('responses have a value that the document does not list'),
      needs: 'request items',
      spares: 'a client whose usual work gets no item',
    };
  yield {
    ...of,
    id: 'client/response.empty-page',
    pointer: listing,
    sentence: 'The client keeps working when a list is empty.',
    unreached: unplayed('lists are empty'),
    needs: 'request a list',
    spares: 'a client whose usual work gets no empty list',
  };
  yield {
    ...of,
    id: 'client/response.full-page',
    pointer: limit?.parameter.pointer ?? listing,
    sentence: 'The client keeps working when a list has the maximum length.',
    unreached: unplayed('lists are full'),
    needs: 'request a list',
    spares: 'a client whose usual work gets no list with items',
  };
}

function unplayed(shown: string): string {
  return `no scenario ran in which ${shown}`;
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

/** Whether a schema lists the texts that it takes. */
function isListed(node: SchemaNode): boolean {
  return node.shape().values?.every((value) => typeof value === 'string') ?? false;
}

/** Whether a schema is of an integer that may be beyond 2^53, where a double is not exact. */
function isExactInteger(node: SchemaNode): boolean {
  const { types, format, maximum } = node.shape();
  return (
    types.length === 1 &&
    types[0] === 'integer' &&
    format !== 'int32' &&
    (maximum === undefined || maximum.value > Number.MAX_SAFE_INTEGER)
  );
}

/** The first wanted node among a schema, its members and items; recursion ends at a repetition. */
function findNode(
  node: SchemaNode,
  isWanted: (node: SchemaNode) => boolean,
  seen: ReadonlySet<string> = new Set(),
): SchemaNode | undefined {
  if (seen.has(node.pointer)) return undefined;
  if (isWanted(node)) return node;
  const { properties, items, alternatives } = node.shape();
  const within = new Set([...seen, node.pointer]);
  for (const each of [...properties.values(), ...(items ? [items] : []), ...alternatives]) {
    const found = findNode(each, isWanted, within);
    if (found !== undefined) return found;
  }
  return undefined;
}
