import type { Contract } from '../../contract/index.ts';
import type { Report } from '../../conformance/index.ts';
import { countOf, describeSeconds } from '../model/summary.ts';
import { readTimeline, type Timeline } from '../model/timeline.ts';
import { html, nothing, type Html } from './element.ts';

/** The drawing's plane, in its own units: margins hold the labels of the axes. */
const plane = { width: 960, height: 300, left: 64, right: 20, top: 28, bottom: 44 } as const;

/** Remaining over time as SVG: waits shaded, refusals crossed. */
export function renderPlot(report: Report, contract: Contract): readonly Html[] {
  const timeline = readTimeline(report, contract);
  if (contract.rateLimit === undefined) return [];
  if (timeline.points.length === 0)
    return [
      html`<p>No response to the key has a readable ${contract.rateLimit.headers.remaining}.</p>`,
    ];
  return [renderFigure(timeline, contract.rateLimit.headers.remaining, contract.rateLimit.status)];
}

interface Scale {
  readonly x: (at: number) => string;
  readonly y: (remaining: number) => string;
  readonly most: number;
}

function createScale({ points, end }: Timeline): Scale {
  const most = Math.max(1, ...points.map(({ remaining }) => remaining));
  const across = plane.width - plane.left - plane.right;
  const up = plane.height - plane.top - plane.bottom;
  return {
    x: (at) => (plane.left + (Math.min(Math.max(at, 0), end) / end) * across).toFixed(1),
    y: (remaining) =>
      (plane.height - plane.bottom - (Math.max(remaining, 0) / most) * up).toFixed(1),
    most,
  };
}

function renderFigure(timeline: Timeline, name: string, limited: number): Html {
  const scale = createScale(timeline);
  const { refusals, waits, points } = timeline;
  const words = `${points.length} responses, ${refusals.length} of them ${limited}, ${countOf(waits.length, 'wait')}; ${name} from ${points[0]?.remaining ?? ''} to ${points.at(-1)?.remaining ?? ''}.`;
  return html`<figure>
    <div class="scroll" role="region" aria-label="Plot of ${name} over time" tabindex="0">
      <svg
        viewBox="0 0 ${plane.width} ${plane.height}"
        role="img"
        aria-labelledby="plot-title plot-words"
      >
        <title id="plot-title">${name} over the time of the run</title>
        <desc id="plot-words">${words}</desc>
        ${waits.map((wait) => renderWait(wait, scale))} ${renderAxes(timeline, scale)}
        ${splitWindows(points).map((window) => html`<polyline class="line" points="${window.map(({ at, remaining }) => `${scale.x(at)},${scale.y(remaining)}`).join(' ')}" />`)}
        ${points.map(({ at, remaining, exchange }) => html`<circle cx="${scale.x(at)}" cy="${scale.y(remaining)}" r="3"><title>request ${exchange + 1}: ${remaining} left</title></circle>`)}
        ${refusals.map((refusal) => renderRefusal(refusal, limited, scale))}
      </svg>
    </div>
    <figcaption>
      ${words}
      ${refusals.length === 0 ? nothing : html`<span class="key refusal">✕ ${limited}</span> `}${waits.length === 0 ? nothing : html`<span class="key wait">shaded: waiting</span>`}
    </figcaption>
  </figure>`;
}

/** The points in stretches that only fall: where more is left, another window has begun. */
function splitWindows(points: Timeline['points']): readonly Timeline['points'][] {
  const starts = points
    .keys()
    .filter(
      (index) =>
        (points[index]?.remaining ?? 0) >
        (points[index - 1]?.remaining ?? Number.POSITIVE_INFINITY),
    );
  const edges = [0, ...starts, points.length];
  return edges.slice(1).map((edge, index) => points.slice(edges[index], edge));
}

function renderAxes({ end }: Timeline, { x, y, most }: Scale): Html {
  const levels = [...new Set([0, Math.round(most / 2), most])];
  const times = [0, end / 4, end / 2, (end * 3) / 4, end];
  return html`<g class="axes">
    ${levels.map((level) => html`<line x1="${plane.left}" x2="${plane.width - plane.right}" y1="${y(level)}" y2="${y(level)}" /><text x="${plane.left - 10}" y="${y(level)}" dy="0.35em" text-anchor="end">${level}</text>`)}
    ${times.map((time, index) => html`<text x="${x(time)}" y="${plane.height - plane.bottom + 26}" text-anchor="${anchors[index] ?? 'middle'}">${describeSeconds(time)}</text>`)}
  </g>`;
}

/** The outermost labels stay within the drawing. */
const anchors = ['start', 'middle', 'middle', 'middle', 'end'] as const;

function renderWait({ from, to }: Timeline['waits'][number], { x }: Scale): Html {
  const seconds = describeSeconds(to - from);
  const width = (Number(x(to)) - Number(x(from))).toFixed(1);
  const label =
    Number(width) < 60
      ? nothing
      : html`<text
          x="${((Number(x(from)) + Number(x(to))) / 2).toFixed(1)}"
          y="${plane.top - 10}"
          text-anchor="middle"
          >waits ${seconds}</text
        >`;
  return html`<g class="wait"
    ><rect
      x="${x(from)}"
      y="${plane.top}"
      width="${width}"
      height="${plane.height - plane.top - plane.bottom}"
      ><title>waited ${seconds}</title></rect
    >${label}</g
  >`;
}

function renderRefusal(
  { at, exchange }: Timeline['refusals'][number],
  limited: number,
  { x, y }: Scale,
): Html {
  const [left, top] = [Number(x(at)), Number(y(0))];
  return html`<path class="refusal" d="M${left - 6},${top - 6}l12,12m0,-12l-12,12"
    ><title>request ${exchange + 1}: ${limited}</title></path
  >`;
}
