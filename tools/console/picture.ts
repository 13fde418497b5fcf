/**
 * What a terminal shows, as a picture: text in SVG, so that it can be searched, read aloud and
 * compared.
 */

/**
 * A stretch of a line with the parameters of its Select Graphic Rendition (ECMA-48); `` for none.
 */
interface Stretch {
  readonly style: string;
  readonly text: string;
}

/** Colours on a dark ground, each with a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3). */
const STYLES: Readonly<Record<string, string>> = {
  '': 'fill="#d4d4d4"',
  '1': 'fill="#ffffff" font-weight="bold"',
  '2': 'fill="#9a9a9a"',
  '32': 'fill="#6cc26c"',
  '33': 'fill="#d7ba5a"',
  '1;31': 'fill="#ff7b72" font-weight="bold"',
};

/** Pixels of a character and a line at 14 pixels of a monospaced font. */
const [CHARACTER, LINE, MARGIN] = [8.4, 20, 16];

/**
 * Renders what was written to a terminal of so many columns. Throws for a colour that has none
 * here.
 */
export function renderPicture(written: string, title: string, columns: number): string {
  const lines = written.trimEnd().split('\n').map(readLine);
  const [width, height] = [
    Math.ceil(columns * CHARACTER) + 2 * MARGIN,
    lines.length * LINE + 2 * MARGIN,
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">`,
    `<title>${escape(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="#1e1e1e"/>`,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14">',
    ...lines.flatMap((line, row) => renderLine(line, MARGIN + row * LINE + 14)),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** The text alone. */
export function stripColours(written: string): string {
  return written
    .split('\n')
    .map((line) =>
      readLine(line)
        .map(({ text }) => text)
        .join(''),
    )
    .join('\n');
}

function readLine(line: string): readonly Stretch[] {
  const [plain = '', ...painted] = line.split('\u001B[');
  const stretches = painted.map((part) => {
    const end = part.indexOf('m');
    const style = part.slice(0, end);
    return { style: style === '0' ? '' : style, text: part.slice(end + 1) };
  });
  return [{ style: '', text: plain }, ...stretches].filter(({ text }) => text !== '');
}

/**
 * What stands between two spaces has its own place, so that columns line up in any monospaced font.
 */
function renderLine(line: readonly Stretch[], y: number): readonly string[] {
  let column = 0;
  return line.flatMap(({ style, text }) => {
    const attributes = STYLES[style];
    if (attributes === undefined) throw new Error(`The picture has no colour for ${style}.`);
    const start = column;
    column += text.length;
    return [...text.matchAll(/\S+(?: \S+)*/g)].map(
      ({ 0: shown, index }) =>
        `<text x="${pixels(start + index, MARGIN)}" y="${y}" textLength="${pixels(shown.length)}" ${attributes}>${escape(shown)}</text>`,
    );
  });
}

function pixels(characters: number, margin = 0): string {
  return (margin + characters * CHARACTER).toFixed(1);
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
