import { countResults, cutText } from '../report/index.ts';
import { html } from '../page/view/element.ts';
import { renderMarkup } from '../page/view/static/document.ts';
import { describeLevel, type Level, settleLevel, unauthenticated } from './level.ts';
import type { ShownCertificate } from './page.ts';

/** White text on each has a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3). */
const colors: Readonly<Record<Level | 'waived', string>> = {
  conforms: '#1c6b3c',
  failed: '#a8201a',
  incomplete: '#7a5200',
  /** Conforms with waivers: another colour than plain conformance. */
  waived: '#5c5f00',
};

/**
 * A badge as SVG: the contract and the level, or that it is unsigned. The label for screen readers
 * says more.
 */
export function renderBadge({ report, facts, keyids }: ShownCertificate): string {
  const { contract, waivers } = report;
  const { name, version } = facts.target;
  const { passed, 'not-tested': notTested, open } = countResults(report);
  const isSigned = keyids.length > 0;
  const said = describeLevel(report);
  const level = settleLevel(report);
  const color = level === 'conforms' && waivers.length > 0 ? colors.waived : colors[level];
  const words = `${name} ${version}: ${isSigned ? said : `${unauthenticated}, because it is unsigned (level: ${said})`}, by ${contract.title} ${contract.version}. ${passed} passed, ${notTested} not tested, ${open} observed where the contract leaves the behavior open.`;
  const left = layOut(cutText(`${contract.title} ${contract.version}`, 40), 0);
  const right = layOut(isSigned ? said : unauthenticated, left.width);
  const width = left.width + right.width;
  const half = `M${left.width} 0h${right.width - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right.width - 3}z`;
  const svg = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width=${width}
    height="20"
    role="img"
    aria-label=${words}
  >
    <title>${words}</title>
    <rect width=${width} height="20" rx="3" fill="#3c424b" />
    <path d=${half} fill=${isSigned ? color : colors.incomplete} />
    <g
      fill="#fff"
      font-family="Verdana, 'DejaVu Sans', sans-serif"
      font-size="11"
      text-anchor="middle"
      aria-hidden="true"
    >
      ${left.text}
      ${right.text}
    </g>
  </svg>`;
  return `${renderMarkup(svg)}\n`;
}

/** Pixels on each side of a text. */
const padding = 7;

/** A text with padding. `textLength` keeps the computed width with any font. */
function layOut(text: string, from: number) {
  const length = Math.ceil(text.length * 6.6);
  const width = length + 2 * padding;
  return {
    width,
    text: html`<text x=${from + width / 2} y="14" textLength=${length} lengthAdjust="spacingAndGlyphs">${text}</text>`,
  };
}
