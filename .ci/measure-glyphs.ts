import { firstGlyph, glyphWidths } from '../certificate/page/text-width.ts';
import { findChromium, launchChromium } from '../page/testing/browser.ts';

/**
 * Prints the widths of the printable characters of ASCII for `certificate/page/text-width.ts`: those
 * that stand there, or where a font of this machine is wider, its own. Fonts are arguments:
 *
 *     node .ci/measure-glyphs.ts "Verdana" "DejaVu Sans"
 */
const fonts = process.argv.slice(2);
const executablePath = findChromium();
if (executablePath === undefined) throw new Error('There is no Chromium on this machine.');
const browser = await launchChromium(executablePath);
const page = await browser.newPage();
const widths = await Promise.all(
  glyphWidths.map(async (known, index) => {
    const character = String.fromCodePoint(firstGlyph + index);
    const measured = await Promise.all(fonts.map((font) => measure(character, font)));
    return Math.max(known, ...measured);
  }),
);
console.log(JSON.stringify(widths));
await browser.close();

/** Thousandths of the font's size; 0 for a font that is not there. */
async function measure(character: string, font: string): Promise<number> {
  return await page.evaluate<number>(`(() => {
    const canvas = document.createElement('canvas').getContext('2d');
    const width = (fonts) => {
      canvas.font = '1000px ' + fonts;
      return Math.round(canvas.measureText(${JSON.stringify(character)}).width);
    };
    const font = ${JSON.stringify(`"${font}"`)};
    const isThere = ['serif', 'monospace'].every((other) => width(font) === width(font + ', ' + other));
    return isThere ? width(font) : 0;
  })()`);
}
