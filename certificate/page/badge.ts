import { html } from '../../view/element.ts';
import { renderMarkup } from '../../view/static/document.ts';
import type { Level, Predicate } from '../predicate/predicate.ts';
import { describeLevel, summariseVerdicts } from '../predicate/summary.ts';

/** White on each is at least 4.5 to 1 (WCAG 2.2, 1.4.3). */
const colours: Readonly<Record<Level, string>> = {
  conforms: '#1c6b3c',
  failed: '#a8201a',
  incomplete: '#7a5200',
};

/** Pixels of a character, about: every text is fitted to its width by `textLength`. */
const characterWidth = 6.6;

/** A badge as SVG: the contract and the level; in words for those who cannot see it. */
export function renderBadge({ target, contract, level, verdicts, waivers }: Predicate): string {
  const left = shorten(`${contract.title} ${contract.version}`);
  const { passed, observed, notTested } = summariseVerdicts(verdicts);
  const right = describeLevel({ level, waivers });
  const words = `${target.name} ${target.version}: ${right}, by ${contract.title} ${contract.version}. ${passed.length} passed, ${notTested.length} not tested, ${observed.length} observed where the contract is silent.`;
  const [one, two] = [widthOf(left), widthOf(right)];
  const width = one + two + 28;
  const path = `M${one + 14} 0h${two + 11}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${two + 11}z`;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" width=${width} height="20" role="img" aria-label=${words}>
    <title>${words}</title>
    <rect width=${width} height="20" rx="3" fill="#3c424b" />
    <path d=${path} fill=${colours[level]} />
    <g fill="#fff" font-family="Verdana, 'DejaVu Sans', sans-serif" font-size="11" aria-hidden="true">
      <text x="7" y="14" textLength=${one} lengthAdjust="spacingAndGlyphs">${left}</text>
      <text x=${one + 21} y="14" textLength=${two} lengthAdjust="spacingAndGlyphs">${right}</text>
    </g>
  </svg>`;
  return `${renderMarkup(svg)}\n`;
}

function widthOf(text: string): number {
  return Math.round(text.length * characterWidth);
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
