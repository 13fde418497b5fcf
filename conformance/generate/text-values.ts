/** A text that is hard on servers, and what it is hard for. */
export interface TextValue {
  readonly name: string;
  /** Builds the text around a tag by which it is known again. */
  readonly build: (tag: string) => string;
  /** What to send where it is refused. */
  readonly milder?: (tag: string) => string;
}

/**
 * Lawful texts that careless servers change or choke on. Each mixes traps that nobody refuses
 * without the others; what some refuse is in a text of its own.
 */
export const textValues: readonly TextValue[] = [
  {
    name: 'scripts, emoji, quotes and markup',
    build: (tag) => `${tag} ${printable}`,
    milder: (tag) => `${tag} Ünï 狗 שלום`,
  },
  {
    name: 'white space at both ends, and control characters',
    build: (tag) => `  ${tag} ${printable}\ttab\nline\r\nreturn\u0001\u001f\u007f\u2028end  `,
    milder: (tag) => `  ${tag} é🐾  `,
  },
  { name: 'a NUL character', build: (tag) => `${tag} nul \u0000 after` },
  {
    name: 'more than 1,000 characters, upper and lower case',
    build: (tag) => `${tag} ${'LongName '.repeat(115)}END`,
  },
  { name: 'accents only', build: (tag) => `${tag} Zoë Ångström e\u0301` },
  ...['0', 'false', 'null', 'undefined', 'NaN', '[]', '-1', '1e5'].map((word) => ({
    name: `the word ${word}`,
    build: () => word,
  })),
  { name: 'an apostrophe', build: (tag) => `${tag} O'Hara` },
];

const printable = `Ünï e\u0301 ﬁ 狗 שלום 🐾👩‍👩‍👧 "q" 'a''b' \\n %20 + &amp; <b>&lt;  x ; -- $1 {0}`;
