import type { RateLimitHeaderNames } from '../../../contract/index.ts';
import { headerOf } from '../../../conformance/index.ts';
import type { Log } from '../log/reading.ts';
import { missingHeaders, readingsOf, type Symptom } from '../log/symptom.ts';
import { ofShards } from '../fact/condition.ts';
import { formOf } from '../fact/header-form.ts';
import { failing, type Claim } from '../claim/claim.ts';

type Role = keyof RateLimitHeaderNames;

/** Requests were served that the limit had to turn away: what its headers count wrong comes of it. */
export function explainUnheldLimit(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const policy = log.contract.rateLimit;
  const served = symptoms.filter(
    (each) => facetOf(each) === 'exceeded' && (each.reading.response?.status ?? 599) < 300,
  );
  const [first] = served;
  if (first === undefined || policy === undefined) return [];
  const counts = ['exceeded', 'remaining-counts', 'remaining-monotonic', 'returns'];
  const isBeyond = ({ reading }: Symptom): boolean =>
    reading.exchange.intent.kind === 'beyond' || reading.expected === policy.status;
  const own = symptoms.filter((each) => counts.includes(facetOf(each) ?? '') || isBeyond(each));
  const { reading, failure } = first;
  const [limit, reset] = [policy.headers.limit, policy.headers.reset].map((name) =>
    reading.response === undefined ? undefined : headerOf(reading.response, name),
  );
  const isWindow = reading.exchange.intent.kind !== 'beyond';
  if (isWindow && (limit === undefined || reset === undefined)) return [];
  return [
    {
      kind: 'unheld-limit',
      outcome: { kind: 'served' },
      operations: [],
      among: [
        isWindow
          ? { kind: 'window', limit: limit ?? '', reset: reset ?? '' }
          : { kind: 'beyond' as const },
        ...(isWindow ? ofShards([reading], log) : []),
      ],
      expected: failure.expected,
      symptoms: own,
      leads: (symptom) => served.includes(symptom),
    },
  ];
}

function facetOf({ requirement: { subject } }: Symptom): string | undefined {
  return subject.kind === 'rate-limit' ? subject.facet : undefined;
}

/** What is wrong with the values of one header of the rate limit, wherever it is seen. */
export function explainQuotaHeaders(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const names = log.contract.rateLimit?.headers;
  if (names === undefined) return [];
  const byRole = Map.groupBy(symptoms, (symptom) => roleOf(symptom, symptoms, names, log));
  byRole.delete(undefined);
  const groups = [...byRole].flatMap(([role, own]) => (role === undefined ? [] : [{ role, own }]));
  const values = Map.groupBy(groups, ({ role }) => constantOf(names[role], log));
  const [value, fixed = []] =
    [...values].find(([each, some]) => each !== undefined && some.length > 1) ?? [];
  const claims = groups
    .filter((group) => !fixed.includes(group))
    .flatMap(({ role, own }) =>
      splitByForm(own).map((some) => claim(names[role], role, some, log)),
    );
  if (fixed.length === 0) return claims;
  return [
    {
      kind: 'quota-header',
      outcome: {
        kind: 'header-value',
        names: fixed.map(({ role }) => names[role]),
        value: value ?? '',
      },
      operations: [],
      among: [{ kind: 'answered', with: 'any' }],
      symptoms: fixed.flatMap(({ own }) => own),
    },
    ...claims,
  ];
}

/** The value that a header has in every response that carries it, of three at least. */
function constantOf(name: string, log: Log): string | undefined {
  const values = [...log.readings.values()].flatMap(({ response }) =>
    response === undefined ? [] : (headerOf(response, name) ?? []),
  );
  const [value] = values;
  return values.length >= 3 && values.every((each) => each === value) ? value : undefined;
}

/** Values of no form and values that are wrong are two causes, unless one response shows both. */
function splitByForm(group: readonly Symptom[]): readonly (readonly Symptom[])[] {
  const [malformed, wrong] = [true, false].map((isForm) =>
    group.filter(({ requirement: { subject } }) => (subject.kind === 'header') === isForm),
  );
  if (!malformed?.length || !wrong?.length) return [group];
  const readings = new Set(readingsOf(malformed));
  return wrong.some(({ reading }) => readings.has(reading)) ? [group] : [malformed, wrong];
}

/** The header that a symptom is about; Limit, where it is wrong itself, for what is above it. */
function roleOf(
  symptom: Symptom,
  symptoms: readonly Symptom[],
  names: RateLimitHeaderNames,
  log: Log,
): Role | undefined {
  const { subject } = symptom.requirement;
  if (missingHeaders(symptom, log).length > 0) return undefined;
  if (subject.kind === 'header')
    return roles.find((role) => names[role].toLowerCase() === subject.name.toLowerCase());
  if (subject.kind !== 'rate-limit') return undefined;
  switch (subject.facet) {
    case 'plan':
      return 'limit';
    case 'remaining-within-limit':
      return symptoms.some(isWrongLimit) ? 'limit' : 'remaining';
    case 'remaining-counts':
    case 'remaining-monotonic':
      return 'remaining';
    case 'reset-plausible':
      return 'reset';
    case 'retry-after':
      return 'retryAfter';
    case 'headers':
    case 'exceeded':
    case 'returns':
      return undefined;
  }
}

const roles: readonly Role[] = ['limit', 'remaining', 'reset', 'retryAfter'];

function isWrongLimit({ requirement: { subject } }: Symptom): boolean {
  return subject.kind === 'rate-limit' && subject.facet === 'plan';
}

function claim(name: string, role: Role, symptoms: readonly Symptom[], log: Log): Claim {
  const values = readingsOf(symptoms).flatMap(({ response }) =>
    response === undefined ? [] : (headerOf(response, name) ?? []),
  );
  const [value] = values;
  const form = role === 'reset' ? formOf(values, log) : undefined;
  const isConstant = values.every((each) => each === value);
  const facets = symptoms.filter(({ requirement: { subject } }) => subject.kind === 'rate-limit');
  const told = facets.find(isWrongLimit) ?? facets[0];
  const received = told?.failure.received ?? value;
  return {
    kind: 'quota-header',
    outcome:
      form !== undefined
        ? { kind: 'header-form', name, form }
        : isConstant && value !== undefined
          ? { kind: 'header-value', names: [name], value }
          : failing(symptoms),
    operations: [],
    among: [{ kind: 'has-header', name }],
    ...(told === undefined || form !== undefined ? {} : { expected: told.failure.expected }),
    ...(received === undefined ? {} : { received }),
    symptoms,
  };
}
