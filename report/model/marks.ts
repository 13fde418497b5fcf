import type { Contract } from '../../contract/contract.ts';
import type { RateLimitHeaderNames } from '../../contract/openapi/rate-limit.ts';
import type { Requirement, Exchange } from '../../conformance/index.ts';
import type { ExchangeMarks } from '../../page/view/exchange.ts';
import { layOutJson, type JsonPart } from '../../page/view/json.ts';
import type { Contrast } from './contrast.ts';

/** What a failure is read from. */
export interface Shown {
  readonly requirement: Requirement;
  readonly expected: string;
  readonly received: string;
  readonly contrast: Contrast;
}

/** What to mark in an exchange of a failure: `isLast` in the one that shows it. */
export function markExchange(
  shown: Shown,
  { request, outcome }: Exchange,
  isLast: boolean,
  contract: Contract,
): ExchangeMarks {
  const { subject } = shown.requirement;
  const members = membersOf(shown, contract);
  const sent =
    subject.kind === 'request' ? [pointerOf(subject.path)] : findAll(request.body, members);
  const requestMarks = { requestBody: request.body === undefined ? [] : sent };
  if (!isLast || outcome.kind === 'no-response') return requestMarks;
  return {
    ...requestMarks,
    target: subject.kind === 'parameter',
    status: isOfStatus(shown),
    headers: headersOf(shown, contract),
    body: placesOf(shown, outcome.response.body, members),
  };
}

/** Members that a failure is about without a pointer, by name. */
function membersOf(
  { requirement: { subject }, contrast }: Shown,
  contract: Contract,
): readonly string[] {
  if (subject.kind === 'state' && 'member' in subject) return [subject.member];
  if (subject.kind === 'state' || subject.kind === 'concurrency') {
    const isOfId = /^(id-|distinct|unique|not-written|removed)/.test(subject.facet);
    return isOfId ? contract.resources.map(({ idPlace }) => idPlace.at(-1) ?? '') : [];
  }
  const isNamed = contrast.field !== undefined && /^(?!status$)[^/]+$/.test(contrast.field);
  return isNamed && subject.kind === 'body' ? [contrast.field ?? ''] : [];
}

const itemMark = 'an item with ';

/** Pointers into the body of a response. */
function placesOf(
  { expected, received, contrast, requirement }: Shown,
  body: string,
  members: readonly string[],
): readonly string[] {
  const { field } = contrast;
  if (field === 'the body' || isNoJson.test(expected)) return [''];
  if (field?.startsWith('/') === true) return [field];
  const most = /^at most (\d+) items/.exec(expected)?.[1];
  if (most !== undefined) return [`/${most}`];
  const text = `${expected}\n${received}`;
  const [, name] = /whose `([^`]+)` /.exec(text) ?? [];
  const mark = text.lastIndexOf(itemMark);
  if (requirement.subject.kind === 'parameter' && name !== undefined && mark >= 0)
    return findAll(body, [name], text.slice(mark + itemMark.length)).slice(0, 1);
  const item = identifierOf(received, members);
  if (item !== undefined) return findAll(body, members, item).slice(0, 1);
  const equal =
    contrast.received.value === '' ? [] : findAll(body, members, contrast.received.value);
  return (equal.length > 0 ? equal : findAll(body, members)).slice(0, 1);
}

/** The identifier of an item that was quoted whole. */
function identifierOf(text: string, names: readonly string[]): string | undefined {
  if (!text.startsWith('{')) return undefined;
  const parts = layOutJson(text)?.flatMap((line) => line.parts) ?? [];
  return parts.find(({ at }) => names.some((name) => at === `/${escapeName(name)}`))?.text;
}

/** What is expected of a body that is no JSON. */
const isNoJson = /^(valid JSON in UTF-8|the error shape as JSON)$/;

/** The values of a JSON text that some member has, or that are one certain value there. */
function findAll(
  text: string | undefined,
  names: readonly string[],
  value?: string,
): readonly string[] {
  if (text === undefined || names.length === 0) return [];
  const isFound = ({ at, text: found }: JsonPart): boolean =>
    names.some((name) => at?.endsWith(`/${escapeName(name)}`)) &&
    (value === undefined || value === found);
  const parts = layOutJson(text)?.flatMap((line) => line.parts.filter(isFound)) ?? [];
  return parts.flatMap(({ at }) => at ?? []);
}

/** A path of a schema as a pointer, with 0 for every item. */
function pointerOf(path: readonly string[]): string {
  return path.map((step) => (step === '[]' ? '/0' : `/${escapeName(step)}`)).join('');
}

function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The response headers that a failure is about. */
function headersOf(
  { requirement: { subject }, expected, received }: Shown,
  { rateLimit }: Contract,
): readonly string[] {
  if (subject.kind === 'header') return [subject.name];
  if (subject.kind === 'body') {
    const isOfType = subject.part === 'content-type' || expected.startsWith('the content type');
    return isOfType ? ['Content-Type'] : [];
  }
  if (subject.kind !== 'rate-limit' || rateLimit === undefined) return [];
  const { headers } = rateLimit;
  const text = `${expected} ${received}`;
  const named = Object.values(headers).filter((name) => text.includes(name));
  return named.length > 0 ? named : headersOfFacet(subject.facet, headers);
}

/** The headers that a rule of the rate limit is about; none where it is about a status. */
export function headersOfFacet(
  facet: Extract<Requirement['subject'], { readonly kind: 'rate-limit' }>['facet'],
  { limit, remaining, reset, retryAfter }: RateLimitHeaderNames,
): readonly string[] {
  switch (facet) {
    case 'headers':
      return [limit, remaining, reset];
    case 'remaining-within-limit':
      return [remaining, limit];
    case 'plan':
      return [limit, remaining];
    case 'remaining-counts':
    case 'remaining-monotonic':
      return [remaining];
    case 'reset-plausible':
      return [reset];
    case 'retry-after':
      return [retryAfter];
    case 'exceeded':
    case 'returns':
      return [];
  }
}

/** A status that came too late or too early, which no other field shows. */
function isOfStatus({ requirement: { subject }, contrast }: Shown): boolean {
  const isOfLimit =
    subject.kind === 'rate-limit' && (subject.facet === 'exceeded' || subject.facet === 'returns');
  return contrast.field === 'status' || isOfLimit;
}
