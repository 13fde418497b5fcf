import { isJsonObject, jsonEquals } from '../../../contract/index.ts';
import { idOf, objectsOf, type Log } from '../log/reading.ts';
import { classifyRequests, tellRequests, type RequestClass } from '../log/request-class.ts';
import {
  formFault,
  isAsExpected,
  isWrongStatus,
  readingsOf,
  type Symptom,
} from '../log/symptom.ts';
import { countOf } from '../../../view/count.ts';
import type { Claim, CauseKind } from '../claim/claim.ts';
import { listWords, tellOperations } from '../claim/words.ts';

/** Responses of another status than the request had to get, and the bodies that come with them. */
export function explainStatuses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const wrong = symptoms.filter(isWrongStatus);
  const groups = [...Map.groupBy(wrong, changeOf).values()];
  const claims = groups.flatMap((group) => explainChange(group, log));
  return claims.map((claim) => ({
    ...withTaken(withBodies(claim, symptoms), symptoms, log),
    counted: readingsOf(claim.symptoms),
  }));
}

/** The status that was due and the one that came. */
function changeOf({ reading: { expected, response } }: Symptom): string {
  const status = response?.status ?? 0;
  return `${expected ?? ''} ${status < 300 ? 'served' : status}`;
}

function explainChange(group: readonly Symptom[], log: Log): readonly Claim[] {
  const [{ reading } = {}] = group;
  const { expected = 0, response } = reading ?? {};
  const status = response?.status ?? 0;
  const isRefused = expected < 300 && status >= 300;
  if (isNeverRight(group, log)) return [claimAll(group, expected, status, ', each time')];
  if (expected >= 400 && status >= 400) return [claimAll(group, expected, status, '')];
  if (isRefused) return explainRefusals(group, log);
  const converted = group.filter(isConverted);
  const kinds = new Set(converted.map(({ requirement }) => requirement.id));
  const claims = kinds.size > 1 ? [claimConverted(converted)] : [];
  const left = kinds.size > 1 ? group.filter((each) => !converted.includes(each)) : group;
  return [...claims, ...byRequirement(left, expected, status)];
}

/** Every request of its operations that had to get this status got another. */
function isNeverRight(group: readonly Symptom[], log: Log): boolean {
  const [first] = group;
  const { expected } = first?.reading ?? {};
  const operations = new Set(group.map(({ reading }) => reading.operation));
  const due = [...log.readings.values()].filter(
    (each) =>
      each.expected === expected &&
      operations.has(each.operation) &&
      each.exchange.request.credential === first?.reading.exchange.request.credential,
  );
  return due.length > 1 && !due.some(isAsExpected);
}

function claimAll(
  group: readonly Symptom[],
  expected: number,
  status: number,
  often: string,
): Claim {
  const readings = readingsOf(group);
  return {
    kind: 'wrong-status',
    sentence: `${tellOperations(readings, 'answers', 'answer')} ${status} where ${expected} is due${often}: ${countOf(readings.length, 'request')}.`,
    symptoms: group,
  };
}

/** Requests that keep the contract and were refused, by what they have in common. */
function explainRefusals(group: readonly Symptom[], log: Log): readonly Claim[] {
  const refused = readingsOf(group);
  const served = [...log.readings.values()].filter(isAsExpected);
  return classifyRequests(refused, served).flatMap((each) => {
    const own = group.filter(({ reading }) => each.readings.includes(reading));
    const isClass = each.words !== undefined && each.readings.length > 1;
    return isClass ? [claimRefusal(own, each)] : byRequirement(own, 0, 0);
  });
}

function claimRefusal(own: readonly Symptom[], refused: RequestClass): Claim {
  const [first] = refused.readings;
  const requests = tellRequests({ ...refused, among: 'that keeps the contract' });
  return {
    kind: 'refused-request',
    sentence: `${tellOperations(refused.readings, 'answers', 'answer')} ${first?.response?.status ?? 0}, not ${first?.expected ?? 0}, to ${requests}.`,
    symptoms: own,
  };
}

/** A value of a wrong type that came back as one of the right type. */
function isConverted({ requirement: { subject }, reading }: Symptom): boolean {
  const { sent, body } = reading;
  if (subject.kind !== 'request' || subject.facet !== 'type') return false;
  const [name] = subject.path;
  if (name === undefined || !isJsonObject(sent) || !isJsonObject(body)) return false;
  const [before, after] = [sent[name], body[name]];
  return before !== undefined && after !== undefined && !jsonEquals(before, after);
}

function claimConverted(group: readonly Symptom[]): Claim {
  const members = group.map(({ requirement: { subject } }) =>
    subject.kind === 'request' ? `\`${subject.path.join('.')}\`` : '',
  );
  return {
    kind: 'coerced-type',
    sentence: `Values of a wrong type are converted, not refused: ${listWords(members)} in ${countOf(readingsOf(group).length, 'request')}.`,
    symptoms: group,
  };
}

function byRequirement(
  group: readonly Symptom[],
  expected: number,
  status: number,
): readonly Claim[] {
  const kind: CauseKind = 'requirement';
  return [...Map.groupBy(group, ({ requirement }) => requirement.id)].map(([, own]) => {
    const [first] = own;
    const due = expected === 0 ? (first?.reading.expected ?? 0) : expected;
    const came = status === 0 ? (first?.reading.response?.status ?? 0) : status;
    const requests = countOf(readingsOf(own).length, 'request');
    return {
      kind,
      sentence: `${first?.reading.operation?.id ?? 'The service'} answers ${came}, not ${due}, to ${requests}.`,
      symptoms: own,
    };
  });
}

/** What is wrong with the bodies of these responses, and of no others, comes with their status. */
function withBodies(claim: Claim, symptoms: readonly Symptom[]): Claim {
  const own = new Set(claim.symptoms.map(({ reading }) => reading));
  const faults = Map.groupBy(symptoms, (symptom) => formFault(symptom));
  const bodies = [...faults].flatMap(([fault, some]) =>
    fault !== undefined && some.every(({ reading }) => own.has(reading)) ? some : [],
  );
  return {
    ...claim,
    symptoms: [...claim.symptoms, ...bodies],
    leads: (symptom) => claim.symptoms.includes(symptom),
  };
}

/** A wrong value that was taken is then shown: the bodies that show it break their schema too. */
function withTaken(claim: Claim, symptoms: readonly Symptom[], log: Log): Claim {
  const taken = claim.symptoms
    .flatMap(({ requirement: { subject }, reading, failure }) =>
      subject.kind === 'request' && (reading.response?.status ?? 300) < 300
        ? [reading, log.readings.get(failure.exchange) ?? reading]
            .flatMap(objectsOf)
            .map((item) => ({ id: idOf(item, log), member: subject.path[0] }))
        : [],
    )
    // What has no identifier is not known again.
    .filter(({ id }) => id !== '');
  const isShown = ({ requirement: { subject }, reading }: Symptom): boolean =>
    subject.kind === 'body' &&
    subject.part === 'member' &&
    objectsOf(reading).some((item) =>
      taken.some(({ id, member }) => subject.path.at(-1) === member && id === idOf(item, log)),
    );
  const shown = symptoms.filter((each) => !claim.symptoms.includes(each) && isShown(each));
  return { ...claim, symptoms: [...claim.symptoms, ...shown] };
}
