import { isJsonObject, jsonEquals, renderJson, type JsonValue } from '../../contract/json/value.ts';
import { renderValue } from './describe.ts';
import { isServed, isWriting, itemKey, objectsOf, type Log, type Reading } from './reading.ts';
import { failing, memberOf, readingsOf, type Claim, type Symptom } from './symptom.ts';

/** A value as it was sent, and as it came back. */
interface Pair {
  readonly sent: JsonValue;
  /** Undefined where it did not come back. */
  readonly shown: JsonValue | undefined;
  /** As it was answered when it was sent, where that is known. */
  readonly answered?: JsonValue | undefined;
  /** It was sent by the suite; else another response showed it, and either may be the altered one. */
  readonly isSent: boolean;
}

/** What is done to a value, in words that follow the name of a member. */
interface Alteration {
  readonly words: string;
  readonly explains: (sent: JsonValue, shown: JsonValue | undefined) => boolean;
}

/** Characters of the longest text that is compared under an alteration: each takes its time. */
const longest = 65_536;

function isShortText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.length <= longest;
}

/** Two texts that are the same where `normalise` makes one of both. */
function ofText(words: string, normalise: (text: string) => string): Alteration {
  return {
    words,
    explains: (sent, shown) =>
      isShortText(sent) && isShortText(shown) && normalise(sent) === normalise(shown),
  };
}

function ofInteger(words: string, ...changes: readonly ((value: bigint) => bigint)[]): Alteration {
  return {
    words,
    explains: (sent, shown) => {
      const [value, found] = [readInteger(sent), readInteger(shown)];
      return value !== undefined && changes.some((change) => change(value) === found);
    },
  };
}

function readInteger(value: JsonValue | undefined): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

function toDouble(value: bigint): bigint {
  const double = Number(value);
  return Number.isFinite(double) ? BigInt(double) : value;
}

function clamp(value: bigint): bigint {
  const [least, most] = [-(2n ** 31n), 2n ** 31n - 1n];
  return value < least ? least : value > most ? most : value;
}

/** The most specific first. */
const alterations: readonly Alteration[] = [
  ofInteger('is rounded to the nearest double', toDouble),
  ofInteger(
    'is cut to 32 bits',
    (value) => BigInt.asIntN(32, value),
    (value) => BigInt.asUintN(32, value),
    clamp,
  ),
  ofText('loses leading or trailing spaces', (text) => text.trim()),
  ofText('has its characters normalised', (text) => text.normalize('NFKC')),
  ofText('has the case of its letters changed', (text) => text.toUpperCase()),
  ofText('is escaped for HTML', (text) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  ),
  ofText('has its control characters changed', (text) => text.replaceAll(/\p{Cc}/gu, '')),
  ofText('has characters beyond U+FFFF changed', (text) =>
    text.replaceAll(/[\u{10000}-\u{10FFFF}\p{Cs}\p{Cf}\uFFFD?]/gu, ''),
  ),
  ofText('has characters beyond ASCII changed', (text) =>
    text.normalize('NFD').replaceAll(/[^\0-\x7F]|\?/gu, ''),
  ),
  { words: 'is not returned', explains: (_sent, shown) => shown === undefined },
  { words: 'is returned empty', explains: (_sent, shown) => shown === '' },
  { words: 'is returned as null', explains: (_sent, shown) => shown === null },
  {
    words: 'is returned as a string',
    explains: (sent, shown) =>
      typeof sent !== 'string' && isShortText(shown) && shown === renderJson(sent),
  },
];

/** Of values that differ in no way that is known. */
const unknown = 'is not returned as it was sent';

/** Ends the words about a value that is always the same. */
const constant = ', whatever was sent';

/** Whether it may have been done to the value as it was sent, or as it was answered first. */
function fits({ sent, shown, answered = sent, isSent }: Pair, { explains }: Alteration): boolean {
  return [sent, answered].some(
    (before) =>
      explains(before, shown) || (!isSent && shown !== undefined && explains(shown, before)),
  );
}

/** What the values themselves show where all of them fit it, and what is in no table. */
function guessAlterations(pairs: readonly Pair[]): readonly Alteration[] {
  const [first] = pairs;
  const lengths = new Set(pairs.map(({ shown }) => (typeof shown === 'string' ? shown.length : 0)));
  const [length = 0] = lengths;
  const isOneLength = lengths.size === 1 && pairs.length > 1;
  const text = renderValue(first?.shown);
  const isAny = pairs.some(({ sent }) => first !== undefined && !jsonEquals(sent, first.sent));
  const guesses: readonly Alteration[] = [
    {
      words: isOneLength ? `is cut to ${length} characters` : 'is cut short',
      explains: (sent, shown) =>
        typeof sent === 'string' && typeof shown === 'string' && sent.startsWith(shown),
    },
    {
      words: `is ${text}${constant}`,
      explains: (_sent, shown) => isAny && renderValue(shown) === text,
    },
  ];
  return guesses.filter((each) => pairs.every((pair) => fits(pair, each)));
}

/** A symptom of a member, with its values as they were sent and as they came back. */
interface Changed {
  readonly symptom: Symptom;
  readonly pairs: readonly Pair[];
}

/** Members that come back with another value than was sent, by what becomes of them. */
export function explainAlteredValues(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const identifiers = new Set(log.contract.resources.map(({ idProperty }) => idProperty));
  // Requests at the same time may have got each other's responses.
  const mixed = new Set(
    symptoms.flatMap(({ requirement: { subject }, reading: { exchange } }) =>
      subject.kind === 'concurrency' ? (exchange.group ?? []) : [],
    ),
  );
  const changed = symptoms.flatMap((symptom) => {
    const member = memberOf(symptom) ?? filteredMember(symptom, log);
    const { group } = symptom.reading.exchange;
    if (member === undefined || identifiers.has(member)) return [];
    if (group !== undefined && mixed.has(group)) return [];
    return [{ member, symptom, pairs: pairsOf(member, symptom, log) }];
  });
  const claims = [...Map.groupBy(changed, ({ member }) => member)].flatMap(([member, group]) =>
    explainMember(member, group),
  );
  // What happens to several members alike is one cause.
  const alike = Map.groupBy(
    claims.filter((each) => !isOfOtherItem(each, claims)),
    ({ alteration }) =>
      alteration?.words === unknown ? alteration.members.join() : alteration?.words,
  );
  return [...alike.values()].flatMap(([first, ...others]): readonly Claim[] => {
    if (first?.alteration === undefined) return [];
    const all = [first, ...others];
    const own = all.flatMap((each) => each.symptoms);
    const members = all.flatMap(({ alteration }) => alteration?.members ?? []);
    return [
      {
        ...first,
        outcome: failing(own),
        alteration: { ...first.alteration, members },
        symptoms: own,
      },
    ];
  });
}

/** Where several members of one item differ in no way that is known, it is another item. */
function isOfOtherItem(one: Claim, claims: readonly Claim[]): boolean {
  const readings = new Set(readingsOf(one.symptoms));
  return (
    isVague(one) &&
    claims.some(
      (other) =>
        other !== one &&
        isVague(other) &&
        other.symptoms.some(({ reading }) => readings.has(reading)),
    )
  );
}

function isVague({ alteration }: Claim): boolean {
  return alteration?.words === unknown || alteration?.words.endsWith(constant) === true;
}

/** The alteration that explains most symptoms, then that of the rest; last what fits none. */
function explainMember(member: string, group: readonly Changed[]): readonly Claim[] {
  const claims: Claim[] = [];
  let left = group.filter(({ pairs }) => pairs.length > 0);
  // What is wrong with the form of a member is explained with its values, or by itself.
  const forms = group.filter(({ pairs }) => pairs.length === 0).map(({ symptom }) => symptom);
  for (;;) {
    const [best] = [...alterations, ...guessAlterations(left.flatMap(({ pairs }) => pairs))]
      .map(({ words, explains }) => ({
        words,
        own: left.filter(({ pairs }) => pairs.every((pair) => fits(pair, { words, explains }))),
      }))
      .toSorted((one, other) => other.own.length - one.own.length);
    if (best === undefined || best.own.length === 0) break;
    claims.push(claim(member, best.words, best.own));
    left = left.filter((each) => !best.own.includes(each));
  }
  const rest = left.filter(({ symptom }) => symptom.requirement.subject.kind !== 'body');
  if (rest.length > 0) claims.push(claim(member, unknown, rest));
  const [first, ...others] = claims.filter(({ symptoms }) => symptoms.some(isOfState));
  if (first === undefined) return [];
  const kin = forms.filter(({ requirement }) =>
    first.symptoms.some((each) => each.requirement === requirement),
  );
  return [{ ...first, symptoms: [...first.symptoms, ...kin] }, ...others];
}

function isOfState({ requirement: { subject } }: Symptom): boolean {
  return subject.kind === 'state';
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

/** An item as it was sent, or shown earlier, and as it was answered then. */
interface Before {
  readonly sent: JsonValue | undefined;
  readonly answered?: JsonValue | undefined;
  readonly isSent: boolean;
}

/** What the exchanges of a symptom show of a member, where it differs from what was sent. */
function pairsOf(member: string, { reading, others }: Symptom, log: Log): readonly Pair[] {
  const { sent, operation } = reading;
  if (isWriting(operation)) return differing(member, { sent, isSent: true }, reading.body);
  const [other] = others;
  const readings =
    other === undefined
      ? [...log.readings.values()].filter((each) => isWriting(each.operation))
      : [other];
  const known = new Map(readings.flatMap((each) => itemsOf(each, log)));
  return objectsOf(reading).flatMap((item) => {
    const before = known.get(itemKey(item, reading, log));
    return before === undefined ? [] : differing(member, before, item);
  });
}

function differing(member: string, before: Before, after: JsonValue | undefined): readonly Pair[] {
  const [sent, answered, shown] = [before.sent, before.answered, after].map((each) =>
    isJsonObject(each) ? each[member] : undefined,
  );
  return sent === undefined || (shown !== undefined && jsonEquals(sent, shown))
    ? []
    : [{ sent, shown, answered, isSent: before.isSent }];
}

/** The items of an exchange, by their keys: what it added, or what it showed. */
function itemsOf(reading: Reading, log: Log): readonly (readonly [string, Before])[] {
  const { sent, body: answered, operation } = reading;
  if (!isServed(reading)) return [];
  const items: readonly (readonly [string, Before])[] = isWriting(operation)
    ? [[itemKey(answered, reading, log), { sent, answered, isSent: true }]]
    : objectsOf(reading).map((item) => [
        itemKey(item, reading, log),
        { sent: item, isSent: false },
      ]);
  return items.filter(([key, before]) => key !== '' && before.sent !== undefined);
}

/** The member by which a list is filtered, where what is shown there is not what was sent. */
function filteredMember({ requirement }: Symptom, { contract }: Log): string | undefined {
  const { subject, operation } = requirement;
  if (subject.kind !== 'parameter' || subject.facet !== 'filter') return undefined;
  const resource = contract.resources.find(({ list }) => list.id === operation);
  return resource?.filters.find(({ parameter }) => parameter.name === subject.name)?.property;
}
