import { isJsonObject, jsonEquals, renderJson, type JsonValue } from '../../contract/json/value.ts';
import { listWords } from '../../contract/list/list.ts';
import { resolvePointer } from '../../contract/json/pointer.ts';
import { writes } from '../../conformance/index.ts';
import { countResponses, type Claim } from './claim.ts';
import { cutText, readingsOf, type Log, type Symptom } from './log.ts';

/** A value that came back differently from how it was sent or shown before. */
interface Change {
  readonly symptom: Symptom;
  readonly member: string;
  /** The value as it was sent or first shown, and as it came back. */
  readonly before: readonly [JsonValue, ...JsonValue[]];
  /** Undefined if it did not come back. */
  readonly shown: JsonValue | undefined;
}

/** What happens to a value, in words that follow the name of a member. */
interface Alteration {
  readonly words: string;
  readonly explains: (sent: JsonValue, shown: JsonValue | undefined) => boolean;
}

/**
 * Longest text that is compared under an alteration, in characters, because comparing takes time.
 */
const longest = 65_536;

function isShort(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.length <= longest;
}

/** Two texts that are the same after `normalise`. */
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

/** Most specific first. */
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

/**
 * Members that come back with other values: those that are altered in the same way are one cause.
 * If several members differ in unknown ways, the response has another item.
 */
export function* explainAlteredValues(symptoms: readonly Symptom[], log: Log): Generator<Claim> {
  const byPlace = Map.groupBy(
    symptoms.flatMap((each) => changeOf(each, log)),
    ({ member, symptom: { reading } }) => `${writes(reading.exchange.request)} ${member}`,
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
  /** Whether other members of the same responses differ too, in unknown ways. */
  const isOfOtherItem = (one: Part): boolean =>
    parts.some(
      (other) =>
        other !== one &&
        (one.words === undefined || other.words === undefined) &&
        !other.readings.isDisjointFrom(one.readings),
    );
  const kept = parts.filter((each) => !isOfOtherItem(each));
  const alike = Map.groupBy(kept, ({ some: [first], words }) => words ?? first?.member);
  for (const group of alike.values()) {
    const all = group.flatMap(({ some }) => some);
    const members = [...new Set(all.map(({ member }) => member))];
    const words = group[0]?.words ?? 'is not returned as sent';
    const [example] = all
      .map(({ before: [sent], shown, symptom }) => ({
        exchange: symptom.reading.exchange.index,
        sent: renderValue(sent),
        // Undefined if the value did not come back.
        shown: shown === undefined ? undefined : renderValue(shown),
      }))
      .toSorted((one, other) => lengthOf(one) - lengthOf(other));
    // What the log does not explain of the same requirements has the same cause.
    const broken = new Set(all.map(({ symptom }) => symptom.requirement));
    const own = symptoms.filter(({ requirement }) => broken.has(requirement));
    const count = countResponses(readingsOf(own), log);
    yield {
      kind: 'altered-value',
      symptoms: own,
      ...count,
      fact: { ...count.fact, alteration: example && { members, words, ...example } },
      sentence: `${listWords(members.map((name) => `\`${name}\``))} ${words}: ${count.words}, such as ${example?.shown ?? 'nothing'} for ${example?.sent}.`,
    };
  }
}

function lengthOf({ sent, shown = '' }: { sent: string; shown: string | undefined }): number {
  return sent.length + shown.length;
}

/** A value for a sentence. */
function renderValue(value: JsonValue): string {
  return cutText(renderJson(typeof value === 'string' ? value.slice(0, 1000) : value));
}

/** How the member of a failure differs from what was sent or shown before; none for identifiers. */
function changeOf(symptom: Symptom, { contract }: Log): readonly Change[] {
  const { requirement, reading, others, found } = symptom;
  const { subject } = requirement;
  if (subject.kind !== 'state' || !('member' in subject)) return [];
  const { member } = subject;
  if (contract.resources.some(({ idPlace }) => idPlace[0] === member)) return [];
  const origin = writes(reading.exchange.request) ? reading : others[0];
  if (origin === undefined) return [];
  const answered = valueAt(origin.body, found.before);
  const isSent = writes(origin.exchange.request);
  const sent = isSent && isJsonObject(origin.sent) ? origin.sent[member] : answered;
  const shown = valueAt(reading.body, found.at);
  if (sent === undefined || (shown !== undefined && jsonEquals(sent, shown))) return [];
  return [{ symptom, member, shown, before: answered === undefined ? [sent] : [sent, answered] }];
}

function valueAt(body: JsonValue | undefined, pointer: string | undefined): JsonValue | undefined {
  return pointer === undefined ? undefined : resolvePointer(body ?? null, pointer);
}
