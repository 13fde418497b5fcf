import type { Contract } from '../../contract/contract.ts';
import { renderPointer } from '../../contract/json/pointer.ts';
import type { RateLimitHeaderNames } from '../../contract/openapi/rate-limit.ts';
import type { Requirement, Exchange } from '../../conformance/index.ts';
import type { ExchangeMarks } from '../../page/view/exchange.ts';
import { layOutJson } from '../../page/view/json.ts';
import type { Contrast } from './contrast.ts';

export interface Shown {
  readonly requirement: Requirement;
  readonly expected: string;
  readonly received: string;
  readonly contrast: Contrast;
  readonly at: string | undefined;
}

/** What to mark in an exchange of a failure: `isLast` in the one that shows it. */
export function markExchange(
  shown: Shown,
  { request, outcome }: Exchange,
  isLast: boolean,
  contract: Contract,
): ExchangeMarks {
  const { at, requirement } = shown;
  const { subject } = requirement;
  const members = membersOf(requirement, contract);
  const sent =
    subject.kind === 'request'
      ? [renderPointer(subject.path.map((step) => (step === '[]' ? 0 : step)))]
      : findAll(request.body, members);
  const requestMarks = { requestBody: request.body === undefined ? [] : sent };
  if (!isLast || outcome.kind === 'no-response') return requestMarks;
  return {
    ...requestMarks,
    target: subject.kind === 'parameter',
    status: isOfStatus(shown),
    headers: headersOf(shown, contract),
    body: at === undefined ? findAll(outcome.response.body, members).slice(0, 1) : [at],
  };
}

function membersOf({ subject }: Requirement, { resources }: Contract): readonly string[] {
  if (subject.kind === 'state' && 'member' in subject) return [subject.member];
  const isOfId =
    (subject.kind === 'state' || subject.kind === 'concurrency') &&
    /^(id-|distinct|unique|not-written|removed)/.test(subject.facet);
  return isOfId ? resources.map(({ idPlace }) => idPlace.at(-1) ?? '') : [];
}

function findAll(text: string | undefined, names: readonly string[]): readonly string[] {
  if (text === undefined || names.length === 0) return [];
  const places = layOutJson(text)?.flatMap(({ parts }) => parts.flatMap(({ at }) => at ?? []));
  return (places ?? []).filter((at) => names.some((name) => at.endsWith(renderPointer([name]))));
}

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
