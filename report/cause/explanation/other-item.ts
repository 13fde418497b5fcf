import { isJsonObject, jsonEquals, type JsonObject } from '../../../contract/index.ts';
import { idOf, isWriting, objectsOf, pathIdOf, type Log, type Reading } from '../log/reading.ts';
import type { Symptom } from '../log/symptom.ts';
import { failing, type Claim } from '../claim/claim.ts';

/** Reads of one item that show another one, under its own identifier or under that asked for. */
export function explainOtherItems(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const shown = [...log.readings.values()].filter(({ response }) => (response?.status ?? 0) < 300);
  const own = symptoms.filter(
    ({ requirement: { subject }, reading }) =>
      (subject.kind === 'state' || subject.kind === 'status') && isOther(reading, shown, log),
  );
  if (new Set(own.map(({ requirement }) => requirement)).size < 2) return [];
  return [
    {
      kind: 'other-item',
      outcome: failing(own),
      among: [{ kind: 'answered', with: 'successes' }],
      symptoms: own,
    },
  ];
}

function isOther(reading: Reading, shown: readonly Reading[], log: Log): boolean {
  const { operation, body } = reading;
  if (operation?.path.includes('{') !== true || isWriting(operation) || !isJsonObject(body))
    return false;
  const asked = pathIdOf(reading);
  const id = idOf(body, log);
  if (id === '') return false;
  const items = shown.flatMap((each) => (each.shard === reading.shard ? objectsOf(each) : []));
  return id !== asked || items.some((item) => idOf(item, log) !== id && isAlike(item, body, log));
}

/** All members but the identifier are the same. */
function isAlike(one: JsonObject, other: JsonObject, { contract }: Log): boolean {
  const ids = new Set(contract.resources.map(({ idProperty }) => idProperty));
  const names = [...Object.keys(one), ...Object.keys(other)].filter((name) => !ids.has(name));
  return names.every((name) => {
    const [left, right] = [one[name], other[name]];
    return left !== undefined && right !== undefined && jsonEquals(left, right);
  });
}
