import type { Contract } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { isCredential, renderCredential } from '../../../contract/openapi/credential.ts';
import { nearestName } from '../../../contract/error/unknown-name.ts';
import { queryPairs } from '../../http/parameter-text.ts';
import type { Check } from '../../operation/response/refusal.ts';
import { parsePreferences, readPreference } from '../../sandbox/preference.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import { keyPlans, keysIn } from '../../sandbox/keyring.ts';
import { mainSandbox } from '../declaration/sandbox-name.ts';
import type { Hint } from '../declaration/schemas.ts';
import { queryNames } from '../stub/match.ts';
import { exampleNames } from '../stub/respond.ts';
import { renderOffset } from './duration.ts';

/**
 * What may have been meant or overlooked in a request, by the document of its sandbox. Hints are found
 * when a journal is read or a line is logged, not while the request is processed.
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
  return hints.flatMap(([kind, message]) => (message ? [{ kind, message }] : []));
}

/** The documented path that was probably meant, if the path of the request is unknown. */
function explainPath(
  { refusal, operation, target, at, method: sent }: JournalEntry,
  { operations, basePath }: Contract,
): string | undefined {
  if (refusal?.reason !== 'unknown_path' || operation !== undefined) return undefined;
  const [path = ''] = target.split('?');
  const segments = splitPath(path, basePath);
  const there = operations.filter((one) => !(at >= Date.parse(one.deprecation?.sunset ?? '')));
  /** Method and path by the part below the base path; those with the method of the request come first. */
  const known = new Map<string, string>();
  const isOther = (one: Operation): number => Number(one.method !== sent);
  for (const one of there.toSorted((a, b) => isOther(a) - isOther(b))) {
    const whole = basePath + (one.path.split(/[?#]/)[0] ?? '');
    const parts = splitPath(whole, basePath);
    if (parts.length !== segments.length || parts.every((part) => part.includes('{'))) continue;
    const meant = parts.map((part, index) => (part.includes('{') ? segments[index] : part));
    const before = whole.split('/').filter(Boolean).slice(0, -parts.length);
    const full = `/${[...before, ...meant].join('/')}${whole.endsWith('/') ? '/' : ''}`;
    // The path of the request itself has methods, but an option of the mock hides them.
    const key = meant.join('/');
    if (full !== path && !known.has(key)) known.set(key, `${one.method} ${full}`);
  }
  const below = segments.join('/');
  const near = known.get(below) ?? known.get(nearestName(below, [...known.keys()]) ?? '');
  return near === undefined ? undefined : `Did you mean ${near}?`;
}

/** Segments without those of the base path, and without usual base paths such as `/api/v2`. */
function splitPath(path: string, basePath: string): readonly string[] {
  const base = basePath.split('/');
  const segments = path.split('/').filter(Boolean);
  const isOfBase = (one: string): boolean =>
    base.includes(one.toLowerCase()) || /^(?:api|v\d+)$/i.test(one);
  while (segments[0] !== undefined && isOfBase(segments[0])) segments.shift();
  return segments;
}

/** Unknown query parameters that are named. */
const maxNames = 3;

function explainQuery(
  { target }: JournalEntry,
  operation: Operation,
  contract: Contract,
): string | undefined {
  const [, query = ''] = /\?(.*)$/s.exec(target) ?? [];
  // If the target was cut off, only the complete names.
  const whole = query.endsWith('...') ? query.slice(0, query.lastIndexOf('&')) : query;
  const names = queryPairs(whole).map(({ name }) => name);
  const known = names.length === 0 ? undefined : queryNames(operation, contract);
  if (known === undefined) return undefined;
  const unknown = [...new Set(names)].filter(
    (name) => !known.includes(name) && !known.includes(name.split('[', 1)[0] ?? ''),
  );
  return unknown
    .slice(0, maxNames)
    .map((name) => {
      const near = nearestName(name, known);
      return near === undefined
        ? `Unknown query parameter ${name}; ${operation.id} has ${known.join(', ') || 'none'}.`
        : `Unknown query parameter ${name}; did you mean ${near}?`;
    })
    .join(' ');
}

/** Which keys are valid, or how to send one, if a request was refused because of its key. */
function explainKey(
  { refusal, credential }: JournalEntry,
  operation: Operation | undefined,
  contract: Contract,
): string | undefined {
  if (refusal?.reason !== 'unauthorized') return undefined;
  const keys = keysIn(contract, mainSandbox).map(({ key }) => key);
  if (credential === 'missing') {
    const scheme = operation?.security.flat().find(isCredential);
    const field = scheme && renderCredential(scheme, keys[0] ?? '');
    if (field === undefined) return undefined;
    const { in: place, name, value } = field;
    if (place === 'query') return `Send the key as ?${encodeURIComponent(name)}=${value}.`;
    return `Send the key as ${place === 'cookie' ? `Cookie: ${name}=` : `${name}: `}${value}.`;
  }
  if ((contract.rateLimit?.plans ?? []).length === 0)
    return `Any key works, except one that begins with "invalid" or is almost ${keys.join(', ')}.`;
  const forms = [...keyPlans(contract).keys()].map((word) => `${word}_<name>`);
  return `Valid keys: ${keys.join(', ')}, and any of the form ${forms.join(', ')}.`;
}

/** Which preferences of a request were not followed, and why. */
function explainPreferences(entry: JournalEntry, operation: Operation | undefined): string {
  const sentences: string[] = [];
  for (const [name, value] of parsePreferences(entry.clues?.prefer ?? '')) {
    const reason = name === '' ? undefined : explainPreference(name, value, entry, operation);
    const sent = value === '' ? name : `${name}=${value}`;
    if (reason !== undefined) sentences.push(`Prefer: ${sent} was ignored: ${reason}.`);
  }
  return sentences.join(' ');
}

/** Checks that come before preferences. */
const earlier: Partial<Record<Check, string>> = {
  fault: 'an injected fault came first',
  'rate-limit': 'the rate limit was exceeded',
  credential: 'the key was rejected first',
};

function explainPreference(
  name: string,
  value: string,
  { clues, preferred, status, refusal }: JournalEntry,
  operation: Operation | undefined,
): string | undefined {
  const { code } = readPreference({ prefer: clues?.prefer });
  const isFollowed = preferred.split(', ').some((one) => one.startsWith(`${name}=`));
  if (name === 'dynamic' || isFollowed) return undefined;
  if (name === 'wait') return 'it must be a number of seconds';
  if (name !== 'code' && name !== 'example')
    return 'the mock supports code, example, dynamic and wait';
  if (operation === undefined || (name === 'code' && status === code)) return undefined;
  const before = refusal && earlier[refusal.check];
  if (before !== undefined) return before;
  if (name === 'code') {
    const statuses = operation.responses.map((one) => one.status);
    const isThere = statuses.includes(value) || statuses.includes(`${value.charAt(0)}XX`);
    return isThere ? undefined : `${operation.id} documents ${statuses.join(', ')}`;
  }
  const names = exampleNames(operation, code);
  if (names.includes(value)) return undefined;
  const place = code === undefined ? operation.id : `the ${code} of ${operation.id}`;
  return `${place} has ${names.length === 0 ? 'no named examples' : `the examples ${names.join(', ')}`}`;
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
