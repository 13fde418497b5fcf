import { isJsonObject, jsonEquals, renderJson, type JsonValue } from '../../contract/json/value.ts';
import { renderValue } from './describe.ts';
import {
  failing,
  isServed,
  isWriting,
  itemKey,
  objectsOf,
  type Claim,
  type Log,
  type Reading,
  type Symptom,
} from './log.ts';

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
  ofText('has its spaces changed', (text) => text.replaceAll(/\s+/gu, '')),
  ofText('has its characters normalised', (text) => text.normalize('NFKC')),
  ofText('has the case of its letters changed', (text) => text.toUpperCase()),
  ofText('is escaped for HTML', (text) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  ),
  ofText('has its control characters changed', (text) =>
    text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ''),
  ),
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

/** Of texts that are cut at different places. */
const cutShort = 'is cut short';

/** Ends the words about a value that is always the same. */
const constant = ', whatever was sent';

/** Whether it may have been done to the value as it was sent, or as it was answered first. */
function fits(
  { sent, shown, answered = sent, isSent }: Pair,
  { explains }: Pick<Alteration, 'explains'>,
): boolean {
  return [sent, answered].some(
    (before) =>
      explains(before, shown) || (!isSent && shown !== undefined && explains(shown, before)),
  );
}

/** Whether a text is the beginning of the other; what trimming leaves out is not cut. */
function isCut(sent: JsonValue, shown: JsonValue | undefined): shown is string {
  if (typeof sent !== 'string' || typeof shown !== 'string') return false;
  return sent.startsWith(shown) && sent.trimEnd() !== shown;
}

/** What the values themselves show, and what is in no table. */
function guessAlterations(pairs: readonly Pair[]): readonly Alteration[] {
  const cut = pairs.flatMap(({ sent, shown }) => (isCut(sent, shown) ? shown.length : []));
  const lengths = new Set(cut.filter((length, index) => cut.indexOf(length) < index));
  const [first, ...others] = pairs;
  const isSame =
    others.every(({ shown }) => keyOf(shown) === keyOf(first?.shown)) &&
    others.some(({ sent }) => keyOf(sent) !== keyOf(first?.sent));
  return [
    ...[...lengths].map((length) => ({
      words: `is cut to ${length} characters`,
      explains: (sent: JsonValue, shown: JsonValue | undefined) =>
        isCut(sent, shown) && shown.length === length,
    })),
    ...(isSame
      ? [{ words: `is ${renderValue(first?.shown)}${constant}`, explains: () => true }]
      : []),
  ];
}

function keyOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : renderJson(value);
}

/** A symptom of a member, with its values as they were sent and as they came back. */
interface Changed {
  readonly member: string;
  readonly symptom: Symptom;
  readonly pairs: readonly Pair[];
}

/** Members that come back with another value than was sent, by what becomes of them. */
export function explainValues(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const identifiers = new Set(log.contract.resources.map(({ idPlace }) => idPlace[0]));
  // Requests at the same time may have got each other's responses.
  const mixed = new Set(
    symptoms.flatMap(({ requirement: { subject }, reading: { exchange } }) =>
      subject.kind === 'concurrency' ? (exchange.group ?? []) : [],
    ),
  );
  const added = new Map(log.answered.filter(isWritten).flatMap((each) => itemsOf(each, log)));
  const changed = symptoms.flatMap((symptom): readonly Changed[] => {
    const member = memberOf(symptom, log);
    const { group } = symptom.reading.exchange;
    if (member === undefined || identifiers.has(member)) return [];
    if (group !== undefined && mixed.has(group)) return [];
    return [{ member, symptom, pairs: pairsOf(member, symptom, added, log) }];
  });
  const parts = [...Map.groupBy(changed, ({ member }) => member).values()].flatMap(divide);
  // What happens to several members alike is one cause.
  const alike = Map.groupBy(
    parts.filter((each) => !isOfOtherItem(each, parts)),
    ({ words, own: [first] }) =>
      words === unknown || words === cutShort ? `${first?.member} ${isEcho(first)}` : words,
  );
  return [...alike.values()].map(composeClaim);
}

/** Whether a value differs in the response to the request that sent it. */
function isEcho(changed: Changed | undefined): boolean {
  return changed !== undefined && isWritten(changed.symptom.reading);
}

/** What becomes of some values of one member. */
interface Part {
  readonly words: string;
  readonly own: readonly Changed[];
}

/** Where several members of one item differ in no way that is known, it is another item. */
function isOfOtherItem(one: Part, parts: readonly Part[]): boolean {
  const isVague = ({ words }: Part): boolean => words === unknown || words.endsWith(constant);
  const readings = new Set(one.own.map(({ symptom }) => symptom.reading));
  return parts.some(
    (other) =>
      isVague(one) &&
      isVague(other) &&
      other.own[0]?.member !== one.own[0]?.member &&
      other.own.some(({ symptom }) => readings.has(symptom.reading)),
  );
}

/** The alteration that explains most symptoms, then that of the rest; last what fits none. */
function divide(group: readonly Changed[]): readonly Part[] {
  const parts: Part[] = [];
  let left = group.filter(({ pairs }) => pairs.length > 0);
  for (;;) {
    const [best] = [...alterations, ...guessAlterations(left.flatMap(({ pairs }) => pairs))]
      .map((each) => ({
        words: each.words,
        own: left.filter(({ pairs }) => pairs.every((pair) => fits(pair, each))),
      }))
      .toSorted((one, other) => other.own.length - one.own.length);
    if (best === undefined || best.own.length === 0) break;
    parts.push(best);
    left = left.filter((each) => !best.own.includes(each));
  }
  const rest = left.filter(({ symptom }) => symptom.requirement.subject.kind !== 'body');
  for (const own of Map.groupBy(rest, isEcho).values()) {
    const isShort = own.every(({ pairs }) =>
      pairs.every((pair) => fits(pair, { explains: isCut })),
    );
    parts.push({ words: isShort ? cutShort : unknown, own });
  }
  const [first, ...others] = parts.map(withoutFilters).filter(({ own }) => own.some(isOfState));
  if (first === undefined) return [];
  // What is wrong with the form of a member is explained with its values, or by itself.
  const known = new Set(first.own.map(({ symptom }) => symptom.requirement));
  const forms = group.filter(
    ({ pairs, symptom }) => pairs.length === 0 && known.has(symptom.requirement),
  );
  return [{ ...first, own: [...first.own, ...forms] }, ...others];
}

function isOfState({ symptom }: Changed): boolean {
  return symptom.requirement.subject.kind === 'state';
}

/** A filter judges what is stored: only a value that its own list alters explains what it shows. */
function withoutFilters({ words, own }: Part): Part {
  const states = new Set(own.filter(isOfState).map(({ symptom }) => symptom.requirement.operation));
  return {
    words,
    own: own.filter(
      ({ symptom: { requirement } }) =>
        requirement.subject.kind !== 'parameter' ||
        (states.size === 1 && states.has(requirement.operation)),
    ),
  };
}

/** One cause of what happens alike, with the shortest example. */
function composeClaim(parts: readonly Part[]): Claim {
  const own = parts.flatMap((part) => part.own);
  const symptoms = own.map(({ symptom }) => symptom);
  const [example] = own
    .flatMap(({ pairs, symptom }) =>
      pairs.map(({ sent, shown }) => ({
        sent: renderValue(sent),
        shown: shown === undefined ? undefined : renderValue(shown),
        exchange: symptom.reading.exchange.index,
      })),
    )
    .toSorted((one, other) => lengthOf(one) - lengthOf(other));
  return {
    kind: 'altered-value',
    outcome: failing(symptoms),
    among: [{ kind: 'answered', with: 'successes' }],
    alteration: {
      members: [...new Set(own.map(({ member }) => member))],
      words: parts[0]?.words ?? unknown,
      exchange: example?.exchange ?? 0,
      sent: example?.sent,
      shown: example?.shown,
    },
    symptoms,
  };
}

function lengthOf({ sent, shown = '' }: { sent: string; shown: string | undefined }): number {
  return sent.length + shown.length;
}

/** The member that a symptom of a body, a state or a filter is about; undefined for any other. */
function memberOf({ requirement }: Symptom, { contract }: Log): string | undefined {
  const { subject, operation } = requirement;
  if (subject.kind === 'state') return 'member' in subject ? subject.member : undefined;
  if (subject.kind === 'parameter' && subject.facet === 'filter') {
    const resource = contract.resources.find(({ list }) => list.id === operation);
    return resource?.filters.find(({ parameter }) => parameter.name === subject.name)?.property;
  }
  if (subject.kind !== 'body' || subject.part !== 'member') return undefined;
  const [member, ...deeper] = subject.path.filter((step) => step !== '[]');
  return deeper.length === 0 ? member : undefined;
}

/** An item as it was sent, or shown earlier, and as it was answered then. */
type Before = Pick<Pair, 'isSent' | 'answered'> & { readonly sent: JsonValue | undefined };

/** What the exchanges of a symptom show of a member, where it differs from what was sent. */
function pairsOf(
  member: string,
  { reading, others: [other] }: Symptom,
  added: ReadonlyMap<string, Before>,
  log: Log,
): readonly Pair[] {
  const { sent, operation } = reading;
  if (isWriting(operation))
    return differing(member, { sent, isSent: true }, objectsOf(reading, log)[0]);
  const known = other === undefined ? added : new Map(itemsOf(other, log));
  return objectsOf(reading, log).flatMap((item) => {
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

function isWritten(reading: Reading): boolean {
  return isWriting(reading.operation);
}

/** The items of an exchange, by their keys: what it added, or what it showed. */
function itemsOf(reading: Reading, log: Log): readonly (readonly [string, Before])[] {
  const { sent } = reading;
  if (!isServed(reading)) return [];
  const [answered] = objectsOf(reading, log);
  const items: readonly (readonly [string, Before])[] = isWritten(reading)
    ? [[itemKey(answered, reading, log), { sent, answered, isSent: true }]]
    : objectsOf(reading, log).map((item) => [
        itemKey(item, reading, log),
        { sent: item, isSent: false },
      ]);
  return items.filter(([key, before]) => key !== '' && before.sent !== undefined);
}
