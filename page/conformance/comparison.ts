import { useEffect, useRef } from 'preact/hooks';
import type { ControlResponse } from '../../mock/control/client.ts';
import { html, type Html, renderProse } from '../../view/element.ts';
import { bringToTop } from '../session/bring-to-top.ts';
import { Table } from '../../view/table.ts';

/** Two runs, and in what they differ. */
export interface ComparedRuns {
  readonly one: string;
  readonly other: string;
  readonly result: ControlResponse<'compareRuns'>;
}

interface ComparisonProps {
  readonly compared: ComparedRuns;
  readonly onClose: () => void;
}

/** What was seen to differ, and folded what only one of them tells. */
export function Comparison({ compared, onClose }: ComparisonProps): Html {
  const { one, other, result } = compared;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (heading.current === null) return;
    bringToTop(heading.current);
    heading.current.focus({ preventScroll: true });
  }, [compared]);
  const untested = result.differences.filter(({ kind }) => kind === 'untested');
  const seen = result.differences.filter(({ kind }) => kind !== 'untested');
  const table = (label: string, rows: typeof seen): Html =>
    html`<${Table}
      kind="differences"
      label=${label}
      columns=${['Requirement', one, other]}
      rows=${rows.map((row) => ({
        head: [html`<code key="id">${row.requirement}</code>`, renderProse(row.sentence)],
        cells: [renderProse(row.one), renderProse(row.other)],
      }))}
    />`;
  return html`<section class="comparison" aria-labelledby="comparison-title">
    <div class="line">
      <h2 id="comparison-title" tabindex="-1" ref=${heading}>${`${one} and ${other}`}</h2>
      <button type="button" onClick=${onClose}>Close</button>
    </div>
    <p>${result.sentence}</p>
    ${seen.length > 0 && table('Differences', seen)}
    ${
      untested.length > 0 &&
      html`<details>
        <summary>Shown by one of them only: ${untested.length}</summary>
        ${table('Shown by one of them only', untested)}
      </details>`
    }
  </section>`;
}
