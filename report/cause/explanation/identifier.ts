import {
  idOf,
  isWriting,
  itemKey,
  objectsOf,
  pathIdOf,
  pathKey,
  type Log,
} from '../log/reading.ts';
import type { Symptom } from '../log/symptom.ts';
import { failing, type Claim } from '../claim/claim.ts';

/**
 * Identifiers beyond 2^53 that pass through a double: several items share one, or one is looked for
 * under another. What is read under them, and how often a list shows them, is an effect.
 */
export function explainRoundedIdentifiers(
  symptoms: readonly Symptom[],
  log: Log,
): readonly Claim[] {
  const shared = symptoms.some(isShared) && isAllRounded(log);
  const own = symptoms.filter(
    (symptom) => (shared && isShared(symptom)) || largeIdsOf(symptom, log).length > 0,
  );
  const missed = own.find((symptom) => isMissed(symptom, log));
  if (!shared && missed === undefined) return [];
  const example = own.flatMap((symptom) => largeIdsOf(symptom, log))[0];
  return [
    {
      kind: 'rounded-identifier',
      outcome: failing(own),
      received: example,
      symptoms: own,
      leads: shared ? isShared : (symptom) => symptom === missed,
    },
  ];
}

/** Identifiers that several items got: what is read under them is an effect. */
export function explainSharedIdentifiers(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const leading = symptoms.filter(isTaken);
  const shared = new Set(leading.map(({ reading }) => itemKey(reading.body, reading, log)));
  const isRead = ({ requirement: { subject }, reading, others }: Symptom): boolean =>
    subject.kind === 'state' &&
    [pathKey(reading), ...others.map((each) => itemKey(each.body, each, log))].some((key) =>
      shared.has(key),
    );
  const own = symptoms.filter((each) => isTaken(each) || isShared(each) || isRead(each));
  const [first] = leading;
  if (first === undefined) return [];
  return [
    {
      kind: 'shared-identifier',
      outcome: failing(leading),
      operations: [...new Set(leading.map(({ reading }) => reading.exchange.request.operation))],
      among: [{ kind: 'answered', with: 'successes' }],
      received: idOf(first.reading.body, log),
      symptoms: own,
      leads: isTaken,
    },
  ];
}

/** An addition got an identifier that another item has, or the one that the client wished for. */
function isTaken({ requirement: { subject } }: Symptom): boolean {
  return (
    subject.kind === 'state' && (subject.facet === 'id-unique' || subject.facet === 'id-assigned')
  );
}

/** There are identifiers beyond 2^53, and each of them is a double. */
function isAllRounded(log: Log): boolean {
  const ids = [...log.readings.values()].flatMap((reading) =>
    (reading.response?.status ?? 0) < 300 ? objectsOf(reading).map((item) => idOf(item, log)) : [],
  );
  const large = ids.filter(isLarge);
  return large.length > 0 && large.every((id) => round(id) === id && BigInt(id) % 2n === 0n);
}

/** What was asked for was answered as if the identifier in the path had been rounded. */
function isMissed({ reading }: Symptom, log: Log): boolean {
  const asked = pathIdOf(reading);
  return isLarge(asked) && round(asked) !== asked && idOf(reading.body, log) === round(asked);
}

function round(id: string): string {
  return String(BigInt(Number(id)));
}

function isLarge(id: string): boolean {
  return /^-?\d{16,19}$/.test(id) && BigInt(id) > 2n ** 53n;
}

/** An identifier that another item has, where it has to be unique. */
function isShared({ requirement: { subject } }: Symptom): boolean {
  if (subject.kind === 'state')
    return subject.facet === 'id-unique' || subject.facet === 'distinct';
  return subject.kind === 'concurrency' && subject.facet === 'unique';
}

/** The identifiers beyond 2^53 of what was read, or of what it is compared with. */
function largeIdsOf({ requirement: { subject }, reading, others }: Symptom, log: Log): string[] {
  if (subject.kind !== 'state' && subject.kind !== 'status' && subject.kind !== 'concurrency')
    return [];
  const added = others.filter(({ operation }) => isWriting(operation));
  return [pathIdOf(reading), ...added.map(({ body }) => idOf(body, log))].filter(isLarge);
}
