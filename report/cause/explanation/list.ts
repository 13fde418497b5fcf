import { isJsonArray } from '../../../contract/index.ts';
import { isWriting, itemKey, objectsOf, pathKey, type Log } from '../log/reading.ts';
import type { Symptom } from '../log/symptom.ts';
import { failing, type Claim } from '../claim/claim.ts';

/** Lists with too few items, too many or others than were asked for, by list. */
export function explainLists(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const own = symptoms.filter((symptom) => isOfList(symptom, log));
  return [...Map.groupBy(own, ({ reading }) => reading.operation?.id ?? '')].flatMap(
    ([operation, group]) => {
      const ids = new Set(group.map(({ requirement }) => requirement.id));
      if (ids.size < 2) return [];
      const lost = group.filter((symptom) => !isOfOtherOperation(symptom, operation));
      const leads = lost.find(isListed) ?? lost[0] ?? group[0];
      return [
        {
          kind: 'incomplete-list',
          outcome: failing(group),
          operations: [operation],
          among: [{ kind: 'answered' as const, with: 'successes' }],
          symptoms: [...group, ...unreadable(symptoms, log)],
          leads: (symptom: Symptom) => symptom === leads,
        },
      ];
    },
  );
}

const facets = ['bound', 'filled', 'default', 'filter'];

/** About which items a list shows, or how many. */
function isOfList({ requirement: { subject }, reading }: Symptom, log: Log): boolean {
  const isAsked = log.contract.resources.some(({ list }) => list === reading.operation);
  if (!isAsked || !isJsonArray(reading.body)) return false;
  if (subject.kind === 'parameter') return facets.includes(subject.facet);
  if (subject.kind === 'concurrency') return subject.facet === 'stored';
  return subject.kind === 'state' && subject.facet === 'listed';
}

function isListed({ requirement: { subject } }: Symptom): boolean {
  return subject.kind === 'state' || (subject.kind === 'parameter' && subject.facet === 'bound');
}

function isOfOtherOperation({ requirement }: Symptom, operation: string): boolean {
  return requirement.operation !== operation;
}

function addedItems(log: Log): ReadonlySet<string> {
  const added = [...log.readings.values()].filter(
    ({ operation, response }) => isWriting(operation) && (response?.status ?? 0) < 300,
  );
  return new Set(added.map((each) => itemKey(each.body, each, log)));
}

/** Items that a list shows and that cannot be read under the identifier that it shows. */
function unreadable(symptoms: readonly Symptom[], log: Log): readonly Symptom[] {
  const lists = [...log.readings.values()].filter(({ body }) => isJsonArray(body));
  const listed = new Set(
    lists.flatMap((list) => objectsOf(list).map((item) => itemKey(item, list, log))),
  );
  const added = addedItems(log);
  return symptoms.filter(({ requirement: { subject }, reading }) => {
    const key = pathKey(reading);
    const isRead = subject.kind === 'state' && subject.facet === 'readable';
    return isRead && listed.has(key) && !added.has(key);
  });
}
