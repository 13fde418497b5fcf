import * as fc from 'fast-check';

/** Lengths at which storage, buffers and column types end. */
export const telltaleLengths = [
  1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 257, 500, 512,
  1000, 1023, 1024, 1025, 2049, 4097,
] as const;

/** Parts that careless code reads as something else than text; NUL, which few databases keep, is not among them. */
const traps = [
  ['  ', '\t', '\n', '\r\n', '\u001f', '\u007f', '\u2028'],
  ['"', "'", '\\', '\\n', '%20', '+', '&amp;', '<b>', '--', ';', '$1', '{0}', '${x}'],
  ['é', 'e\u0301', 'ß', 'İ', 'ı', 'ﬁ', '狗', 'שלום', '🐾', '👩‍👩‍👧', '\u200b', '\ufeff', '\ufffd'],
  ['null', 'true', 'NaN', '0', '-1', '1e5', 'undefined'],
].flat();

/** Characters that are often lost at the end or the beginning of a text. */
const margins = [' ', '\t', '\n', '\\', '"', "'", '.', '/', '\u00a0', '0'];

/** Longer texts are not drawn character by character, which takes seconds of a million. */
const longestDense = 10_000;

/** Texts of so many code points: traps, any characters, and lengths that often break something. */
export function arbitraryText(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const edges = telltaleLengths.filter((length) => length >= minLength && length <= maxLength);
  const most = Math.min(maxLength, minLength + 60);
  const length =
    edges.length === 0
      ? fc.constant(minLength)
      : fc.oneof(fc.constantFrom(...edges), fc.integer({ min: minLength, max: most }));
  const dense = length.chain((size) =>
    fc
      .array(anyCharacter(), { minLength: size, maxLength: size, size: 'max' })
      .map((characters) => characters.join('')),
  );
  const trapped = fc
    .array(fc.oneof(fc.constantFrom(...traps), fc.string({ maxLength: 5 })), { maxLength: 12 })
    .map((parts) => parts.join(''));
  const plain = fc.string({ minLength, maxLength: most });
  const end = fc.constantFrom(...margins, '');
  const margin = fc.tuple(end, fc.string({ maxLength: 9 }), end).map((parts) => parts.join(''));
  /** Cut or filled to a length in code points, which JSON Schema counts in. */
  const fit = (text: string): string => {
    const points = Array.from(text).slice(0, maxLength);
    return points.join('') + 'a'.repeat(Math.max(0, minLength - points.length));
  };
  const filled = [trapped.map(fit), margin.map(fit)];
  return minLength > longestDense ? fc.oneof(...filled) : fc.oneof(plain, ...filled, dense);
}

/** Characters of every plane, the common ones more often; none of half a pair. */
function anyCharacter(): fc.Arbitrary<string> {
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
      { weight: 3, arbitrary: fc.integer({ min: 0xa0, max: 0x2fff }) },
      { weight: 2, arbitrary: fc.integer({ min: 0x3000, max: 0xd7ff }) },
      { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0xfffd }) },
      { weight: 2, arbitrary: fc.integer({ min: 0x1_0000, max: 0x10_ffff }) },
    )
    .map((point) => String.fromCodePoint(point));
}
