import { useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import type { Session } from '../session/session.ts';
import type { Run } from '../session/types.ts';
import { describeError } from '../session/use-loaded.ts';
import type { ComparedRuns } from './comparison.ts';
import { nameRun } from './words.ts';

interface CompareFormProps {
  readonly session: Session;
  readonly runs: readonly Run[];
  readonly onCompare: (compared: ComparedRuns) => void;
}

/** Chooses two reports to compare; at first the last two. */
export function CompareForm({ session, runs, onCompare }: CompareFormProps): Html {
  const done = runs.filter(({ state }) => state === 'done');
  const [chosen, setChosen] = useState<{ readonly one?: string; readonly other?: string }>({});
  const [problem, setProblem] = useState('');
  if (done.length < 2)
    return html`<p class="soft">Two reports can be compared once there are two.</p>`;
  const known = (id: string | undefined, usual: Run | undefined): string =>
    done.find((run) => run.id === id)?.id ?? usual?.id ?? '';
  const [one, other] = [known(chosen.one, done[1]), known(chosen.other, done[0])];
  const compare = (event: Event): void => {
    event.preventDefault();
    setProblem('');
    session.control.call('compareRuns', { one, other }).then(
      (result) => onCompare({ one, other, result }),
      (error: unknown) => setProblem(describeError(error)),
    );
  };
  return html`<form class="compare" onSubmit=${compare}>
      <${RunPicker}
        label="Compare"
        runs=${done}
        value=${one}
        onValue=${(value: string) => setChosen({ one: value, other })}
      />
      <${RunPicker}
        label="with"
        runs=${done}
        value=${other}
        onValue=${(value: string) => setChosen({ one, other: value })}
      />
      <button type="submit">Compare</button>
    </form>
    <p class="error" role="alert">${problem}</p>`;
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
