import { isJsonObject, jsonEquals } from '../../../contract/index.ts';
import { itemKey, objectsOf, type Log, type Reading } from '../log/reading.ts';
import { classify } from '../fact/condition.ts';
import {
  isAsExpected,
  isWrongStatus,
  outcomeOf,
  readingsOf,
  type Symptom,
} from '../log/symptom.ts';
import type { CauseKind, Condition } from '../codec/fact.ts';
import { failing, type Claim } from '../claim/claim.ts';
import { listWords } from '../fact/words.ts';
import { withBodies } from './body.ts';
import { explainRest } from './requirement.ts';

/** Responses of another status than the request had to get, and the bodies that come with them. */
export function explainStatuses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const wrong = symptoms.filter(isWrongStatus);
  const groups = [...Map.groupBy(wrong, changeOf).values()];
  const claims = groups.flatMap((group) => explainChange(group, log));
  return withBodies(claims, symptoms).map((claim) => withTaken(claim, symptoms, log));
}

/** The status that was due and the one that came. */
function changeOf({ reading }: Symptom): string {
  return JSON.stringify([reading.expected, outcomeOf(reading)]);
}

function explainChange(group: readonly Symptom[], log: Log): readonly Claim[] {
  const [first] = group;
  if (first === undefined) return [];
  const { expected = 0, response } = first.reading;
  const status = response?.status ?? 0;
  const isRefused = expected < 300 && status >= 300;
  const due = dueLike(group, log);
  const isNeverRight = due.length > 1 && !due.some(isAsExpected);
  if (isNeverRight || (expected >= 400 && status >= 400))
    return [claim('wrong-status', group, first)];
  if (isRefused) return explainRefusals(group, due);
  const converted = group.filter(isConverted);
  const kinds = new Set(converted.map(({ requirement }) => requirement.id));
  const claims = kinds.size > 1 ? [claimConverted(converted)] : [];
  const left = kinds.size > 1 ? group.filter((each) => !converted.includes(each)) : group;
  return [...claims, ...explainRest(left)];
}

/** Every request of the same operations that had to get the same status. */
function dueLike(group: readonly Symptom[], log: Log): readonly Reading[] {
  const [first] = group;
  const operations = new Set(group.map(({ reading }) => reading.operation));
  return [...log.readings.values()].filter(
    (each) => each.expected === first?.reading.expected && operations.has(each.operation),
  );
}

function claim(
  kind: CauseKind,
  symptoms: readonly Symptom[],
  { reading }: Symptom,
  condition?: Condition,
): Claim {
  return {
    kind,
    outcome: outcomeOf(reading),
    among: [{ kind: 'due', status: reading.expected ?? 0 }],
    condition,
    symptoms,
  };
}

/** Requests that keep the contract and were refused, by what they have in common. */
function explainRefusals(group: readonly Symptom[], due: readonly Reading[]): readonly Claim[] {
  const refused = readingsOf(group);
  return classify(refused, due.filter(isAsExpected)).flatMap(({ condition, readings }) => {
    const own = group.filter(({ reading }) => readings.includes(reading));
    const [first] = own;
    return condition !== undefined && readings.length > 1 && first !== undefined
      ? [claim('refused-request', own, first, condition)]
      : explainRest(own);
  });
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
    outcome: failing(group),
    received: listWords(members),
    symptoms: group,
  };
}

/** A wrong value that was taken is then shown: the bodies that show it break their schema too. */
function withTaken(claim: Claim, symptoms: readonly Symptom[], log: Log): Claim {
  const taken = claim.symptoms
    .flatMap(({ requirement: { subject }, reading, failure }) =>
      subject.kind === 'request' && (reading.response?.status ?? 300) < 300
        ? [reading, log.readings.get(failure.exchange) ?? reading]
            .flatMap((each) => objectsOf(each).map((item) => itemKey(item, each, log)))
            .map((key) => ({ key, member: subject.path[0] }))
        : [],
    )
    // What has no identifier is not known again.
    .filter(({ key }) => key !== '');
  const isShown = ({ requirement: { subject }, reading }: Symptom): boolean =>
    subject.kind === 'body' &&
    subject.part === 'member' &&
    objectsOf(reading).some((item) =>
      taken.some(
        ({ key, member }) => subject.path.at(-1) === member && key === itemKey(item, reading, log),
      ),
    );
  const shown = symptoms.filter((each) => !claim.symptoms.includes(each) && isShown(each));
  return { ...claim, symptoms: [...claim.symptoms, ...shown] };
}
