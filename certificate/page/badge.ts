import { html } from '../../page/view/element.ts';
import { renderMarkup } from '../../page/view/static/document.ts';
import type { Level, Predicate } from '../predicate/predicate.ts';
import { describeLevel, summariseVerdicts, unauthenticated } from '../predicate/summary.ts';
import { measureText } from './text-width.ts';

/** White on each is at least 4.5 to 1 (WCAG 2.2, 1.4.3). */
const colours: Readonly<Record<Level, string>> = {
  conforms: '#1c6b3c',
  failed: '#a8201a',
  incomplete: '#7a5200',
};

/** Of what conforms with waivers: nobody takes it for plain conformance. */
const waivedColour = '#5c5f00';

function colourOf(level: Level, waivers: Predicate['waivers']): string {
  return level === 'conforms' && waivers.length > 0 ? waivedColour : colours[level];
}

const fontSize = 11;

/** Pixels on each side of a text. */
const padding = 7;

/**
 * A badge as SVG: the contract and the level, or that nobody signed it; in words for those who
 * cannot see it.
 */
export function renderBadge(
  { target, contract, level, verdicts, waivers }: Predicate,
  keyids: readonly string[],
): string {
  const left = shorten(`${contract.title} ${contract.version}`);
  const { passed, observed, notTested } = summariseVerdicts(verdicts);
  const isSigned = keyids.length > 0;
  const said = describeLevel({ level, waivers });
  const right = isSigned ? said : unauthenticated;
  const words = `${target.name} ${target.version}: ${isSigned ? said : `${unauthenticated}, because it is unsigned (level: ${said})`}, by ${contract.title} ${contract.version}. ${passed.length} passed, ${notTested.length} not tested, ${observed.length} observed where the contract leaves the behaviour open.`;
  const [one, two] = [widthOf(left), widthOf(right)];
  const width = one + two;
  const half = `M${one} 0h${two - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${two - 3}z`;
  const svg = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width=${width}
    height="20"
    role="img"
    aria-label=${words}
  >
    <title>${words}</title>
    <rect width=${width} height="20" rx="3" fill="#3c424b" />
    <path d=${half} fill=${isSigned ? colourOf(level, waivers) : colours.incomplete} />
    <g
      fill="#fff"
      font-family="Verdana, 'DejaVu Sans', sans-serif"
      font-size=${fontSize}
      text-anchor="middle"
      aria-hidden="true"
    >
      <text x=${one / 2} y="14">${left}</text>
      <text x=${one + two / 2} y="14">${right}</text>
    </g>
  </svg>`;
  return `${renderMarkup(svg)}\n`;
}

function widthOf(text: string): number {
  return Math.ceil(measureText(text, fontSize)) + 2 * padding;
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
