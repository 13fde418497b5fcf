import { isJsonObject, jsonEquals, renderJson, type JsonValue } from '../../contract/json/value.ts';
import { resolvePointer } from '../../contract/json/pointer.ts';
import { countOf } from '../../page/view/count.ts';
import { cutText, listWords, isServed, isWriting, type Log, type Symptom } from './reading.ts';
import type { Claim } from './fact.ts';

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
  /** It says no more than that the value is another one. */
  readonly isVague?: boolean;
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

/** Whether a text is the beginning of the other; what trimming leaves out is not cut. */
function isCut(sent: JsonValue, shown: JsonValue | undefined): shown is string {
  if (typeof sent !== 'string' || typeof shown !== 'string') return false;
  return sent.startsWith(shown) && sent.trimEnd() !== shown;
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

/** What explains all that is left. */
const unknown: Alteration = {
  words: 'is not returned as it was sent',
  explains: () => true,
  isVague: true,
};

/** What the values themselves show: one length at which texts are cut, or one value for all. */
function guessAlterations(pairs: readonly Pair[]): readonly Alteration[] {
  const cut = pairs.flatMap(({ sent, shown }) => (isCut(sent, shown) ? shown.length : []));
  const lengths = new Set(cut.filter((length, index) => cut.indexOf(length) < index));
  const guesses: Alteration[] = [...lengths].map((length) => ({
    words: `is cut to ${length} characters`,
    explains: (sent, shown) => isCut(sent, shown) && shown.length === length,
  }));
  const [first] = pairs;
  const textsOf = (side: 'sent' | 'shown'): number =>
    new Set(pairs.map((pair) => renderValue(pair[side]))).size;
  if (first !== undefined && textsOf('shown') === 1 && textsOf('sent') > 1)
    guesses.push({
      words: `is ${renderValue(first.shown)}, whatever was sent`,
      explains: () => true,
      isVague: true,
    });
  return guesses;
}

/** Whether it may have been done to the value as it was sent, or as it was answered first. */
function fits({ sent, shown, answered = sent, isSent }: Pair, { explains }: Alteration): boolean {
  return [sent, answered].some(
    (before) =>
      explains(before, shown) || (!isSent && shown !== undefined && explains(shown, before)),
  );
}

/** A symptom of a member, with its value as it was sent and as it came back. */
interface Change {
  readonly member: string;
  readonly symptom: Symptom;
  readonly pair: Pair;
}

/** What becomes of some values of one member. */
interface Part extends Alteration {
  readonly changes: readonly Change[];
}

/** Members that come back with another value than was sent, by what becomes of them. */
export function explainValues(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const identifiers = new Set(log.contract.resources.map(({ idPlace }) => idPlace[0]));
  const changes = symptoms.flatMap((symptom): readonly Change[] => {
    const member = memberOf(symptom);
    const isOfState = symptom.requirement.subject.kind === 'state';
    if (member === undefined || !isOfState || identifiers.has(member)) return [];
    const pair = pairOf(member, symptom);
    return pair === undefined ? [] : [{ member, symptom, pair }];
  });
  const parts = [...Map.groupBy(changes, ({ member }) => member).values()].flatMap(divide);
  // What happens to several members alike is one cause.
  const alike = Map.groupBy(
    parts.filter((each) => !isOfOtherItem(each, parts)),
    (part) => (part.isVague === true ? part : part.words),
  );
  return [...alike.values()].map((some) => composeClaim(some, symptoms, log));
}

/** Where several members of one item are other values, it is another item. */
function isOfOtherItem(one: Part, parts: readonly Part[]): boolean {
  const readings = new Set(one.changes.map(({ symptom }) => symptom.reading));
  return parts.some((other) => {
    if (other.changes[0]?.member === one.changes[0]?.member) return false;
    const others = new Set(other.changes.map(({ symptom }) => symptom.reading));
    return one.isVague === true && other.isVague === true
      ? !others.isDisjointFrom(readings)
      : (one.isVague === true || other.isVague === true) &&
          others.symmetricDifference(readings).size === 0;
  });
}

/** The alteration that explains most symptoms, then that of the rest; last what fits none. */
function divide(group: readonly Change[]): readonly Part[] {
  const parts: Part[] = [];
  let left = group;
  while (left.length > 0) {
    const known = [...alterations, ...guessAlterations(left.map(({ pair }) => pair))];
    const [best] = known
      .map((each) => ({
        ...each,
        changes: left.filter(({ pair }) => fits(pair, each)),
      }))
      .toSorted((one, other) => other.changes.length - one.changes.length);
    if (best === undefined || best.changes.length === 0) break;
    parts.push(best);
    left = left.filter((each) => !best.changes.includes(each));
  }
  const byPlace = Map.groupBy(left, ({ symptom }) => isWriting(symptom.reading.operation));
  return [...parts, ...[...byPlace.values()].map((own) => ({ ...unknown, changes: own }))];
}

/** One cause of what happens alike, with the shortest example. */
function composeClaim(parts: readonly Part[], symptoms: readonly Symptom[], log: Log): Claim {
  const changes = parts.flatMap((part) => part.changes);
  const own = changes.map(({ symptom }) => symptom);
  const members = [...new Set(changes.map(({ member }) => member))];
  // A filter judges what is stored: only a value that its own list alters explains what it shows.
  const operations = new Set(own.map(({ reading }) => reading.exchange.request.operation));
  const filters = symptoms.filter(
    (each) =>
      operations.size === 1 &&
      operations.has(each.requirement.operation) &&
      members.includes(filteredMember(each, log) ?? ''),
  );
  // A body that is wrong since its value was altered alike is wrong for the same reason.
  const [alteration = unknown] = parts;
  const isAltered = (each: Symptom, member: string): boolean => {
    const shown = valueIn(each);
    return log.answered.some(({ operation, sent }) => {
      const value = isWriting(operation) && isJsonObject(sent) ? sent[member] : undefined;
      return value !== undefined && shown !== undefined && alteration.explains(value, shown);
    });
  };
  const bodies = symptoms.filter((each) => {
    const member = each.requirement.subject.kind === 'body' ? memberOf(each) : undefined;
    const isOne = member !== undefined && members.includes(member) && alteration.isVague !== true;
    return isOne && isAltered(each, member);
  });
  const { words } = alteration;
  const [example = { sent: undefined, shown: undefined, exchange: 0 }] = changes
    .map(({ pair: { sent, shown }, symptom }) => ({
      sent: renderValue(sent),
      shown: shown === undefined ? undefined : renderValue(shown),
      exchange: symptom.reading.exchange.index,
    }))
    .toSorted((one, other) => lengthOf(one) - lengthOf(other));
  return {
    kind: 'altered-value',
    among: { noun: 'response', before: 'successful ', holds: isServed },
    alteration: { members, words, ...example },
    sentence: ({ seen, of }) =>
      `${listWords(members.map((name) => `\`${name}\``))} ${words}: ${seen} of ${countOf(of, 'response')}, such as ${example.shown ?? 'nothing'} for ${example.sent ?? 'nothing'}.`,
    symptoms: [...own, ...filters, ...bodies],
  };
}

function lengthOf({ sent, shown = '' }: { sent: string; shown: string | undefined }): number {
  return sent.length + shown.length;
}

/** A value for a sentence. */
function renderValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  return cutText(renderJson(typeof value === 'string' ? value.slice(0, 1000) : value));
}

/** The member that a symptom of a body or a state is about; undefined for any other. */
function memberOf({ requirement: { subject } }: Symptom): string | undefined {
  if (subject.kind === 'state') return 'member' in subject ? subject.member : undefined;
  if (subject.kind !== 'body' || subject.part !== 'member') return undefined;
  const [member, ...deeper] = subject.path.filter((step) => step !== '[]');
  return deeper.length === 0 ? member : undefined;
}

/** The member by which the filter selects that a symptom is about. */
function filteredMember({ requirement }: Symptom, { contract }: Log): string | undefined {
  const { subject, operation } = requirement;
  if (subject.kind !== 'parameter' || subject.facet !== 'filter') return undefined;
  const resource = contract.resources.find(({ list }) => list.id === operation);
  return resource?.filters.find(({ parameter }) => parameter.name === subject.name)?.property;
}

/** What a symptom shows of a member, where it differs from what was sent or shown before. */
function pairOf(member: string, symptom: Symptom): Pair | undefined {
  const { reading, others, failure } = symptom;
  const { before } = failure.shrunkFrom ?? failure;
  const origin = isWriting(reading.operation) ? reading : others[0];
  if (origin === undefined) return undefined;
  const isSent = isWriting(origin.operation);
  const answered = before === undefined ? undefined : resolvePointer(origin.body ?? null, before);
  const sent = isSent && isJsonObject(origin.sent) ? origin.sent[member] : answered;
  const shown = valueIn(symptom);
  return sent === undefined || (shown !== undefined && jsonEquals(sent, shown))
    ? undefined
    : { sent, shown, answered, isSent };
}

/** The value that a symptom is about, in the response that shows it. */
function valueIn({ reading, failure }: Symptom): JsonValue | undefined {
  const { at } = failure.shrunkFrom ?? failure;
  return at === undefined ? undefined : resolvePointer(reading.body ?? null, at);
}
