import { useEffect, useRef, useState } from 'preact/hooks';
import type { ControlResponse } from '../../mock/control/client.ts';
import { html, type Html } from '../../view/element.ts';
import { Table } from '../../view/table.ts';
import type { Session } from '../session/session.ts';
import type { Run } from '../session/types.ts';
import { describeError } from '../session/use-loaded.ts';
import { nameRun } from './words.ts';

type ComparisonResult = ControlResponse<'compareRuns'>;
type Difference = ComparisonResult['differences'][number];

interface CompareProps {
  readonly session: Session;
  readonly runs: readonly Run[];
}

/** Chooses two reports and shows what differs. */
export function Compare({ session, runs }: CompareProps): Html {
  const done = runs.filter(({ state }) => state === 'done');
  const [chosen, setChosen] = useState<{ readonly one?: string; readonly other?: string }>({});
  const [result, setResult] = useState<ComparisonResult>();
  const [problem, setProblem] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (result !== undefined) heading.current?.focus();
  }, [result]);
  if (done.length < 2)
    return html`<p class="soft">Two reports can be compared once there are two.</p>`;
  const known = (id: string | undefined, usual: Run | undefined): string =>
    done.find((run) => run.id === id)?.id ?? usual?.id ?? '';
  const [one, other] = [known(chosen.one, done[1]), known(chosen.other, done[0])];
  const compare = (event: Event): void => {
    event.preventDefault();
    setProblem('');
    session.control.call('compareRuns', { one, other }).then(setResult, (error: unknown) => {
      setResult(undefined);
      setProblem(describeError(error));
    });
  };
  const choose = (side: 'one' | 'other', value: string): void => {
    setChosen({ one, other, [side]: value });
    setResult(undefined);
  };
  return html`<form class="compare" onSubmit=${compare}>
      <${RunPicker} label="Compare" runs=${done} value=${one} onValue=${(value: string) => choose('one', value)} />
      <${RunPicker} label="with" runs=${done} value=${other} onValue=${(value: string) => choose('other', value)} />
      <button type="submit">Compare</button>
    </form>
    <p class="error" role="alert">${problem}</p>
    ${
      result !== undefined &&
      html`<h3 tabindex="-1" ref=${heading}>${result.sentence}</h3>
        <${Differences} result=${result} one=${one} other=${other} />`
    }`;
}

interface RunPickerProps {
  readonly label: string;
  readonly runs: readonly Run[];
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function RunPicker({ label, runs, value, onValue }: RunPickerProps): Html {
  const change = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement) onValue(target.value);
  };
  return html`<label class="inline"
    >${label}
    <select value=${value} onChange=${change}>
      ${runs.map((run) => html`<option key=${run.id} value=${run.id} selected=${run.id === value}>${nameRun(run)}</option>`)}
    </select>
  </label>`;
}

interface DifferencesProps {
  readonly result: ComparisonResult;
  readonly one: string;
  readonly other: string;
}

/** What was seen to differ, and folded what only one of them tells. */
function Differences({ result, one, other }: DifferencesProps): Html {
  const { untested = [], ...seen } = Object.groupBy(result.differences, ({ kind }) => kind);
  const differing = [...(seen.verdict ?? []), ...(seen.choice ?? [])];
  const table = (label: string, rows: readonly Difference[]): Html =>
    html`<${Table}
      kind="list"
      label=${label}
      columns=${['Requirement', one, other]}
      rows=${rows.map((row) => ({
        head: html`<code>${row.requirement}</code><br />${row.sentence}`,
        cells: [row.one, row.other],
      }))}
    />`;
  return html`${differing.length > 0 && table('Differences', differing)}
  ${
    untested.length > 0 &&
    html`<details>
      <summary>Shown by one of them only: ${untested.length}</summary>
      ${table('Shown by one of them only', untested)}
    </details>`
  }`;
}
