import { jsonEquals, renderJson, type JsonValue } from '../../../contract/index.ts';
import { renderValue } from '../fact/describe.ts';

/** A value as it was sent, and as it came back. */
export interface Pair {
  readonly sent: JsonValue;
  /** Undefined where it did not come back. */
  readonly shown: JsonValue | undefined;
  /** As it was answered when it was sent, where that is known. */
  readonly answered?: JsonValue | undefined;
  /** It was sent by the suite; else another response showed it, and either may be the altered one. */
  readonly isSent: boolean;
}

/** What is done to a value, in words that follow the name of a member. */
export interface Alteration {
  readonly words: string;
  readonly explains: (pair: Pair) => boolean;
}

/** Characters of the longest text that is compared under an alteration: each takes its time. */
const longest = 65_536;

function isShortText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.length <= longest;
}

/** The alterations of a table, each of which says what becomes of a value. */
function ofText(words: string, change: (text: string) => string): Alteration {
  return {
    words,
    explains: ({ sent, shown }) =>
      isShortText(sent) && isShortText(shown) && shown === change(sent),
  };
}

/** What two texts differ in and in nothing else: all of it is taken out of both, or made one. */
function differingIn(words: string, strip: (text: string) => string): Alteration {
  return {
    words,
    explains: ({ sent, shown }) =>
      isShortText(sent) && isShortText(shown) && strip(sent) === strip(shown),
  };
}

function ofInteger(words: string, change: (value: bigint) => bigint | undefined): Alteration {
  return {
    words,
    explains: ({ sent, shown }) => {
      const [value, found] = [readInteger(sent), readInteger(shown)];
      return value !== undefined && found !== undefined && found === change(value);
    },
  };
}

function readInteger(value: JsonValue | undefined): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

/** Undefined for an integer beyond the range of a float, which becomes infinite. */
function wholeOf(value: number): bigint | undefined {
  return Number.isFinite(value) ? BigInt(value) : undefined;
}

const [least32, most32] = [-(2n ** 31n), 2n ** 31n - 1n];
const clamp = (value: bigint, least: bigint, most: bigint): bigint =>
  value < least ? least : value > most ? most : value;

/** Deepest first. Each fits only what it changes: the pairs all differ. */
export const alterations: readonly Alteration[] = [
  ofInteger('is rounded to the nearest double', (value) => wholeOf(Number(value))),
  ofInteger('is cut to 32 bits', (value) => BigInt.asIntN(32, value)),
  ofInteger('is cut to 32 bits, unsigned', (value) => BigInt.asUintN(32, value)),
  ofInteger('is clamped to 32 bits', (value) => clamp(value, least32, most32)),
  ofText('loses leading and trailing spaces', (text) => text.trim()),
  ofText('loses leading spaces', (text) => text.trimStart()),
  ofText('loses trailing spaces', (text) => text.trimEnd()),
  ...(['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) =>
    ofText(`is normalised to ${form}`, (text) => text.normalize(form)),
  ),
  ofText('is converted to lower case', (text) => text.toLowerCase()),
  ofText('is converted to upper case', (text) => text.toUpperCase()),
  ofText('is escaped for HTML', (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ),
  differingIn('has its line breaks changed', (text) => text.replaceAll(/\r\n?|\n/g, '\n')),
  differingIn('has its control characters changed', (text) => text.replaceAll(/\p{Cc}/gu, '')),
  differingIn('has its characters normalised', (text) => text.normalize('NFKC')),
  differingIn('has the case of its letters changed', (text) => text.toLowerCase()),
  differingIn('has characters beyond U+FFFF changed', (text) =>
    text.replaceAll(/[\u{10000}-\u{10FFFF}\p{Cs}\p{Cf}\uFFFD?]/gu, ''),
  ),
  differingIn('has characters beyond ASCII changed', (text) =>
    text.normalize('NFD').replaceAll(/[^\0-\x7F]|\?/gu, ''),
  ),
  {
    words: 'is not returned',
    explains: ({ shown }) => shown === undefined,
  },
  {
    words: 'is returned empty',
    explains: ({ shown }) => shown === '',
  },
  {
    words: 'is returned as null',
    explains: ({ shown }) => shown === null,
  },
  {
    words: 'is returned as a string',
    explains: ({ sent, shown }) =>
      typeof sent !== 'string' && isShortText(shown) && shown === renderJson(sent),
  },
];

/** Whether it may have become of the value as it was sent or as it was answered first. */
export function fits(pair: Pair, { explains }: Alteration): boolean {
  const { sent, shown, answered = sent, isSent } = pair;
  return [sent, answered].some(
    (before) =>
      explains({ ...pair, sent: before, shown }) ||
      (!isSent && shown !== undefined && explains({ ...pair, sent: shown, shown: before })),
  );
}

/** What the values themselves tell: what explains all of them, and is in no table. */
export function guessAlterations(pairs: readonly Pair[]): readonly Alteration[] {
  return [cutOf(pairs), constantOf(pairs)].filter((each) =>
    pairs.every((pair) => fits(pair, each)),
  );
}

/** Texts that are cut short. */
function cutOf(pairs: readonly Pair[]): Alteration {
  const lengths = new Set(pairs.map(({ shown }) => (typeof shown === 'string' ? shown.length : 0)));
  const [length = 0] = lengths;
  return {
    words:
      lengths.size === 1 && pairs.length > 1 ? `is cut to ${length} characters` : 'is cut short',
    explains: ({ sent, shown }) =>
      typeof sent === 'string' && typeof shown === 'string' && sent.startsWith(shown),
  };
}

/** One value whatever was sent, where different ones were. */
function constantOf(pairs: readonly Pair[]): Alteration {
  const [first] = pairs;
  const text = renderValue(first?.shown);
  const isAny = pairs.some(({ sent }) => first !== undefined && !jsonEquals(sent, first.sent));
  return {
    words: `is ${text}, whatever was sent`,
    explains: ({ shown }) => isAny && renderValue(shown) === text,
  };
}
