import { isJsonObject, jsonEquals, type JsonValue } from '../../../contract/index.ts';
import { isWriting, itemKey, objectsOf, type Log, type Reading } from '../log/reading.ts';
import { memberOf, type Symptom } from '../log/symptom.ts';
import { alterations, fits, guessAlterations, type Alteration, type Pair } from './alteration.ts';
import { renderValue } from '../fact/describe.ts';
import { failing, type Claim } from '../claim/claim.ts';

/** A symptom of a member, with its values as they were sent and as they came back. */
interface Changed {
  readonly symptom: Symptom;
  readonly pairs: readonly Pair[];
}

/** Members that come back as another value than was sent, by what becomes of them. */
export function explainAlteredValues(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const identifiers = new Set(log.contract.resources.map(({ idProperty }) => idProperty));
  const changed = symptoms.flatMap((symptom) => {
    const member = memberOf(symptom) ?? filteredMember(symptom, log);
    if (member === undefined || identifiers.has(member)) return [];
    return [{ member, symptom, pairs: pairsOf(member, symptom, log) }];
  });
  const claims = [...Map.groupBy(changed, ({ member }) => member)].flatMap(([member, group]) =>
    explainMember(
      member,
      group.filter(({ pairs }) => pairs.length > 0),
    )
      .filter(({ symptoms: own }) => own.some(isOfState))
      .map((each, index, all) => withKin(each, index, all, group)),
  );
  return joinAlike(claims);
}

/** What becomes of several members alike is one cause. */
function joinAlike(claims: readonly Claim[]): readonly Claim[] {
  const groups = Map.groupBy(claims, ({ alteration }) =>
    alteration?.words === unknown ? alteration.members.join() : alteration?.words,
  );
  return [...groups.values()].flatMap(([first, ...others]): readonly Claim[] => {
    if (first?.alteration === undefined || others.length === 0) return first ? [first] : [];
    const all = [first, ...others];
    const symptoms = all.flatMap((each) => each.symptoms);
    const members = all.flatMap(({ alteration }) => alteration?.members ?? []);
    return [
      {
        ...first,
        outcome: failing(symptoms),
        alteration: { ...first.alteration, members },
        symptoms,
      },
    ];
  });
}

/** Of values that differ in no way that is known. */
const unknown = 'is not returned as it was sent';

/** A fault of form that is of no other claim than this says as much of the member. */
function withKin(
  claimed: Claim,
  index: number,
  all: readonly Claim[],
  group: readonly Changed[],
): Claim {
  const others = new Set(all.flatMap(({ symptoms }) => symptoms));
  const earlier = all.slice(0, index);
  const isKin = ({ symptom }: Changed): boolean =>
    !others.has(symptom) &&
    hasKin(claimed, symptom) &&
    !earlier.some((each) => hasKin(each, symptom));
  const kin = group.filter(isKin).map(({ symptom }) => symptom);
  return { ...claimed, symptoms: [...claimed.symptoms, ...kin] };
}

/** Of the same requirement, or a list by a member that comes back altered in that list. */
function hasKin({ symptoms }: Claim, { requirement }: Symptom): boolean {
  return symptoms.some(
    (each) =>
      each.requirement === requirement ||
      (requirement.subject.kind === 'parameter' &&
        isOfState(each) &&
        each.requirement.operation === requirement.operation),
  );
}

function isOfState({ requirement: { subject } }: Symptom): boolean {
  return subject.kind === 'state';
}

/**
 * The alteration that explains most symptoms, then that of the rest; last what fits none, but for
 * faults of form, which say more themselves.
 */
function explainMember(member: string, group: readonly Changed[]): readonly Claim[] {
  const claims: Claim[] = [];
  let left = group;
  for (;;) {
    const [best] = [...alterations, ...guessAlterations(left.flatMap(({ pairs }) => pairs))]
      .map((each) => ({ ...each, own: left.filter((one) => isExplained(one, each)) }))
      .toSorted((one, other) => other.own.length - one.own.length);
    if (best === undefined || best.own.length === 0) break;
    claims.push(claim(member, best.words, best.own));
    left = left.filter((each) => !best.own.includes(each));
  }
  const rest = left.filter(({ symptom }) => symptom.requirement.subject.kind !== 'body');
  return rest.length === 0 ? claims : [...claims, claim(member, unknown, rest)];
}

function claim(member: string, words: string, own: readonly Changed[]): Claim {
  const symptoms = own.map(({ symptom }) => symptom);
  const [example] = own
    .flatMap(({ pairs, symptom }) => pairs.map((pair) => ({ pair, symptom })))
    .toSorted((one, other) => lengthOf(one.pair) - lengthOf(other.pair));
  return {
    kind: 'altered-value',
    outcome: failing(symptoms),
    among: [{ kind: 'answered', with: 'successes' }],
    alteration: {
      members: [member],
      words,
      exchange: example?.symptom.reading.exchange.index ?? 0,
      ...(example === undefined ? {} : { sent: renderValue(example.pair.sent) }),
      ...(example?.pair.shown === undefined ? {} : { shown: renderValue(example.pair.shown) }),
    },
    symptoms,
  };
}

function lengthOf({ sent, shown }: Pair): number {
  return renderValue(sent).length + renderValue(shown).length;
}

function isExplained({ pairs }: Changed, alteration: Alteration): boolean {
  return pairs.every((pair) => fits(pair, alteration));
}

function pairsOf(member: string, symptom: Symptom, log: Log): readonly Pair[] {
  const { reading, others } = symptom;
  const { sent, operation } = reading;
  if (isWriting(operation)) return differing(member, { sent, isSent: true }, reading.body);
  const [other] = others;
  const items = objectsOf(reading);
  const known = other === undefined ? addedItems(log) : itemsOf(other, log);
  return items.flatMap((item) => {
    const before = known.get(itemKey(item, reading, log));
    return before === undefined ? [] : differing(member, before, item);
  });
}

/** An item as it was sent, or shown earlier, and as it was answered then. */
interface Before {
  readonly sent: JsonValue | undefined;
  readonly answered?: JsonValue | undefined;
  readonly isSent: boolean;
}

function differing(member: string, before: Before, after: JsonValue | undefined): readonly Pair[] {
  const [sent, answered, shown] = [before.sent, before.answered, after].map((each) =>
    readMember(each, member),
  );
  return sent === undefined || (shown !== undefined && jsonEquals(sent, shown))
    ? []
    : [{ sent, shown, answered, isSent: before.isSent }];
}

function readMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

/** What was sent to add items, by the identifiers that they got. */
function addedItems(log: Log): ReadonlyMap<string, Before> {
  return new Map([...log.readings.values()].flatMap((each) => [...addedItem(each, log)]));
}

function addedItem(reading: Reading, log: Log): readonly (readonly [string, Before])[] {
  const isAdded = isWriting(reading.operation) && (reading.response?.status ?? 0) < 300;
  const key = itemKey(reading.body, reading, log);
  const { sent, body: answered } = reading;
  return isAdded && sent !== undefined && key !== ''
    ? [[key, { sent, answered, isSent: true }]]
    : [];
}

/** The items of an earlier exchange: what it added, or what it showed. */
function itemsOf(reading: Reading, log: Log): ReadonlyMap<string, Before> {
  return isWriting(reading.operation)
    ? new Map(addedItem(reading, log))
    : new Map(
        objectsOf(reading).map((item) => [
          itemKey(item, reading, log),
          { sent: item, isSent: false },
        ]),
      );
}

/** The member by which a list is filtered, where what is shown there is not what was sent. */
function filteredMember({ requirement }: Symptom, { contract }: Log): string | undefined {
  const { subject, operation } = requirement;
  if (subject.kind !== 'parameter' || subject.facet !== 'filter') return undefined;
  const resource = contract.resources.find(({ list }) => list.id === operation);
  return resource?.filters.find(({ parameter }) => parameter.name === subject.name)?.property;
}
