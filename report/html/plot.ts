import { type Html, html } from '../../page/view/element.ts';
import { Table } from '../../page/view/table.ts';
import { describeSeconds } from '../model/summary.ts';
import { countOf } from '../../page/view/count.ts';
import type { Timeline } from '../model/timeline.ts';
import { createAxis, createTimeAxis, type Axis } from './axis.ts';

/** The drawing's plane, in its own units: margins hold the labels of the axes. */
const plane = { width: 960, height: 320, left: 72, right: 24, top: 28, bottom: 56 } as const;

/** Remaining over time as SVG: waits shaded, refusals crossed; and the same as a table. */
export function renderPlot(timeline: Timeline, header: string, status: number): Html {
  if (timeline.points.length === 0)
    return html`<p>${`No response to the key has a readable ${header}.`}</p>`;
  return [renderFigure(timeline, header, status), renderTable(timeline, status)];
}

/** Beyond so many responses a line shows more than dots. */
const mostDots = 400;

interface Axes {
  /** Time in seconds. */
  readonly x: Axis;
  /** Requests left. */
  readonly y: Axis;
}

function createAxes({ points, end, waits }: Timeline): Axes {
  const most = points.reduce((known, { remaining }) => Math.max(known, remaining), 1);
  return {
    x: createTimeAxis(
      end / 1000,
      waits.map(({ from, to }) => ({ from: from / 1000, to: to / 1000 })),
      [plane.left, plane.width - plane.right],
    ),
    // A tick for each request is enough.
    y: createAxis(Math.max(4, most), [plane.height - plane.bottom, plane.top], 5),
  };
}

function renderFigure(timeline: Timeline, name: string, limited: number): Html {
  const axes = createAxes(timeline);
  const { x, y } = axes;
  const { refusals, waits, points } = timeline;
  const words = `${countOf(points.length, 'response')}, ${refusals.length} of them ${limited}, ${countOf(waits.length, timeline.isMoved ? 'clock move' : 'wait')}; ${name} from ${points[0]?.remaining ?? ''} to ${points.at(-1)?.remaining ?? ''}.`;
  const lines = splitWindows(points).map((window) =>
    window.map(({ at, remaining }) => `${x.place(at / 1000)},${y.place(remaining)}`).join(' '),
  );
  return html`<figure>
    <div class="scroll" role="region" aria-label=${`Plot of ${name} over time`} tabindex="0">
      <svg viewBox=${`0 0 ${plane.width} ${plane.height}`} role="img" aria-labelledby="plot-title plot-words">
        <title id="plot-title">${`${name} during the run`}</title>
        <desc id="plot-words">${words}</desc>
        ${waits.map((wait) => renderWait(wait, axes, timeline.isMoved))}
        ${renderAxes(axes, name)}
        ${lines.map((line) => html`<polyline class="line" points=${line} />`)}
        ${points.length > mostDots ? null : points.map((point) => renderDot(point, axes))}
        ${refusals.map((refusal) => renderRefusal(refusal, limited, axes))}
      </svg>
    </div>
    <figcaption>
      ${words}${' '}
      ${refusals.length === 0 ? null : html`<span class="key refusal">${`✕ ${limited}`}</span>${' '}`}
      ${waits.length === 0 ? null : html`<span class="key wait">${`shaded: ${timeline.isMoved ? 'the clock was moved' : 'waiting'}, not to scale`}</span>`}
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

/** Lines and labels: requests left at the side, seconds below. */
function renderAxes({ x, y }: Axes, name: string): Html {
  const [left, right, bottom] = [
    plane.left,
    plane.width - plane.right,
    plane.height - plane.bottom,
  ];
  return html`<g class="axes">
    ${y.ticks.map((tick) => html`<line x1=${left} x2=${right} y1=${y.place(tick)} y2=${y.place(tick)} /><text x=${left - 10} y=${y.place(tick)} dy="0.35em" text-anchor="end">${tick}</text>`)}
    ${x.ticks.map((tick) => html`<line x1=${x.place(tick)} x2=${x.place(tick)} y1=${bottom} y2=${bottom + 5} /><text x=${x.place(tick)} y=${bottom + 20} text-anchor="middle">${tick}</text>`)}
    <text x=${(left + right) / 2} y=${plane.height - 10} text-anchor="middle">seconds since the run began</text>
    <text transform=${`translate(16 ${(plane.top + bottom) / 2}) rotate(-90)`} text-anchor="middle">${name}</text>
  </g>`;
}

function renderDot({ at, remaining, exchange }: Timeline['points'][number], { x, y }: Axes): Html {
  return html`<circle cx=${x.place(at / 1000)} cy=${y.place(remaining)} r="3"><title>${`request ${exchange + 1}: ${remaining} left`}</title></circle>`;
}

function renderWait({ from, to }: Timeline['waits'][number], { x }: Axes, isMoved: boolean): Html {
  const [name, title] = isMoved ? ['clock moved', 'clock moved'] : ['waits', 'waited'];
  const seconds = describeSeconds(to - from);
  const [start, end] = [x.place(from / 1000), x.place(to / 1000)];
  const label = html`<text x=${(start + end) / 2} y=${plane.top - 10} text-anchor="middle">${`${name} ${seconds}`}</text>`;
  return html`<g class="wait">
    <rect x=${start} y=${plane.top} width=${(end - start).toFixed(1)} height=${plane.height - plane.top - plane.bottom}><title>${`${title} ${seconds}`}</title></rect>
    ${end - start < 60 ? null : label}
  </g>`;
}

function renderRefusal(
  { at, exchange }: Timeline['refusals'][number],
  limited: number,
  { x, y }: Axes,
): Html {
  const [left, top] = [x.place(at / 1000), y.place(0)];
  return html`<path class="refusal" d=${`M${left - 6},${top - 6}l12,12m0,-12l-12,12`}><title>${`request ${exchange + 1}: ${limited}`}</title></path>`;
}

/** What the plot shows, window by window, for those who do not see it. */
function renderTable({ points, refusals, waits, isMoved }: Timeline, limited: number): Html {
  const rows = splitWindows(points).map((window, index) => {
    const [first, last] = [window[0], window.at(-1)];
    return {
      head: String(index + 1),
      cells: [
        describeSeconds(first?.at ?? 0),
        describeSeconds(last?.at ?? 0),
        window.length,
        first?.remaining ?? '',
        last?.remaining ?? '',
      ],
    };
  });
  const columns = [
    'Window',
    'From',
    'To',
    'Responses',
    'Remaining at first',
    'Remaining at the end',
  ];
  const events = [
    ...refusals.map(
      ({ at, exchange }) => `${limited} for request ${exchange + 1} at ${describeSeconds(at)}`,
    ),
    ...waits.map(
      ({ from, to }) =>
        `${isMoved ? 'clock moved' : 'waited'} ${describeSeconds(to - from)} from ${describeSeconds(from)}`,
    ),
  ];
  return html`<details class="reason">
    <summary>The plot in numbers</summary>
    ${Table({ kind: 'numbers', label: 'Remaining requests per window', columns, rows })}
    ${events.length === 0 ? null : html`<ul>${events.map((event) => html`<li>${event}</li>`)}</ul>`}
  </details>`;
}
