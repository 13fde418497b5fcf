/** A text that is hard on servers, and what it is hard for. */
export interface TextValue {
  readonly name: string;
  /** Builds the text around a tag by which it is known again. */
  readonly build: (tag: string) => string;
}

/**
 * Lawful texts that careless servers change or choke on: each mixes several traps, so that few requests spring
 * many. A server that refuses one by a limit of its own gets the milder ones after it.
 */
export const textValues: readonly TextValue[] = [
  {
    name: 'scripts, accents, emoji, quotes and markup',
    build: (tag) => `  ${tag} Ünï e\u0301 ﬁ 狗 שלום 🐾👩‍👩‍👧 "q" 'a''b' \\n %20 + &amp; <b>&lt;  x ; -- $1 {0}  `,
  },
  { name: 'line breaks, tab and control characters', build: (tag) => `${tag}\ttab\nline\r\nreturn\u0001\u001f\u007f\u2028end` },
  { name: 'a NUL character', build: (tag) => `${tag} nul \u0000 after` },
  { name: 'more than 1,000 characters, upper and lower case', build: (tag) => `${tag} ${'LongName '.repeat(115)}END` },
  { name: 'accents only', build: (tag) => `${tag} Zoë Ångström e\u0301` },
  { name: 'an apostrophe', build: (tag) => `${tag} O'Hara` },
];
