import type { RateLimitHeaderNames } from '../../contract/openapi/rate-limit.ts';
import { headerOf } from '../../conformance/index.ts';
import { headersOfFacet } from '../model/marks.ts';
import { holds } from './condition.ts';
import { listWords } from './describe.ts';
import type { Condition } from './fact.ts';
import {
  failing,
  formOf,
  groupByReadings,
  isCrash,
  isForeign,
  isServed,
  mediaTypeOf,
  missingHeaders,
  operationsOf,
  readingsOf,
  type Claim,
  type Log,
  type Reading,
  type Symptom,
} from './log.ts';

/**
 * Headers that the same responses lack are one cause. What a crash or somebody else's response lacks
 * belongs to those, unless the service's own responses lack it too.
 */
export function explainMissingHeaders(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const isOwn = ({ reading }: Symptom): boolean => !isCrash(reading) && !isForeign(reading, log);
  const own = new Set(symptoms.filter(isOwn).flatMap((each) => missingHeaders(each, log)));
  const byName = new Map<string, Symptom[]>();
  for (const symptom of symptoms)
    for (const name of missingHeaders(symptom, log))
      if (own.has(name)) byName.set(name, [...(byName.get(name) ?? []), symptom]);
  const claimed = new Set<Symptom>();
  return groupByReadings(byName, ([, some]) => some).flatMap((group) => {
    const names = group.map(([name]) => name);
    const some = [...new Set(group.flatMap(([, each]) => each)).difference(claimed)];
    for (const each of some) claimed.add(each);
    if (some.length === 0) return [];
    const scope = scopeOf(names, readingsOf(some), log);
    return [
      {
        kind: 'missing-header',
        outcome: { kind: 'lacks-headers', names },
        ...scope,
        symptoms: some,
      } satisfies Claim,
    ];
  });
}

type Scope = Required<Pick<Claim, 'operations' | 'among'>>;

/** The narrowest kind of responses that all lack the headers; of none, all of the operations. */
function scopeOf(names: readonly string[], readings: readonly Reading[], log: Log): Scope {
  const codes = new Set(readings.map(({ response }) => String(response?.status)));
  const kinds = ['any', 'errors', 'successes', ...(codes.size === 1 ? codes : [])];
  const own = operationsOf(readings);
  for (const operations of [[], own])
    for (const kind of kinds) {
      const among: Condition = { kind: 'answered', with: kind };
      const within = new Set(
        log.answered.filter(
          (each) =>
            (operations.length === 0 || operations.includes(each.exchange.request.operation)) &&
            holds(among, each),
        ),
      );
      const isLacking = [...within].every(
        ({ response }) =>
          response !== undefined && names.every((name) => headerOf(response, name) === undefined),
      );
      if (isLacking && readings.every((each) => within.has(each) || isCrash(each)))
        return { operations, among: [among] };
    }
  return { operations: own, among: [{ kind: 'answered', with: 'any' }] };
}

/** Errors that the service itself did not write, such as those of a proxy or a framework, by maker. */
export function explainForeign(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const foreign = Map.groupBy(
    log.answered.filter((each) => isForeign(each, log)),
    ({ response }) => JSON.stringify(response && [mediaTypeOf(response), serverOf(response)]),
  );
  return [...foreign.values()].flatMap((readings): readonly Claim[] => {
    const own = symptoms.filter(({ reading }) => readings.includes(reading));
    const [first] = readings;
    if (own.length === 0 || first?.response === undefined) return [];
    const statuses = readings.map(({ response }) => String(response?.status)).toSorted();
    const server = serverOf(first.response);
    return [
      {
        kind: 'foreign-response',
        outcome: { kind: 'foreign', mediaType: mediaTypeOf(first.response), server },
        operations: [],
        among: [{ kind: 'answered', with: 'errors' }],
        form: formOf(first),
        received: listWords(statuses),
        symptoms: own,
      },
    ];
  });
}

function serverOf(response: Parameters<typeof headerOf>[0]): string {
  return headerOf(response, 'server') ?? '';
}

/**
 * A limit that does not hold, and what its headers count wrong then; else what is wrong with the values
 * of one header of the limit, wherever it is seen.
 */
export function explainLimit(symptoms: readonly Symptom[], { contract }: Log): readonly Claim[] {
  const policy = contract.rateLimit;
  if (policy === undefined) return [];
  const claims: Claim[] = [];
  const beyond = symptoms.filter((each) => facetOf(each) === 'exceeded' && isServed(each.reading));
  const [first] = beyond;
  const counts = ['exceeded', 'remaining-counts', 'remaining-monotonic', 'returns'];
  const { unheld = [], rest = [] } = Object.groupBy(symptoms, (each) =>
    first !== undefined &&
    (counts.includes(facetOf(each) ?? '') ||
      each.reading.exchange.intent.kind === 'beyond' ||
      each.reading.expected === policy.status)
      ? 'unheld'
      : 'rest',
  );
  if (first !== undefined)
    claims.push({
      kind: 'unheld-limit',
      outcome: failing(beyond),
      operations: [],
      expected: first.failure.expected,
      received: first.failure.received,
      symptoms: unheld,
      leads: (each) => beyond.includes(each),
    });
  const isLimitWrong = symptoms.some((each) => facetOf(each) === 'plan');
  const byHeader = Map.groupBy(rest, (each) => headerOfLimit(each, policy.headers, isLimitWrong));
  for (const [name, all] of byHeader)
    for (const own of name === undefined ? [] : divideByResponse(all)) {
      const lead = own.find((each) => facetOf(each) === 'plan') ?? own[0];
      claims.push({
        kind: 'quota-header',
        outcome: failing(own),
        operations: [],
        among: [{ kind: 'has-header', name: name ?? '' }],
        expected: lead?.failure.expected,
        received: lead?.failure.received,
        symptoms: own,
        leads: (symptom) => symptom === lead,
      });
    }
  return claims;
}

/** The header that a symptom is about; Limit, where it is wrong itself, for a count above it. */
function headerOfLimit(
  symptom: Symptom,
  headers: RateLimitHeaderNames,
  isLimitWrong: boolean,
): string | undefined {
  const { subject } = symptom.requirement;
  if (subject.kind === 'header')
    return Object.values(headers).find((name) => name.toLowerCase() === subject.name.toLowerCase());
  const facet = facetOf(symptom);
  if (facet === undefined || facet === 'headers') return undefined;
  return isLimitWrong && facet === 'remaining-within-limit'
    ? headers.limit
    : headersOfFacet(facet, headers)[0];
}

/** What is wrong with the form of a header, and with what it counts: one cause if in the same response. */
function divideByResponse(symptoms: readonly Symptom[]): readonly (readonly Symptom[])[] {
  const { form = [], count = [] } = Object.groupBy(symptoms, (each) =>
    facetOf(each) === undefined ? 'form' : 'count',
  );
  const readings = new Set(count.map(({ reading }) => reading));
  const isShared = form.some(({ reading }) => readings.has(reading));
  return isShared || form.length * count.length === 0 ? [symptoms] : [form, count];
}

function facetOf({ requirement: { subject } }: Symptom) {
  return subject.kind === 'rate-limit' ? subject.facet : undefined;
}
