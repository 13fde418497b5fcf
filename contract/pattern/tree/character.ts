/**
 * The characters that a part of a pattern can take first, by symbol: one bit for each of ASCII, and
 * one for all others together. Never too few, so that what has no bit in common has no character.
 */
export type Symbols = bigint;

const ascii = 128;
export const noSymbols: Symbols = 0n;
const otherSymbol: Symbols = 1n << BigInt(ascii);
export const everySymbol: Symbols = (otherSymbol << 1n) - 1n;

/** The symbols of one character of a pattern: `[a-z]`, `\d`, `x`, `.`. */
export function symbolsOf(source: string, flags: string): Symbols {
  const isWide = !isNarrow(source, flags);
  return asciiOf(source, flags).reduce(
    (symbols, code) => symbols | (1n << BigInt(code)),
    isWide ? otherSymbol : noSymbols,
  );
}

function asciiOf(source: string, flags: string): readonly number[] {
  const test = new RegExp(`^(?:${source})$`, flags);
  return Array.from({ length: ascii }, (_one, code) => code).filter((code) =>
    test.test(String.fromCharCode(code)),
  );
}

/** What stands for ASCII alone, by itself or in a class. */
const narrowMember = String.raw`[^\\\]\x80-\u{10ffff}]|\\[dwnrtfv]|\\[^\da-zA-Z\x80-\u{10ffff}]`;
const narrow = new RegExp(
  `^(?:\\[(?!\\^)(?:${narrowMember}|\\\\b)*\\]|(?![.[])(?:${narrowMember}))$`,
  'u',
);
const narrowExcept = new RegExp(`^(?:\\[\\^(?:${narrowMember}|\\\\b)*\\]|\\\\[DW])$`, 'u');

/** True only where no character beyond ASCII can be meant. */
function isNarrow(source: string, flags: string): boolean {
  return narrow.test(source) && !foldsFurther(flags);
}

/** With both flags, letters of ASCII are those of other scripts too. */
function foldsFurther(flags: string): boolean {
  return flags.includes('i') && flags.includes('u');
}

/** Code points from the first to the last. */
export type CodeRange = readonly [first: number, last: number];

const lastCode = 0x10ffff;

/** All code points that one character of a pattern takes, as this engine has them. */
export function listRanges(source: string, flags: string): readonly CodeRange[] {
  const code = codeOf(source);
  if (code !== undefined && !flags.includes('i')) return [[code, code]];
  const within = asciiOf(source, flags).map((code): CodeRange => [code, code]);
  if (isNarrow(source, flags)) return joinRanges(within);
  const isExcept = narrowExcept.test(source) && !foldsFurther(flags);
  if (isExcept) return joinRanges([...within, [ascii, lastCode]]);
  return joinRanges([...findRanges(source, flags)]);
}

/** Code points of one block: high and low surrogates in one would be one character. */
const block = 1024;
const lows = Array.from({ length: block }, (_one, at) => String.fromCharCode(0xdc00 + at));

const firstHigh = 0x10000;

/** The code point that a source names, or is; undefined for all else. */
function codeOf(source: string): number | undefined {
  const [, digits] =
    /^\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2}))$/iu.exec(source)?.filter(isThere) ?? [];
  if (digits !== undefined) return Number.parseInt(digits, 16);
  return /^[^\\[.]$/u.test(source) ? source.codePointAt(0) : undefined;
}

function isThere(text: string | undefined): boolean {
  return text !== undefined;
}

/** By trial of each; those beyond the basic plane are all alike where the source names none. */
function* findRanges(source: string, flags: string): Generator<CodeRange> {
  const run = new RegExp(`(?:${source})+`, `${flags}g`);
  const isAlike = !/\\[pP]|\\u\{|\\u[dD][89abAB]|[\u{10000}-\u{10ffff}]/u.test(source);
  const end = isAlike ? firstHigh - 1 : lastCode;
  yield* findWithin(run, end);
  if (isAlike && new RegExp(`^(?:${source})+$`, flags).test(String.fromCodePoint(firstHigh)))
    yield [firstHigh, lastCode];
}

function* findWithin(run: RegExp, end: number): Generator<CodeRange> {
  for (let start = 0; start <= end; start += block) {
    const text = renderBlock(start);
    const width = text.length / block;
    for (const { 0: taken, index } of text.matchAll(run)) {
      const first = start + index / width;
      yield [first, first + taken.length / width - 1];
    }
  }
}

function renderBlock(start: number): string {
  if (start < firstHigh)
    return Array.from({ length: block }, (_one, at) => String.fromCharCode(start + at)).join('');
  const high = String.fromCodePoint(start).charAt(0);
  return high + lows.join(high);
}

function joinRanges(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const joined: [number, number][] = [];
  for (const [first, last] of ranges) {
    const before = joined.at(-1);
    if (before !== undefined && before[1] === first - 1) before[1] = last;
    else joined.push([first, last]);
  }
  return joined;
}
