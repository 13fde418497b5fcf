import { classify } from './condition.ts';
import { listWords } from './describe.ts';
import type { Condition } from './fact.ts';
import { itemKey, objectsOf, type Log, type Reading } from './reading.ts';
import {
  explainRest,
  failing,
  isAsExpected,
  isWrongStatus,
  outcomeOf,
  readingsOf,
  type Claim,
  type Symptom,
} from './symptom.ts';
import { withBodies } from './body.ts';

/** Responses of another status than the request had to get, and the bodies that come with them. */
export function explainStatuses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const wrong = symptoms.filter(isWrongStatus);
  const groups = [...Map.groupBy(wrong, changeOf).values()];
  const claims = groups.flatMap((group) => explainChange(group, log));
  return withBodies(claims, symptoms).map((claim) => withTaken(claim, symptoms, log));
}

/** Requests without a valid key that were not refused as they had to be: all with one status are one cause. */
export function explainCredentials(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const own = symptoms.filter(
    (symptom) => symptom.requirement.subject.kind === 'auth' && isWrongStatus(symptom),
  );
  const claims = [...Map.groupBy(own, changeOf).values()].flatMap((group): readonly Claim[] => {
    const [first] = group;
    if (first === undefined) return [];
    const uses = new Set(group.map(({ reading }) => reading.exchange.request.credential));
    const others = dueLike(group, log).filter(
      ({ exchange }) => !uses.has(exchange.request.credential),
    );
    const outcome = JSON.stringify(outcomeOf(first.reading));
    const isSetApart = others.every((each) => JSON.stringify(outcomeOf(each)) !== outcome);
    return [
      claim(
        'unchecked-key',
        group,
        first,
        others.length > 0 && isSetApart ? { kind: 'credential', uses: [...uses] } : undefined,
      ),
    ];
  });
  return withBodies(claims, symptoms);
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
  const typed = group.filter(
    ({ requirement: { subject } }) => subject.kind === 'request' && subject.facet === 'type',
  );
  const isKind = new Set(typed.map(({ requirement }) => requirement.id)).size > 1;
  return isKind
    ? [claimType(typed), ...explainRest(group.filter((each) => !typed.includes(each)))]
    : explainRest(group);
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
  kind: Claim['kind'],
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

/** Values of a wrong type that were accepted. */
function claimType(group: readonly Symptom[]): Claim {
  const members = group.map(({ requirement: { subject } }) =>
    subject.kind === 'request' ? `\`${subject.path.join('.')}\`` : '',
  );
  return {
    kind: 'wrong-type',
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
