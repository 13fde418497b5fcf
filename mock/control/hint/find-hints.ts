import {
  type Contract,
  type Operation,
  isCredential,
  renderCredential,
  nearestName,
} from '../../../contract/index.ts';
import { parsePathTemplate } from '../../http/path-template.ts';
import { queryPairs } from '../../http/query.ts';
import { objectShapes } from '../../operation/request/parameter-source.ts';
import { parsePreferences, readPreference } from '../../operation/request/preference.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import { keyPlans, keysOf } from '../../sandbox/keyring.ts';
import type { Hint } from '../declaration/schemas.ts';
import { renderOffset } from './duration.ts';

/**
 * The hints about a request, by the document that is served to its sandbox. They are found when a
 * journal is read or a line is logged, not while the request is answered.
 */
export function findHints(entry: JournalEntry, contract: Contract): readonly Hint[] {
  const messages: readonly (readonly [Hint['kind'], string | undefined])[] = [
    ['path', explainPath(entry, contract)],
    ['query-parameter', explainQuery(entry, contract)],
    ['credential', explainKey(entry, contract)],
    ['preference', explainPreference(entry, contract)],
    ['clock', explainClock(entry)],
    ['stub', explainStub(entry)],
  ];
  return messages.flatMap(([kind, message]) => (message === undefined ? [] : [{ kind, message }]));
}

/** Which day it is in a sandbox whose clock was moved or frozen; undefined for any other. */
function explainClock({ clues, at, sandbox }: JournalEntry): string | undefined {
  const clock = clues?.clock;
  if (clock === undefined) return undefined;
  const date = new Date(at).toISOString().slice(0, 10);
  const state = clock.kind === 'frozen' ? 'frozen' : renderOffset(clock.ahead);
  return `It is ${date} in the sandbox ${sandbox}: its clock is ${state}.`;
}

/** What a stub breaks of the contract, or why one that is near was not for the request. */
function explainStub({ stub }: JournalEntry): string | undefined {
  switch (stub?.kind) {
    case 'applied':
      return stub.breaks.length === 0
        ? undefined
        : `${stub.id} breaks the contract: ${stub.breaks.join(' ')}`;
    case 'missed':
      return `${stub.id} was not applied: ${stub.reason}.`;
    case undefined:
    default:
      return undefined;
  }
}

/** Which keys there are, or how one is sent, where a request was refused for its key. */
function explainKey(
  { refusal, credential, operation: id, clues }: JournalEntry,
  contract: Contract,
): string | undefined {
  if (refusal?.reason !== 'unauthorized') return undefined;
  const operation = contract.operations.find((one) => one.id === id);
  if (credential === 'missing') return operation && explainForm(operation, contract);
  const meant = clues?.nearKey === undefined ? '' : `Did you mean ${clues.nearKey}? `;
  return `${meant}${describeKeys(contract)}`;
}

/** How a key is shown by the first scheme of an operation that has one. */
function explainForm({ security }: Operation, contract: Contract): string | undefined {
  const scheme = security.flat().find(isCredential);
  const [first] = keysOf(contract);
  const field = scheme && first && renderCredential(scheme, first.key);
  if (field === undefined) return undefined;
  const { in: place, name, value } = field;
  if (place === 'query') return `Send the key as ?${encodeURIComponent(name)}=${value}.`;
  return place === 'cookie'
    ? `Send the key as Cookie: ${name}=${value}.`
    : `Send the key as ${name}: ${value}.`;
}

/** The keys that the mock takes. */
function describeKeys(contract: Contract): string {
  const keys = keysOf(contract).map(({ key }) => key);
  if (contract.rateLimit === undefined || contract.rateLimit.plans.length === 0)
    return `Any key works, except one that begins with "invalid" or is almost ${keys.join(', ')}.`;
  const forms = [...keyPlans(contract).keys()].map((word) => `${word}_<name>`);
  return `Valid keys: ${keys.join(', ')}, and any of the form ${forms.join(', ')}.`;
}

/** More are not named. */
const mostNames = 3;

/** Which names of a query an operation does not have, and which were meant. */
function explainQuery(entry: JournalEntry, contract: Contract): string | undefined {
  const operation = contract.operations.find(({ id }) => id === entry.operation);
  const names = operation === undefined ? [] : [...new Set(namesOf(entry))];
  if (operation === undefined || names.length === 0) return undefined;
  const known = knownNames(operation, contract);
  if (known === 'any') return undefined;
  const unknown = names.filter(
    (name) => !known.has(name) && !known.has(name.split('[', 1)[0] ?? ''),
  );
  const told = unknown.slice(0, mostNames).map((name) => explainName(name, operation));
  const more = unknown.length - told.length;
  if (told.length === 0) return undefined;
  return more > 0 ? `${told.join(' ')} And ${more} more.` : told.join(' ');
}

function explainName(name: string, { id, parameters }: Operation): string {
  const all = parameters.filter((one) => one.in === 'query').map((one) => one.name);
  const near = nearestName(name, all);
  if (near !== undefined) return `Unknown query parameter ${name}; did you mean ${near}?`;
  return `Unknown query parameter ${name}; ${id} has ${all.length === 0 ? 'none' : all.join(', ')}.`;
}

/** The names in the query of a request; of one that was cut off, the whole ones. */
function namesOf({ target, clues }: JournalEntry): readonly string[] {
  if (clues?.queryNames !== undefined) return clues.queryNames;
  const mark = target.indexOf('?');
  if (mark === -1) return [];
  const query = target.slice(mark + 1);
  const whole = query.endsWith('...') ? query.slice(0, query.lastIndexOf('&')) : query;
  return queryPairs(whole).map(({ name }) => name);
}

/** Names that stand for something in the query of an operation; `any` where every name may. */
function knownNames(operation: Operation, { operations }: Contract): ReadonlySet<string> | 'any' {
  const known = new Set<string>();
  const schemes = operations.flatMap(({ security }) => security.flat());
  for (const scheme of schemes)
    if (scheme.kind === 'api-key' && scheme.in === 'query') known.add(scheme.name);
  for (const { name } of queryPairs(operation.path.split('?')[1] ?? '')) known.add(name);
  for (const parameter of operation.parameters) {
    if (parameter.in !== 'query') continue;
    known.add(parameter.name);
    const isSpread = parameter.explode && parameter.style !== 'deepObject';
    for (const { properties, additional } of isSpread ? objectShapes(parameter.schema) : []) {
      if (additional !== false) return 'any';
      for (const name of properties.keys()) known.add(name);
    }
  }
  return known;
}

/** A path of the document that may have been meant. */
interface Meant {
  readonly operation: Operation;
  /** As it is sent, with the base path. */
  readonly path: string;
  readonly isExact: boolean;
}

/** The path that was meant, where the one that was sent is unknown; undefined where none is near. */
function explainPath(entry: JournalEntry, contract: Contract): string | undefined {
  if (entry.refusal?.reason !== 'unknown_path' || entry.operation !== undefined) return undefined;
  const [path = ''] = entry.target.split('?');
  const there = contract.operations.filter(({ deprecation }) => {
    const sunset = deprecation?.sunset;
    return sunset === undefined || entry.at < Date.parse(sunset);
  });
  const sent = restsOf(path, contract.basePath);
  const meant = sent.flatMap((segments) =>
    there.flatMap((one) => matchOperation(one, segments, contract.basePath)),
  );
  // There are methods of this path, and the mock was told to hide them.
  if (meant.some((one) => one.path === path)) return undefined;
  const usual = meant.filter(({ operation }) => operation.method === entry.method);
  const best =
    usual.find(({ isExact }) => isExact) ??
    meant.find(({ isExact }) => isExact) ??
    usual[0] ??
    meant[0];
  return best && `Did you mean ${best.operation.method} ${best.path}?`;
}

/**
 * What may stand below the base path, by segments: all of the path; what is left without its first
 * segments where these are the base path or parts that base paths mostly have, such as `/api/v2`.
 */
function restsOf(path: string, basePath: string): readonly (readonly string[])[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  const base = new Set(basePath.split('/').filter((segment) => segment !== ''));
  const first = segments.findIndex(
    (segment) => !base.has(segment.toLowerCase()) && !/^(?:api|v\d+)$/i.test(segment),
  );
  const most = first === -1 ? segments.length : first;
  return Array.from({ length: most + 1 }, (_, index) => segments.slice(most - index));
}

/** An operation whose path has these segments, or nearly has. */
function matchOperation(
  operation: Operation,
  segments: readonly string[],
  basePath: string,
): readonly Meant[] {
  const template = (operation.path.split(/[?#]/)[0] ?? '').split('/').slice(1);
  const wanted = template.at(-1) === '' ? template.slice(0, -1) : template;
  const isNamed = wanted.some((part) => !part.includes('{'));
  if (wanted.length !== segments.length || !isNamed) return [];
  const found = wanted.map((part, index) => matchSegment(part, segments[index] ?? ''));
  if (found.some((part) => part === undefined)) return [];
  const path = `${basePath}/${template.map((_, index) => found[index] ?? '').join('/')}`;
  return [{ operation, path, isExact: found.every((part, index) => part === segments[index]) }];
}

/** The segment that was meant; undefined where another one was. */
function matchSegment(part: string, sent: string): string | undefined {
  if (!part.includes('{')) return part === sent ? sent : nearestName(sent, [part]);
  return parsePathTemplate(`/${part}`).match(`/${sent}`) === undefined ? undefined : sent;
}

/** Which preferences of a request were not followed, and why; undefined where all were. */
function explainPreference(entry: JournalEntry, contract: Contract): string | undefined {
  const prefer = entry.clues?.prefer;
  if (prefer === undefined) return undefined;
  const sent = parsePreferences(prefer);
  const operation = contract.operations.find(({ id }) => id === entry.operation);
  const reasons = [...sent].flatMap(([name, value]) => {
    const reason = explainOne(name, value, { entry, operation, prefer });
    return reason === undefined
      ? []
      : [`Prefer: ${name}${value === '' ? '' : `=${value}`} was ignored: ${reason}.`];
  });
  return reasons.length === 0 ? undefined : reasons.join(' ');
}

interface Sent {
  readonly entry: JournalEntry;
  readonly operation: Operation | undefined;
  readonly prefer: string;
}

function explainOne(name: string, value: string, sent: Sent): string | undefined {
  const { code, wait } = readPreference({ prefer: sent.prefer }) ?? {};
  switch (name) {
    case 'wait':
      if (wait === undefined) return 'it must be a number of seconds';
      return Number(value) > wait ? `the mock waits at most ${wait} seconds` : undefined;
    case 'code':
      return code === undefined ? 'it must be a status of three digits' : explainCode(code, sent);
    case 'example':
      return explainExample(value, code, sent);
    default:
      return explainUnknownPreference(name);
  }
}

function explainUnknownPreference(name: string): string {
  const near = nearestName(name, ['code', 'example', 'wait']);
  return `the mock supports code, example and wait${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

function explainCode(code: number, { entry, operation }: Sent): string | undefined {
  if (entry.status === code || isFollowed(entry, `code=${code}`)) return undefined;
  const earlier = explainEarlier(entry, operation);
  if (earlier !== undefined || operation === undefined) return earlier;
  const statuses = operation.responses.map(({ status }) => status);
  const isThere = [`${code}`, `${Math.floor(code / 100)}XX`].some((one) => statuses.includes(one));
  return isThere ? undefined : `${operation.id} documents ${statuses.join(', ')}`;
}

function explainExample(name: string, code: number | undefined, sent: Sent): string | undefined {
  const { entry, operation } = sent;
  if (isFollowed(entry, 'example=')) return undefined;
  const earlier = explainEarlier(entry, operation);
  if (earlier !== undefined || operation === undefined) return earlier;
  const responses = operation.responses.filter(
    ({ status }) => code === undefined || status === `${code}`,
  );
  const names = responses.flatMap(({ content }) =>
    content.flatMap(({ examples }) => examples.map((one) => one.name)),
  );
  const known = [...new Set(names)].filter((one) => one !== '');
  const place = code === undefined ? operation.id : `the ${code} of ${operation.id}`;
  if (known.includes(name)) return undefined;
  return known.length === 0
    ? `${place} has no named examples`
    : `${place} has the examples ${known.join(', ')}`;
}

/** What came before the preference; undefined where nothing did. */
function explainEarlier(
  { refusal, fault }: JournalEntry,
  operation: Operation | undefined,
): string | undefined {
  if (operation === undefined) return 'the document has no operation for this path and method';
  if (fault !== undefined && refusal?.check === 'fault') return 'an injected fault came first';
  if (refusal?.check === 'rate-limit') return 'the rate limit was exceeded';
  return refusal?.check === 'credential' ? 'the key was rejected first' : undefined;
}

function isFollowed({ preferred }: JournalEntry, start: string): boolean {
  return preferred.split(', ').some((one) => one.startsWith(start));
}
