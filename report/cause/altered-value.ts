import { isJsonObject, jsonEquals, renderJson, type JsonValue } from '../../contract/json/value.ts';
import { resolvePointer } from '../../contract/json/pointer.ts';
import { cutText, isWriting, type Log, type Symptom } from './log.ts';

/** A value that came back as another one than was sent, or than was shown before. */
interface Change {
  readonly symptom: Symptom;
  readonly member: string;
  /** As it was sent or shown first, then as the response to it had it. */
  readonly before: readonly [JsonValue, ...JsonValue[]];
  /** Undefined where it did not come back. */
  readonly shown: JsonValue | undefined;
}

/** What is done to a value, in words that follow the name of a member. */
interface Alteration {
  readonly words: string;
  readonly explains: (sent: JsonValue, shown: JsonValue | undefined) => boolean;
}

/** Characters of the longest text that is compared under an alteration: each takes its time. */
const longest = 65_536;

function isShort(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.length <= longest;
}

/** Two texts that are the same where `normalise` makes one of both. */
function ofText(words: string, normalise: (text: string) => string): Alteration {
  return {
    words,
    explains: (sent, shown) =>
      isShort(sent) && isShort(shown) && normalise(sent) === normalise(shown),
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

/** The most specific first. */
const alterations: readonly Alteration[] = [
  ofInteger('is rounded to the nearest double', (value) =>
    Number.isFinite(Number(value)) ? BigInt(Number(value)) : value,
  ),
  ofInteger(
    'is cut to 32 bits',
    (value) => BigInt.asIntN(32, value),
    (value) => BigInt.asUintN(32, value),
    (value) => (value < 0n ? -(2n ** 31n) : 2n ** 31n - 1n),
  ),
  ofText('loses leading or trailing spaces', (text) => text.trim()),
  ofText('has its spaces changed', (text) => text.replaceAll(/\s+/gu, '')),
  ofText('has its characters normalised', (text) => text.normalize('NFKC')),
  ofText('has the case of its letters changed', (text) => text.toUpperCase()),
  ofText('has its control characters changed', (text) =>
    text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ''),
  ),
  { words: 'is not returned', explains: (_sent, shown) => shown === undefined },
  {
    words: 'is returned as a string',
    explains: (sent, shown) => typeof sent !== 'string' && shown === renderJson(sent),
  },
  {
    words: 'is cut',
    explains: (sent, shown) =>
      typeof sent === 'string' && typeof shown === 'string' && sent.startsWith(shown),
  },
];

/** Members that come back with other values than were sent, by what is done to these values. */
interface AlteredValue {
  readonly words: string;
  readonly members: readonly string[];
  /** The failures that show it, and what follows: filters that the values break. */
  readonly symptoms: readonly Symptom[];
  /** The exchange with the shortest values, as JSON; `shown` is undefined where it did not come back. */
  readonly example: {
    readonly exchange: number;
    readonly sent: string;
    readonly shown: string | undefined;
  };
}

/** What happens to several members alike is one. Where several members differ in any way, it is another item. */
export function findAlteredValues(symptoms: readonly Symptom[], log: Log): readonly AlteredValue[] {
  const byPlace = Map.groupBy(
    symptoms.flatMap((each) => changeOf(each, log)),
    ({ member, symptom: { reading } }) => `${isWriting(reading.operation)} ${member}`,
  );
  const parts = [...byPlace.values()].map((some) => {
    const found = alterations.find(({ explains }) =>
      some.every(({ before, shown }) => before.some((each) => explains(each, shown))),
    );
    return {
      some,
      words: found?.words,
      readings: new Set(some.map(({ symptom }) => symptom.reading)),
    };
  });
  type Part = (typeof parts)[number];
  /** Whether another member differs in the same responses, and nobody knows how one of them is altered. */
  const isOfOtherItem = (one: Part): boolean =>
    parts.some(
      (other) =>
        other.some[0]?.member !== one.some[0]?.member &&
        (one.words === undefined || other.words === undefined) &&
        !other.readings.isDisjointFrom(one.readings),
    );
  const kept = parts.filter((each) => !isOfOtherItem(each));
  const alike = Map.groupBy(kept, ({ some: [first], words }) => words ?? first?.member);
  return [...alike.values()].flatMap((group) => {
    const all = group.flatMap(({ some }) => some);
    const members = [...new Set(all.map(({ member }) => member))];
    const [example] = all
      .map(({ before: [sent], shown, symptom }) => ({
        exchange: symptom.reading.exchange.index,
        sent: renderValue(sent),
        shown: shown === undefined ? undefined : renderValue(shown),
      }))
      .toSorted((one, other) => lengthOf(one) - lengthOf(other));
    if (example === undefined) return [];
    const own = all.map(({ symptom }) => symptom);
    const effects = symptoms.filter((each) => isFilter(each, members, own, log));
    const words = group[0]?.words ?? 'is not returned as sent';
    return { words, members, symptoms: [...own, ...effects], example };
  });
}

function lengthOf({ sent, shown = '' }: AlteredValue['example']): number {
  return sent.length + shown.length;
}

/** A value for a sentence. */
function renderValue(value: JsonValue): string {
  return cutText(renderJson(typeof value === 'string' ? value.slice(0, 1000) : value));
}

/** What a failure shows of a member, where it differs from what was sent or shown before; none of an identifier. */
function changeOf(symptom: Symptom, { contract }: Log): readonly Change[] {
  const { requirement, reading, others, failure } = symptom;
  const { subject } = requirement;
  if (subject.kind !== 'state' || !('member' in subject)) return [];
  const { member } = subject;
  if (contract.resources.some(({ idPlace }) => idPlace[0] === member)) return [];
  const origin = isWriting(reading.operation) ? reading : others[0];
  if (origin === undefined) return [];
  const { before, at } = failure.shrunkFrom ?? failure;
  const answered = valueAt(origin.body, before);
  const isSent = isWriting(origin.operation);
  const sent = isSent && isJsonObject(origin.sent) ? origin.sent[member] : answered;
  const shown = valueAt(reading.body, at);
  if (sent === undefined || (shown !== undefined && jsonEquals(sent, shown))) return [];
  return [{ symptom, member, shown, before: answered === undefined ? [sent] : [sent, answered] }];
}

function valueAt(body: JsonValue | undefined, pointer: string | undefined): JsonValue | undefined {
  return pointer === undefined ? undefined : resolvePointer(body ?? null, pointer);
}

/** Whether a list whose values alone are altered selects by one of the members. */
function isFilter(
  { requirement: { subject, operation } }: Symptom,
  members: readonly string[],
  own: readonly Symptom[],
  { contract }: Log,
): boolean {
  if (subject.kind !== 'parameter' || subject.facet !== 'filter') return false;
  const list = contract.resources.find(({ list: { id } }) => id === operation);
  const filter = list?.filters.find(({ parameter }) => parameter.name === subject.name);
  return (
    members.includes(filter?.property ?? '') &&
    own.every(({ reading }) => reading.exchange.request.operation === operation)
  );
}
