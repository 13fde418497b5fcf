import { objectsOf, idOf, type Log } from '../log/reading.ts';
import type { Symptom } from '../log/symptom.ts';
import type { Claim } from './explanation.ts';

/**
 * Identifiers beyond 2^53 that are all doubles, so that several items share one: what is read under
 * them, and how often a list shows them, is an effect.
 */
export function explainRoundedIdentifiers(
  symptoms: readonly Symptom[],
  log: Log,
): readonly Claim[] {
  const shared = symptoms.some(isShared);
  const ids = [...log.readings.values()].flatMap((reading) =>
    (reading.response?.status ?? 0) < 300 ? objectsOf(reading).map((item) => idOf(item, log)) : [],
  );
  const large = [...new Set(ids)].filter((id) => isLarge(id));
  const isRounded = large.length > 0 && large.every((id) => String(BigInt(Number(id))) === id);
  if (!shared || !isRounded || large.some((id) => BigInt(id) % 2n !== 0n)) return [];
  const own = symptoms.filter((symptom) => isShared(symptom) || isOfLarge(symptom));
  const example = large[0] ?? '';
  return [
    {
      kind: 'rounded-identifier',
      sentence: `Identifiers pass through a double, which rounds integers beyond 2^53, so that items share one, such as ${example}.`,
      symptoms: own,
      leads: isShared,
    },
  ];
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

/** What was asked for under such an identifier. */
function isOfLarge({ requirement: { subject }, reading }: Symptom): boolean {
  const path = reading.exchange.request.target.split('?')[0] ?? '';
  const isRead =
    subject.kind === 'state' || subject.kind === 'status' || subject.kind === 'concurrency';
  return isRead && isLarge(path.split('/').at(-1) ?? '');
}
