/** The code point of the first character that `glyphWidths` is about: the space. */
const firstGlyph = 0x20;

/**
 * Widths of the printable characters of ASCII, in thousandths of the size of the font: of Verdana
 * or DejaVu Sans, whichever is wider. It was measured in Chromium.
 */
export const glyphWidths: readonly number[] = [
  352, 401, 460, 838, 636, 1076, 780, 275, 455, 455, 635, 838, 364, 455, 364, 455, 636, 636, 636,
  636, 636, 636, 636, 636, 636, 636, 455, 455, 838, 838, 838, 545, 1000, 684, 686, 698, 771, 633,
  575, 775, 752, 421, 455, 693, 557, 863, 748, 787, 603, 787, 695, 684, 616, 732, 684, 989, 685,
  615, 685, 455, 455, 455, 838, 635, 635, 613, 635, 550, 635, 615, 352, 635, 634, 278, 345, 592,
  278, 974, 634, 612, 635, 635, 426, 521, 394, 634, 592, 818, 592, 592, 525, 636, 455, 636, 838,
];

/** Pixels that a text takes at most in Verdana or DejaVu Sans of a size in pixels. */
export function measureText(text: string, size: number): number {
  // Letters with accents are as wide as those without.
  const letters = text.normalize('NFD').replaceAll(/\p{Mn}/gu, '');
  const widths = Array.from(
    letters,
    (letter) => glyphWidths[(letter.codePointAt(0) ?? 0) - firstGlyph] ?? widest,
  );
  return (widths.reduce((sum, width) => sum + width, 0) * size) / 1000;
}

/** Of characters that are not measured, such as an emoji; most are narrower. */
const widest = 1400;
