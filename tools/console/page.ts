import { renderPicture, stripColours } from './picture.ts';
import { scenes } from './sequence.ts';

/** Columns of the terminal that was recorded. */
const COLUMNS = 100;

const TITLE = 'The console of petstore mock, with a line for each request';

export interface ConsolePage {
  /** docs/console-log.md */
  readonly page: string;
  /** docs/console-log.svg */
  readonly picture: string;
}

/** The page and the picture of a recording. */
export function renderConsolePage(written: string): ConsolePage {
  return {
    page: renderPage(stripColours(written).trimEnd()),
    picture: renderPicture(written, TITLE, COLUMNS),
  };
}

/**
 * Durations, which differ each time, as if all were the same; in the text of a page and of a
 * picture.
 */
export function levelDurations(text: string): string {
  return text
    .replaceAll(/ x="[^"]*"( y="[^"]*") textLength="[^"]*"([^>]*>)\d+\.\d ms/g, '$1$20.0 ms')
    .replaceAll(/ +\d+\.\d ms/g, '   0.0 ms');
}

function renderPage(text: string): string {
  return `# What the mock prints

\`npm start\` prints where it listens, its keys, and then a line for each request: time (UTC), status, how long the mock
took, how many requests are left, whose they are, and the request with its operation. Below stands what a person asks
next: why it was refused, which fault struck, which preference was followed. Keys are never shown.

![${TITLE}](console-log.svg)

What was sent, line by line:

${scenes.map(({ about }, index) => `${index + 1}. ${about}`).join('\n')}

The same as text:

\`\`\`text
${text}
\`\`\`

Colours are for terminals only, and not where \`NO_COLOR\` is set. Anywhere else a request is one line, however long.
\`--log json\` prints an object a line for other programs, \`--quiet\` nothing but the start.

\`npm run console\` records this page anew, and a test holds it to what the mock prints.
`;
}
