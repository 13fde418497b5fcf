import type { RateLimitHeaderNames } from '../../contract/openapi/rate-limit.ts';
import { headerOf } from '../../conformance/index.ts';
import { headersOfFacet } from '../model/marks.ts';
import { holds } from './condition.ts';
import { listWords } from './describe.ts';
import type { Condition } from './fact.ts';
import {
  formOf,
  isCrash,
  isForeign,
  isServed,
  mediaTypeOf,
  operationsOf,
  quotaHeadersOf,
  type Log,
  type Reading,
} from './reading.ts';
import {
  failing,
  missingHeaders,
  readingsOf,
  symptomsWithin,
  type Claim,
  type Symptom,
} from './symptom.ts';

/**
 * Errors that the service itself did not write, such as those of a proxy in front or of the framework
 * beneath. Where its own errors lack the headers too, that is another cause.
 */
export function explainForeignResponses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const answered = [...log.readings.values()].filter((each) => !isCrash(each));
  const foreign = new Set(answered.filter((each) => isForeign(each, log)));
  const isOwnBare = answered.some(
    (each) =>
      each.response !== undefined &&
      quotaHeadersOf(each.response, log.contract).length === 0 &&
      !foreign.has(each),
  );
  return [...Map.groupBy(foreign, signatureOf).values()].flatMap((readings): readonly Claim[] => {
    const [first] = readings;
    const own = symptomsWithin(symptoms, readings).filter(
      (symptom) => !isOwnBare || missingHeaders(symptom, log).length === 0,
    );
    if (own.length === 0 || first?.response === undefined) return [];
    const statuses = readings.map(({ response }) => String(response?.status)).toSorted();
    const server = headerOf(first.response, 'server') ?? '';
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

function signatureOf({ response }: Reading): string {
  if (response === undefined) return '';
  return `${mediaTypeOf(response)} ${headerOf(response, 'server') ?? ''}`;
}

/** Headers that no response of the run has, so that their lack explains nothing else. */
export function explainUnknownHeaders(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const answered = [...log.readings.values()].filter((each) => !isCrash(each)).length;
  return explainMissingHeaders(symptoms, log).filter(
    ({ symptoms: own }) => answered > 1 && readingsOf(own).length === answered,
  );
}

/** Headers that the same responses lack are one cause. */
export function explainMissingHeaders(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const byName = new Map<string, Set<number>>();
  for (const symptom of symptoms)
    for (const name of missingHeaders(symptom, log))
      byName.set(name, (byName.get(name) ?? new Set()).add(symptom.reading.exchange.index));
  const groups = Map.groupBy(byName, ([, indexes]) =>
    [...indexes].toSorted((a, b) => a - b).join(' '),
  );
  return [...groups.values()].flatMap((group): readonly Claim[] => {
    const names = group.map(([name]) => name);
    const own = symptoms.filter((symptom) => names.includes(missingHeaders(symptom, log)[0] ?? ''));
    if (own.length === 0) return [];
    return [
      {
        kind: 'missing-header',
        outcome: { kind: 'lacks-headers', names },
        ...scopeOf(names, readingsOf(own), log),
        symptoms: own,
      },
    ];
  });
}

type Scope = Required<Pick<Claim, 'operations' | 'among'>>;

/** The narrowest kind of responses that all lack the headers; of none, all of the operations. */
function scopeOf(names: readonly string[], readings: readonly Reading[], log: Log): Scope {
  const answered = [...log.readings.values()].filter((each) => !isCrash(each));
  const codes = new Set(readings.map(({ response }) => String(response?.status)));
  const kinds = ['any', 'errors', 'successes', ...(codes.size === 1 ? codes : [])];
  const own = operationsOf(readings);
  for (const operations of [[], own])
    for (const kind of kinds) {
      const among: Condition = { kind: 'answered', with: kind };
      const within = new Set(
        answered.filter(
          (each) =>
            (operations.length === 0 || operations.includes(each.exchange.request.operation)) &&
            holds(among, each),
        ),
      );
      const isLacking = [...within].every(
        ({ response }) =>
          response !== undefined && names.every((name) => headerOf(response, name) === undefined),
      );
      if (isLacking && readings.every((each) => within.has(each)))
        return { operations, among: [among] };
    }
  return { operations: own, among: [{ kind: 'answered', with: 'any' }] };
}

/** Requests were served over the limit: what its headers count wrong follows from that. */
export function explainUnheldLimit(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const policy = log.contract.rateLimit;
  const first = symptoms.find(isBeyond);
  if (first === undefined || policy === undefined) return [];
  const counts = ['exceeded', 'remaining-counts', 'remaining-monotonic', 'returns'];
  const own = symptoms.filter(
    (each) =>
      counts.includes(facetOf(each) ?? '') ||
      each.reading.exchange.intent.kind === 'beyond' ||
      each.reading.expected === policy.status,
  );
  const { expected, received } = first.failure;
  return [
    {
      kind: 'unheld-limit',
      outcome: failing(own.filter(isBeyond)),
      operations: [],
      expected,
      received,
      symptoms: own,
      leads: isBeyond,
    },
  ];
}

function isBeyond(symptom: Symptom): boolean {
  return facetOf(symptom) === 'exceeded' && isServed(symptom.reading);
}

function facetOf({ requirement: { subject } }: Symptom) {
  return subject.kind === 'rate-limit' ? subject.facet : undefined;
}

/** What is wrong with the values of one header of the rate limit, wherever it is seen. */
export function explainQuotaHeaders(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const names = log.contract.rateLimit?.headers;
  if (names === undefined) return [];
  const isLimitWrong = symptoms.some((each) => facetOf(each) === 'plan');
  const byName = Map.groupBy(symptoms, (symptom) => headerIn(symptom, names, isLimitWrong, log));
  return [...byName].flatMap(([name, own]): readonly Claim[] => {
    if (name === undefined) return [];
    const [first] = own.toSorted(
      (one, other) => Number(facetOf(other) === 'plan') - Number(facetOf(one) === 'plan'),
    );
    return [
      {
        kind: 'quota-header',
        outcome: failing(own),
        operations: [],
        among: [{ kind: 'has-header', name }],
        expected: first?.failure.expected ?? '',
        received: first?.failure.received,
        symptoms: own,
        leads: (symptom) => symptom === first,
      },
    ];
  });
}

/** The header that a symptom is about; Limit, where it is wrong itself, for a count above it. */
function headerIn(
  symptom: Symptom,
  names: RateLimitHeaderNames,
  isLimitWrong: boolean,
  log: Log,
): string | undefined {
  const { subject } = symptom.requirement;
  if (missingHeaders(symptom, log).length > 0) return undefined;
  if (subject.kind === 'header')
    return Object.values(names).find((name) => name.toLowerCase() === subject.name.toLowerCase());
  const facet = facetOf(symptom);
  if (facet === undefined || facet === 'headers') return undefined;
  return isLimitWrong && facet === 'remaining-within-limit'
    ? names.limit
    : headersOfFacet(facet, names)[0];
}
