import type { Contract } from '../../contract/contract.ts';

/** A text that is difficult for servers, and why. */
export interface TextValue {
  readonly name: string;
  /** Builds the text around a tag that identifies it. */
  readonly build: (tag: string) => string;
  /** Texts to send instead if it is refused, in turn. */
  readonly milder?: readonly ((tag: string) => string)[];
  /** 1: within the first 60 requests. */
  readonly rank: number;
}

const printable = `Ünï e\u0301 ﬁ 狗 שלום 🐾👩‍👩‍👧 "q" 'a''b' \\n %20 + &amp; <b>&lt;  x ; -- $1 {0}`;

const scripts = (tag: string): string => `${tag} Ünï 狗 שלום`;

/** The most demanding text that no server may reasonably refuse. */
export const hardText: TextValue = {
  name: 'scripts, emoji, quotes and markup',
  build: (tag) => `${tag} ${printable}`,
  milder: [scripts],
  rank: 3,
};

/**
 * Texts that careless code misreads: as a value of another type, as missing, or as an inherited
 * member of objects.
 */
const wholeWords: readonly string[] = [
  'null',
  'true',
  '007',
  'NaN',
  '__proto__',
  'constructor',
  '0',
  'false',
  'undefined',
  '[]',
  '1e5',
  'no',
];

/**
 * The texts for a document. NUL only if the document lists its open questions, because few services
 * store it.
 */
export function textValuesFor({ openQuestions }: Contract): readonly TextValue[] {
  return openQuestions.length > 0
    ? textValues
    : textValues.filter(({ build }) => !build('').includes('\0'));
}

/**
 * Valid texts that careless servers change or fail on. Each combines traps that no server refuses
 * individually. Traps that some servers refuse are in texts of their own.
 */
const textValues: readonly TextValue[] = [
  hardText,
  {
    name: 'white space at both ends, and control characters',
    build: (tag) => `  ${tag} ${printable}\ttab\nline\r\nreturn\u0001\u001f\u007f\u2028end  `,
    milder: [hardText.build, (tag) => `  ${tag} é🐾  `, scripts],
    rank: 1,
  },
  { name: 'a NUL character', build: (tag) => `${tag} nul \u0000 after`, rank: 1 },
  {
    name: 'more than 1,000 characters, upper and lower case',
    build: (tag) => `${tag} ${'LongName '.repeat(115)}END`,
    rank: 1,
  },
  { name: 'accents only', build: (tag) => `${tag} Zoë Ångström e\u0301`, rank: 4 },
  ...wholeWords.map((word) => ({
    name: `the word ${word}`,
    build: () => word,
    milder: [() => shiftText(word)],
    rank: 4,
  })),
  { name: 'an apostrophe', build: (tag) => `${tag} O'Hara`, rank: 4 },
];

/**
 * A meaningless text of the same length and kinds of characters: `ovmm` for `null`. Limits of
 * length or characters refuse both.
 */
function shiftText(text: string): string {
  return text
    .replaceAll(/[a-y]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) + 1))
    .replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10));
}

/** Equal for all texts that limits of length and characters treat alike. */
export function shapeOfText(text: string): string {
  return text.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0');
}
