import type { Requirement } from '../../contract/requirement/requirement.ts';
import { headerOf, type Failure, type Verdict } from '../../conformance/index.ts';
import type { CauseFact, CauseKind, CauseOutcome, Condition, Form } from './fact.ts';
import { isCrash, unknownReading, type Log, type Reading } from './reading.ts';

/** One failure of one requirement, with the exchanges that show it. */
export interface Symptom {
  readonly requirement: Requirement;
  readonly failure: Failure;
  /** The exchange in which it was found first, before a smaller one was looked for. */
  readonly reading: Reading;
  /** Further exchanges that the contradiction needs. */
  readonly others: readonly Reading[];
}

/** Symptoms that one cause explains, and what is to be said of them; the log says how often. */
export interface Claim {
  readonly kind: CauseKind;
  readonly outcome: CauseOutcome;
  /** Which exchanges are counted; by default all of the operations of the symptoms. */
  readonly among?: readonly Condition[];
  readonly operations?: readonly string[];
  /** What sets those apart that have the outcome. */
  readonly condition?: Condition | undefined;
  readonly form?: Form | undefined;
  readonly alteration?: CauseFact['alteration'];
  readonly expected?: string;
  readonly received?: string | undefined;
  /** None is in another claim. */
  readonly symptoms: readonly Symptom[];
  /** The symptom whose requirement carries the cause; by default the first as reports order them. */
  readonly leads?: (symptom: Symptom) => boolean;
}

/** Finds causes among the symptoms that nothing deeper has explained; leaves the others to the next. */
export type Explanation = (symptoms: readonly Symptom[], log: Log) => readonly Claim[];

/** The outcome of exchanges about which no more can be said than what fails in them. */
export function failing(symptoms: readonly Symptom[]): CauseOutcome {
  return {
    kind: 'fails',
    requirements: [...new Set(symptoms.map(({ requirement }) => requirement.id))],
  };
}

/** What nothing explains further: each requirement is a cause of its own. */
export function explainRest(symptoms: readonly Symptom[]): readonly Claim[] {
  return [...Map.groupBy(symptoms, ({ requirement }) => requirement).values()].map((own) => ({
    kind: 'requirement',
    outcome: failing(own),
    symptoms: own,
  }));
}

/** The failures of verdicts, in their order. */
export function readSymptoms(verdicts: readonly Verdict[], { readings }: Log): readonly Symptom[] {
  return verdicts.flatMap((verdict) => {
    if (verdict.kind !== 'failed') return [];
    return verdict.failures.map((failure) => {
      const { exchange, others } = failure.shrunkFrom ?? failure;
      return {
        requirement: verdict.requirement,
        failure,
        reading: readings.get(exchange) ?? unknownReading(exchange),
        others: others.flatMap((index) => readings.get(index) ?? []),
      };
    });
  });
}

/** The exchanges of symptoms, each once, in the order in which they happened. */
export function readingsOf(symptoms: readonly Symptom[]): readonly Reading[] {
  return [...new Set(symptoms.map(({ reading }) => reading))].toSorted(
    (one, other) => one.exchange.index - other.exchange.index,
  );
}

/** The symptoms that were found in some exchanges. */
export function symptomsOf(
  symptoms: readonly Symptom[],
  readings: readonly Reading[],
): readonly Symptom[] {
  const within = new Set(readings);
  return symptoms.filter(({ reading }) => within.has(reading));
}

/** The request was answered another status than it had to be. */
export function isWrongStatus({ requirement: { subject }, reading }: Symptom): boolean {
  const isForm = subject.kind === 'body' || subject.kind === 'header';
  const isQuota = subject.kind === 'rate-limit' && subject.facet !== 'exceeded';
  return !isForm && !isQuota && reading.expected !== undefined && !isAsExpected(reading);
}

/** The outcome of a response: that it was served where it had to be refused, or its status. */
export function outcomeOf({ response, expected = 0 }: Reading): CauseOutcome {
  const status = response?.status ?? 599;
  return status < 300 && expected >= 300 ? { kind: 'served' } : { kind: 'status', status };
}

export function isAsExpected({ expected, response }: Reading): boolean {
  return expected === response?.status;
}

/** The headers that a response lacks as a symptom has it; empty for any other symptom. */
export function missingHeaders(
  { requirement: { subject }, reading: { response } }: Symptom,
  { contract }: Log,
): readonly string[] {
  if (response === undefined) return [];
  const quota = contract.rateLimit?.headers;
  const isQuota = subject.kind === 'rate-limit' && subject.facet === 'headers';
  const names =
    isQuota && quota !== undefined
      ? [quota.limit, quota.remaining, quota.reset]
      : subject.kind === 'header'
        ? [subject.name]
        : [];
  return names.filter((name) => headerOf(response, name) === undefined);
}

/** The symptoms that exchanges explain: not what the rate limit also shows in others. */
export function symptomsWithin(
  symptoms: readonly Symptom[],
  readings: readonly Reading[],
): readonly Symptom[] {
  const within = new Set(readings);
  const elsewhere = new Set(
    symptoms
      .filter(({ reading }) => !within.has(reading) && !isCrash(reading))
      .map(({ requirement }) => requirement),
  );
  return symptoms.filter(
    ({ requirement, reading }) =>
      within.has(reading) && !(isOfQuota(requirement) && elsewhere.has(requirement)),
  );
}

function isOfQuota({ subject }: Requirement): boolean {
  return subject.kind === 'rate-limit' && subject.facet !== 'exceeded';
}

/** What is wrong with the form of a response, whatever the operation; undefined for other symptoms. */
export function formFault({
  requirement: { subject },
  failure,
  reading,
}: Symptom): string | undefined {
  if (subject.kind === 'header') return `header ${subject.name}`;
  if (subject.kind !== 'body') return undefined;
  switch (subject.part) {
    case 'content-type':
      return `content type ${failure.received}`;
    case 'whole':
      return beginningOf(reading);
    case 'error':
      return subject.facet;
    case 'member': {
      const path = subject.path.filter((step) => step !== '[]');
      return subject.path.length === 0
        ? beginningOf(reading)
        : `${path.join('.')} ${subject.facet}`;
    }
  }
}

/** How a body begins that is wrong as a whole: alike where the same is done to it. */
function beginningOf({ response, body }: Reading): string {
  const [first = 'nothing'] = response?.body.trimStart() ?? '';
  const kind = /[\p{L}\d-]/u.test(first) ? 'word' : first;
  return `body ${kind} ${body === undefined ? 'text' : body === null ? 'null' : typeof body}`;
}

/** The member that a symptom of a body or a state is about; undefined for any other. */
export function memberOf({ requirement: { subject } }: Symptom): string | undefined {
  if (subject.kind === 'state')
    return ['echo', 'read', 'spaces'].includes(subject.facet) && 'member' in subject
      ? subject.member
      : undefined;
  if (subject.kind !== 'body' || subject.part !== 'member') return undefined;
  const path = subject.path.filter((step) => step !== '[]');
  return path.length === 1 ? path[0] : undefined;
}
