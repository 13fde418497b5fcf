import { redactedKey } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import {
  isCredential,
  renderCredential,
  type ShownScheme,
  wantsKey,
} from '../contract/openapi/credential.ts';
import {
  type Entry,
  type Evidence,
  entriesByKey,
  knowledgeOf,
  limits,
  nameRequest,
  securityOf,
} from './evidence.ts';
import {
  type RuleDraft,
  type RuleFinding,
  doubtful,
  failed,
  findResponse,
  notTested,
  passed,
} from './rule.ts';

/** Rules about the key. */
export function* keyRules(contract: Contract): Generator<RuleDraft> {
  const credential = contract.usualSecurity.flat().find(isCredential);
  if (credential === undefined) return;
  const of = { family: 'auth', level: 'must', pointer: credential.pointer } as const;
  const secured = contract.operations.filter(({ security }) => wantsKey(security));
  const places = secured.flatMap(({ security }) =>
    security.map((schemes) => schemes.filter(isCredential).map(namePlace).join(' and ')),
  );
  yield {
    ...of,
    id: 'client/auth.key',
    sentence: `The client sends its key with every request, ${[...new Set(places)].join(' or ')}.`,
    measure:
      'A request to an operation that requires a key, without a key or with a key other than the one given to the client.',
    unreached: 'the client sent no request that requires a key',
    needs: 'send any request to an operation that requires a key',
    judge: judgeKey,
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
    judge: judgeKeyElsewhere,
  };
  const refusal = findResponse(contract, '401');
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
    judge: judgeRefusedKey,
  };
}

function namePlace(scheme: ShownScheme): string {
  if (scheme.kind === 'bearer') return 'as a bearer token';
  const field = renderCredential(scheme, '');
  return `as the ${field?.in === 'header' ? 'header' : `${field?.in} parameter`} ${field?.name}`;
}

function* judgeKey({ entries, log }: Evidence): Generator<RuleFinding> {
  for (const entry of entries) {
    const { operation, index } = entry;
    const { credential } = entry.request;
    if (operation === undefined || !wantsKey(operation.security)) continue;
    if (credential === 'valid') {
      if (log.source === 'scenarios') yield passed(index);
      continue;
    }
    const wrong =
      credential === 'other-scheme' ? 'a key in another form' : 'another key than its own';
    const received = `${nameRequest(entry)} with ${credential === 'missing' ? 'no key' : wrong}`;
    yield failed(index, [], 'the key of the client', received);
  }
  if (log.source === 'journal')
    yield notTested('requests without a valid key are in the journal of main, whoever sent them');
}

function* judgeKeyElsewhere({ contract, entries, log }: Evidence): Generator<RuleFinding> {
  for (const entry of entries) {
    const schemes = securityOf(contract, entry.operation).flat().filter(isCredential);
    const places = findKey(entry, schemes);
    const received = `the key in ${places.join(' and ')}`;
    // A journal replaces a key without a plan by the name of its sandbox, which may be a common
    // word or number.
    const isWord = /^(?:[a-z]+|\d+)\/$/i.test(entry.intent.key ?? '');
    if (places.length > 0 && log.source === 'journal' && isWord) {
      const reason = `request ${entry.index} contains its key in ${places.join(' and ')}, possibly by chance`;
      yield { kind: 'doubtful', reason };
    } else if (places.length > 0)
      yield failed(entry.index, [], 'the key in its place only', received);
    else if (log.source === 'scenarios') yield passed(entry.index);
  }
  if (log.source === 'journal') yield notTested('a journal does not store headers');
}

/** The places besides those of the schemes in which a request has the key. */
function findKey(
  { request: { target, headers, body } }: Entry,
  schemes: readonly ShownScheme[],
): readonly string[] {
  const fields = schemes.map((scheme) => renderCredential(scheme, ''));
  const isPlace = (place: 'header' | 'query', name: string): boolean =>
    fields.some((field) =>
      field?.in === 'cookie'
        ? place === 'header' && name.toLowerCase() === 'cookie'
        : field?.in === place && name.toLowerCase() === field.name.toLowerCase(),
    );
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

function* judgeRefusedKey(evidence: Evidence): Generator<RuleFinding> {
  for (const { known, unclear } of entriesByKey(evidence).flatMap(listRefusals)) {
    const [first, last, soon] = [known[0], known.at(-1), unclear[0]];
    if (first === undefined || last === undefined) continue;
    if (known.length > limits.refusedKey) {
      const expected = `at most ${limits.refusedKey} requests in a row with a key that gets a 401`;
      yield failed(last.index, [first.index], expected, `${known.length} of them`);
    } else if (soon !== undefined && known.length + unclear.length > limits.refusedKey)
      yield doubtful(soon.index, first.index);
    else yield passed(last.index);
  }
}

/** Consecutive requests with a key that got a 401. */
interface Refusals {
  /** Each was sent after the previous 401. */
  readonly known: Entry[];
  /** Requests for which this is uncertain. */
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
