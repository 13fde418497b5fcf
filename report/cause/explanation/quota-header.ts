import { type RateLimitHeaderNames, largest } from '../../../contract/index.ts';
import { headerOf } from '../../../conformance/index.ts';
import type { Log } from '../log/reading.ts';
import { missingHeaders, readingsOf, type Symptom } from '../log/symptom.ts';
import { countOf } from '../../../view/count.ts';
import type { Claim } from '../claim/claim.ts';
import { cutValue, listWords } from '../claim/words.ts';

type Role = keyof RateLimitHeaderNames;

/** Requests were served that the limit had to turn away: what its headers count wrong comes of it. */
export function explainUnheldLimit(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const limited = log.contract.rateLimit?.status ?? 429;
  const served = symptoms.filter(
    (each) => facetOf(each) === 'exceeded' && each.reading.response?.status !== limited,
  );
  if (served.length === 0) return [];
  const counts = ['exceeded', 'remaining-counts', 'remaining-monotonic', 'returns'];
  const isBeyond = ({ reading }: Symptom): boolean =>
    reading.exchange.intent.kind === 'beyond' || reading.expected === limited;
  const own = symptoms.filter((each) => counts.includes(facetOf(each) ?? '') || isBeyond(each));
  const operations = new Set(readingsOf(served).map(({ operation }) => operation?.id));
  return [
    {
      kind: 'unheld-limit',
      sentence: `The limit is not held: ${countOf(readingsOf(served).length, 'request')} of ${listWords([...operations].map(String))} ${readingsOf(served).length === 1 ? 'was' : 'were'} served beyond it.`,
      symptoms: own,
      counted: readingsOf(served),
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
      splitByForm(own).map((some) => claim(tell(names[role], role, some, log), some)),
    );
  if (fixed.length === 0) return claims;
  const headers = listWords(fixed.map(({ role }) => names[role]));
  const sentence = `Headers of the rate limit say "${cutValue(value ?? '')}" in every response: ${headers}.`;
  return [
    claim(
      sentence,
      fixed.flatMap(({ own }) => own),
    ),
    ...claims,
  ];
}

function claim(sentence: string, symptoms: readonly Symptom[]): Claim {
  return { kind: 'quota-header', sentence, symptoms };
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

function tell(name: string, role: Role, symptoms: readonly Symptom[], log: Log): string {
  const readings = readingsOf(symptoms);
  const values = readings.flatMap(({ response }) =>
    response === undefined ? [] : (headerOf(response, name) ?? []),
  );
  const found = role === 'reset' ? describeReset(values, log) : undefined;
  const facets = symptoms.filter(({ requirement: { subject } }) => subject.kind === 'rate-limit');
  const told = facets.find(isWrongLimit) ?? facets[0];
  const { expected = '', received = values[0] ?? '' } = told?.failure ?? {};
  const due = told === undefined || found !== undefined ? '' : `, expected ${expected}`;
  const example = received === '' ? '' : `, such as "${cutValue(received)}"${due}`;
  return `${name} ${found ?? 'is wrong'} in ${countOf(readings.length, 'response')}${example}.`;
}

/** What the values of Reset look like, where they all look alike. */
function describeReset(values: readonly string[], { contract }: Log): string | undefined {
  const windows = contract.rateLimit?.windows.map(({ seconds }) => seconds) ?? [];
  const longest = largest(windows, 86_400);
  const forms: readonly (readonly [words: string, test: (text: string) => boolean])[] = [
    ['is empty', (text) => text === ''],
    ['looks like seconds to go, not a timestamp,', (text) => isWithin(text, 0, longest)],
    ['looks like milliseconds, not seconds,', (text) => isWithin(text, 1e12, 1e14)],
    ['looks like nanoseconds, not seconds,', (text) => isWithin(text, 1e17, 1e20)],
    ['has fractions of a second', (text) => /^\d{9,11}\.\d+$/.test(text)],
    ['is an ISO 8601 date, no Unix time,', (text) => /^\d{4}-\d\d-\d\d/.test(text)],
    ['is a date in words, no Unix time,', (text) => /^[A-Z][a-z]{2},? /.test(text)],
  ];
  return values.length === 0
    ? undefined
    : forms.find(([, test]) => values.every((text) => test(text)))?.[0];
}

function isWithin(text: string, least: number, most: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
}
