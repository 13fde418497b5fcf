import type { Contract } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { isCredential, renderCredential } from '../../../contract/openapi/credential.ts';
import { nearestName } from '../../../contract/error/unknown-name.ts';
import { parsePathTemplate } from '../../http/path-template.ts';
import { queryPairs } from '../../http/parameter-text.ts';
import { objectShapes } from '../../operation/request/input.ts';
import { parsePreferences, readPreference } from '../../sandbox/preference.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import { keyPlans, keysOf } from '../../sandbox/keyring.ts';
import type { Hint } from '../declaration/schemas.ts';
import { exampleNames } from '../stub/respond.ts';
import { renderOffset } from './duration.ts';

/**
 * What may have been meant or overlooked in a request, by the document that is served to its sandbox.
 * It is found when a journal is read or a line is logged, not while the request is answered.
 */
export function findHints(entry: JournalEntry, contract: Contract): readonly Hint[] {
  const operation = contract.operations.find(({ id }) => id === entry.operation);
  const hints: readonly (readonly [Hint['kind'], string | undefined])[] = [
    ['path', explainPath(entry, contract)],
    ['query-parameter', operation && explainQuery(entry, operation, contract)],
    ['credential', explainKey(entry, operation, contract)],
    ['preference', explainPreferences(entry, operation)],
    ['clock', explainClock(entry)],
    ['stub', explainStub(entry)],
  ];
  return hints.flatMap(([kind, message]) => (message === undefined ? [] : [{ kind, message }]));
}

function explainClock({ clues, at, sandbox }: JournalEntry): string | undefined {
  const clock = clues?.clock;
  if (clock === undefined) return undefined;
  const date = new Date(at).toISOString().slice(0, 10);
  const state = clock.kind === 'frozen' ? 'frozen' : renderOffset(clock.ahead);
  return `It is ${date} in the sandbox ${sandbox}: its clock is ${state}.`;
}

function explainStub({ stub }: JournalEntry): string | undefined {
  if (stub?.kind === 'missed') return `${stub.id} was not applied: ${stub.reason}.`;
  return stub === undefined || stub.breaks.length === 0
    ? undefined
    : `${stub.id} breaks the contract: ${stub.breaks.join(' ')}`;
}

/** Which keys are valid, or how to send one, if a request was refused because of its key. */
function explainKey(
  { refusal, credential, clues }: JournalEntry,
  operation: Operation | undefined,
  contract: Contract,
): string | undefined {
  if (refusal?.reason !== 'unauthorized') return undefined;
  const keys = keysOf(contract).map(({ key }) => key);
  if (credential === 'missing') {
    const scheme = operation?.security.flat().find(isCredential);
    const field = scheme && renderCredential(scheme, keys[0] ?? '');
    if (field === undefined) return undefined;
    const { in: place, name, value } = field;
    if (place === 'query') return `Send the key as ?${encodeURIComponent(name)}=${value}.`;
    return `Send the key as ${place === 'cookie' ? `Cookie: ${name}=` : `${name}: `}${value}.`;
  }
  const meant = clues?.nearKey === undefined ? '' : `Did you mean ${clues.nearKey}? `;
  if ((contract.rateLimit?.plans ?? []).length === 0)
    return `${meant}Any key works, except one that begins with "invalid" or is almost ${keys.join(', ')}.`;
  const forms = [...keyPlans(contract).keys()].map((word) => `${word}_<name>`);
  return `${meant}Valid keys: ${keys.join(', ')}, and any of the form ${forms.join(', ')}.`;
}

/** Unknown query parameters that are named. */
const mostNames = 3;

function explainQuery(
  entry: JournalEntry,
  operation: Operation,
  contract: Contract,
): string | undefined {
  const names = [...new Set(namesIn(entry))];
  const known = names.length === 0 ? undefined : knownNames(operation, contract);
  if (known === undefined) return undefined;
  const unknown = names.filter(
    (name) => !known.has(name) && !known.has(name.split('[', 1)[0] ?? ''),
  );
  const own = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const sentences = unknown.slice(0, mostNames).map((name) => {
    const near = nearestName(name, own);
    return near === undefined
      ? `Unknown query parameter ${name}; ${operation.id} has ${own.join(', ') || 'none'}.`
      : `Unknown query parameter ${name}; did you mean ${near}?`;
  });
  if (unknown.length > mostNames) sentences.push(`And ${unknown.length - mostNames} more.`);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** The names in the query of a request; if it was cut off, the complete ones. */
function namesIn({ target, clues }: JournalEntry): readonly string[] {
  if (clues?.queryNames !== undefined) return clues.queryNames;
  const [, query = ''] = /\?(.*)$/s.exec(target) ?? [];
  const whole = query.endsWith('...') ? query.slice(0, query.lastIndexOf('&')) : query;
  return queryPairs(whole).map(({ name }) => name);
}

/** Names that mean something in the query of an operation; undefined if any may. */
function knownNames(
  operation: Operation,
  { operations }: Contract,
): ReadonlySet<string> | undefined {
  const known = new Set<string>();
  for (const scheme of operations.flatMap(({ security }) => security.flat()))
    if (scheme.kind === 'api-key' && scheme.in === 'query') known.add(scheme.name);
  for (const { name } of queryPairs(operation.path.split('?')[1] ?? '')) known.add(name);
  for (const parameter of operation.parameters) {
    if (parameter.in !== 'query') continue;
    known.add(parameter.name);
    if (!parameter.explode || parameter.style === 'deepObject') continue;
    for (const { properties, additional } of objectShapes(parameter.schema)) {
      if (additional !== false) return undefined;
      for (const name of properties.keys()) known.add(name);
    }
  }
  return known;
}

/** The documented path that was meant, if the one that was sent is unknown and close to one. */
function explainPath(entry: JournalEntry, contract: Contract): string | undefined {
  if (entry.refusal?.reason !== 'unknown_path' || entry.operation !== undefined) return undefined;
  const [path = ''] = entry.target.split('?');
  const there = contract.operations.filter(({ deprecation }) => {
    const sunset = deprecation?.sunset;
    return sunset === undefined || entry.at < Date.parse(sunset);
  });
  const meant = restsOf(path, contract.basePath).flatMap((segments) =>
    there.flatMap((one) => meantBy(one, segments, contract.basePath) ?? []),
  );
  // The path has methods, but an option of the mock hides them.
  if (meant.some((one) => one.path === path)) return undefined;
  const rank = ({ method, isExact }: Meant): number =>
    (isExact ? 0 : 2) + (method === entry.method ? 0 : 1);
  const [best] = meant.toSorted((one, other) => rank(one) - rank(other));
  return best && `Did you mean ${best.method} ${best.path}?`;
}

/**
 * What may be below the base path, by segments: all of the path, and what remains without first
 * segments that are the base path or parts that base paths mostly have, such as `/api/v2`.
 */
function restsOf(path: string, basePath: string): readonly (readonly string[])[] {
  const base = basePath.split('/');
  const rests = [path.split('/').filter(Boolean)];
  for (;;) {
    const [[first, ...rest] = []] = rests;
    const isOfBase =
      first !== undefined && (base.includes(first.toLowerCase()) || /^(?:api|v\d+)$/i.test(first));
    if (!isOfBase) return rests;
    rests.unshift(rest);
  }
}

interface Meant {
  readonly method: string;
  /** As it is sent, with the base path. */
  readonly path: string;
  readonly isExact: boolean;
}

/** An operation whose path has these segments, or nearly has. */
function meantBy(
  { method, path }: Operation,
  segments: readonly string[],
  basePath: string,
): Meant | undefined {
  const template = (path.split(/[?#]/)[0] ?? '').split('/').slice(1);
  const wanted = template.at(-1) === '' ? template.slice(0, -1) : template;
  if (wanted.length !== segments.length || wanted.every((part) => part.includes('{')))
    return undefined;
  const found = wanted.map((part, at) => matchSegment(part, segments[at] ?? ''));
  if (found.includes(undefined)) return undefined;
  const meant = template.map((_, at) => found[at] ?? '').join('/');
  const isExact = found.every((part, at) => part === segments[at]);
  return { method, path: `${basePath}/${meant}`, isExact };
}

/** The segment that was meant; undefined for another one. */
function matchSegment(part: string, sent: string): string | undefined {
  if (!part.includes('{')) return part === sent ? sent : nearestName(sent, [part]);
  return parsePathTemplate(`/${part}`).match(`/${sent}`) && sent;
}

/** Which preferences of a request were not followed, and why. */
function explainPreferences(
  entry: JournalEntry,
  operation: Operation | undefined,
): string | undefined {
  const prefer = entry.clues?.prefer;
  if (prefer === undefined) return undefined;
  const sentences = [...parsePreferences(prefer)].flatMap(([name, value]) => {
    const reason = explainPreference(name, value, entry, operation);
    const sent = value === '' ? name : `${name}=${value}`;
    return reason === undefined ? [] : [`Prefer: ${sent} was ignored: ${reason}.`];
  });
  return sentences.join(' ') || undefined;
}

function explainPreference(
  name: string,
  value: string,
  entry: JournalEntry,
  operation: Operation | undefined,
): string | undefined {
  const { code, wait } = readPreference({ prefer: entry.clues?.prefer }) ?? {};
  const isFollowed = entry.preferred.split(', ').some((one) => one.startsWith(`${name}=`));
  if (name === 'wait') {
    if (wait === undefined) return 'it must be a number of seconds';
    return Number(value) > wait ? `the mock waits at most ${wait} seconds` : undefined;
  }
  if (name === 'dynamic' && /^(?:true|false|)$/i.test(value)) return undefined;
  if (name !== 'code' && name !== 'example') {
    const near = nearestName(name, ['code', 'example', 'dynamic', 'wait']);
    const meant = near === undefined ? '' : ` (did you mean ${near}?)`;
    return `the mock supports code, example, dynamic and wait${meant}`;
  }
  if (name === 'code' && code === undefined) return 'it must be a status of three digits';
  if (isFollowed || (name === 'code' && entry.status === code)) return undefined;
  if (operation === undefined) return 'the document has no operation for this path and method';
  const earlier = explainEarlier(entry);
  if (earlier !== undefined) return earlier;
  const statuses = operation.responses.map(({ status }) => status);
  if (name === 'code') {
    const isThere = statuses.includes(value) || statuses.includes(`${value.charAt(0)}XX`);
    return isThere ? undefined : `${operation.id} documents ${statuses.join(', ')}`;
  }
  const names = exampleNames(operation, code);
  if (names.includes(value)) return undefined;
  const place = code === undefined ? operation.id : `the ${code} of ${operation.id}`;
  return names.length === 0
    ? `${place} has no named examples`
    : `${place} has the examples ${names.join(', ')}`;
}

/** What came before a preference. */
function explainEarlier({ refusal, fault }: JournalEntry): string | undefined {
  if (fault !== undefined && refusal?.check === 'fault') return 'an injected fault came first';
  if (refusal?.check === 'rate-limit') return 'the rate limit was exceeded';
  return refusal?.check === 'credential' ? 'the key was rejected first' : undefined;
}
