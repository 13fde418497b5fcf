import { isJsonArray } from '../../../contract/index.ts';
import { idOf, isWriting, objectsOf, pathIdOf, type Log, type Reading } from '../log/reading.ts';
import { readingsOf, type Symptom } from '../log/symptom.ts';
import { countOf } from '../../../view/count.ts';
import type { Claim } from '../claim/claim.ts';

/** Lists with too few items, too many or others than were asked for, by list. */
export function explainLists(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const own = symptoms.filter((symptom) => isOfList(symptom, log));
  return [...Map.groupBy(own, ({ reading }) => reading.operation?.id ?? '')].flatMap(
    ([operation, group]) => {
      const readings = readingsOf(group);
      const words = describeLists(readings, log);
      const ids = new Set(group.map(({ requirement }) => requirement.id));
      if (ids.size < 2 || words === undefined) return [];
      const sentence = `${operation} ${words}: ${countOf(readings.length, 'response')}.`;
      const lost = group.filter((symptom) => !isOfOtherOperation(symptom, operation));
      const leads = lost.find(isListed) ?? lost[0] ?? group[0];
      return [
        {
          kind: 'incomplete-list',
          sentence,
          symptoms: [...group, ...unreadable(symptoms, log)],
          counted: readings,
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

/** What the lists that fail have in common; undefined for nothing. */
function describeLists(readings: readonly Reading[], log: Log): string | undefined {
  const asked = new Set(readings.map(({ exchange }) => exchange.request.target));
  const bodies = new Set(readings.map(({ response }) => response?.body));
  const sizes = new Set(readings.map((reading) => objectsOf(reading).length));
  const [size] = sizes;
  if (asked.size > 1 && bodies.size === 1) return 'answers the same whatever is asked for';
  if (asked.size > 1 && sizes.size === 1 && size !== undefined)
    return `answers ${countOf(size, 'item')} whatever \`limit\` says`;
  const added = addedIds(log);
  const seen = readings.flatMap((reading) => objectsOf(reading).map((item) => idOf(item, log)));
  if (added.size > 0 && !seen.some((id) => added.has(id)))
    return 'shows no item that was added, under the identifier it got';
  return 'leaves out items that it has to show';
}

function addedIds(log: Log): ReadonlySet<string> {
  const added = [...log.readings.values()].filter(
    ({ operation, response }) => isWriting(operation) && (response?.status ?? 0) < 300,
  );
  return new Set(added.map(({ body }) => idOf(body, log)).filter((id) => id !== ''));
}

/** Items that a list shows and that cannot be read under the identifier that it shows. */
function unreadable(symptoms: readonly Symptom[], log: Log): readonly Symptom[] {
  const lists = [...log.readings.values()].filter(({ body }) => isJsonArray(body));
  const listed = new Set(lists.flatMap((list) => objectsOf(list).map((item) => idOf(item, log))));
  const added = addedIds(log);
  return symptoms.filter(({ requirement: { subject }, reading }) => {
    const id = pathIdOf(reading);
    const isRead = subject.kind === 'state' && subject.facet === 'readable';
    return isRead && listed.has(id) && !added.has(id);
  });
}
