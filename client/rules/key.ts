import { redactedKey as redacted } from '../../conformance/index.ts';
import { type Credential, renderCredential } from '../../contract/openapi/credential.ts';
import {
  type Entry,
  type Evidence,
  entriesByKey,
  knowledgeOf,
  nameRequest,
  wantsKey,
} from './evidence.ts';
import { type RuleFinding, doubtful, failed, notTested } from './rule.ts';
import { limits } from './limits.ts';

/** The key is sent with every request that wants it. */
export function* judgeKey({ entries, log }: Evidence): Generator<RuleFinding> {
  const rule = 'client/auth.key';
  for (const entry of entries) {
    const { operation, index } = entry;
    const { credential } = entry.request;
    if (operation === undefined || !wantsKey(operation)) continue;
    if (credential === 'valid' && log.source === 'scenarios')
      yield { kind: 'passed', rule, exchange: index };
    if (credential === 'valid') continue;
    const wrong =
      credential === 'other-scheme' ? 'a key in another form' : 'another key than its own';
    const received = `${nameRequest(entry)} with ${credential === 'missing' ? 'no key' : wrong}`;
    const expected = 'the key of the client';
    yield failed(rule, index, [], { expected, received });
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
    if (places.length > 0 && log.source === 'journal' && isWord(entry)) {
      const reason = `request ${entry.index} contains its key in ${places.join(' and ')}, possibly by chance`;
      yield { kind: 'doubtful', rule, reason };
    } else if (places.length > 0) {
      const expected = 'the key in its place only';
      const received = `the key in ${places.join(' and ')}`;
      yield failed(rule, entry.index, [], { expected, received });
    } else if (log.source === 'scenarios') yield { kind: 'passed', rule, exchange: entry.index };
  }
  if (log.source === 'journal') yield notTested(rule, 'a journal does not store headers');
}

/** Whether the key is a plain word or number: a journal names the sandbox of a key without a plan by it. */
function isWord({ intent }: Entry): boolean {
  return /^(?:[a-z]+|\d+)\/$/i.test(intent.key ?? '');
}

function findKey(
  { request: { target, headers, body } }: Entry,
  credential: Credential,
): readonly string[] {
  const [path = '', query = ''] = target.split('?');
  const others = query
    .split('&')
    .filter((member) => !isPlace(credential, 'query', member.split('=')[0] ?? ''));
  return [
    ...(path.includes(redacted) ? ['the path'] : []),
    ...(others.some((member) => member.includes(redacted)) ? ['the query'] : []),
    ...headers
      .filter(
        ([name, value]) =>
          !isPlace(credential, 'header', name) && (name + value).includes(redacted),
      )
      .map(([name]) => `the header ${name}`),
    ...(body?.includes(redacted) ? ['the body'] : []),
  ];
}

/** Whether a header or a member of the query is where the key belongs. */
function isPlace(credential: Credential, place: 'header' | 'query', name: string): boolean {
  const field = renderCredential(credential, '');
  if (field?.in === 'cookie') return place === 'header' && name.toLowerCase() === 'cookie';
  return field?.in === place && name.toLowerCase() === field.name.toLowerCase();
}

/** A key that is refused is not tried for ever. */
export function* judgeRefusedKey(evidence: Evidence): Generator<RuleFinding> {
  const rule = 'client/auth.refused-key';
  for (const { known, unclear } of entriesByKey(evidence).flatMap(listRefusals)) {
    const [first, last, soon] = [known[0], known.at(-1), unclear[0]];
    if (first === undefined || last === undefined) continue;
    if (known.length > limits.refusedKey) {
      const expected = `at most ${limits.refusedKey} requests in a row with a key that gets a 401`;
      const received = `${known.length} of them`;
      yield failed(rule, last.index, [first.index], { expected, received });
    } else if (soon !== undefined && known.length + unclear.length > limits.refusedKey)
      yield doubtful(rule, soon.index, [first.index]);
    else yield { kind: 'passed', rule, exchange: last.index };
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
