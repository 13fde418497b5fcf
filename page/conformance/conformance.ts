import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import type { SectionProps } from '../session/session.ts';
import type { Run } from '../session/types.ts';
import { describeError } from '../session/use-loaded.ts';
import { Compare } from './comparison.ts';
import { OpenFile } from './open-file.ts';
import { OrderForm } from './order-form.ts';
import type { RunOrder } from './order.ts';
import { ReportView } from './report-view.ts';
import { RunList } from './run-list.ts';
import { RunProgress } from './run-progress.ts';
import { useRuns } from './use-runs.ts';

/** Judges this mock or a server: plan, progress, report; opens and compares reports that were kept. */
export function Conformance({ session }: SectionProps): Html {
  if (session.mock.conformance) return html`<${Judge} session=${session} />`;
  return html`<h1>Conformance</h1>
    <p>
      This mock was started without the suite, so it cannot judge. <code>petstore mock</code> starts one
      that can; <code>${`petstore conform --base-url ${session.mock.url}`}</code> judges this one.
    </p>`;
}

function Judge({ session }: SectionProps): Html {
  const runs = useRuns(session);
  const [shownId, setShownId] = useState<string>();
  const started = useRef('');
  const active = runs.all.find(({ state }) => state === 'running');
  const shown = runs.all.find(({ id, state }) => id === shownId && state === 'done');
  // The report of a run that was started here opens by itself.
  useEffect(() => {
    const own = runs.all.find(({ id }) => id === started.current);
    if (own === undefined || own.state === 'running') return;
    started.current = '';
    session.tell(own.sentence ?? 'The run has ended.', own.verdict === 'conforms' ? 'good' : 'bad');
    if (own.state === 'done') setShownId(own.id);
  }, [runs.all]);
  const start = async (body: RunOrder): Promise<void> => {
    const run = await session.control.call('startRun', { body });
    started.current = run.id;
    runs.put(run);
  };
  const drop = (run: Run, word: string): void => {
    session.control.call('dropRun', { run: run.id }).then(
      () => {
        runs.forget(run.id);
        session.tell(word);
      },
      (error: unknown) => session.tell(describeError(error), 'bad'),
    );
  };
  const open = (run: Run): void => {
    runs.put(run);
    setShownId(run.id);
  };
  return html`<h1>Conformance</h1>
    <div class="judging">
      <${OrderForm} session=${session} isRunning=${active !== undefined} onStart=${start} />
      <div>
        ${
          active !== undefined &&
          html`<${RunProgress}
            run=${active}
            onStop=${() => drop(active, `${active.id} was stopped; nothing is judged.`)}
          />`
        }
        <h2>Reports</h2>
        <p class="error" role="alert">${runs.error ?? ''}</p>
        <${RunList}
          runs=${runs.all}
          shown=${shown?.id}
          onShow=${({ id }: Run) => setShownId(id)}
          onDrop=${(run: Run) => drop(run, `${run.id} was removed.`)}
        />
        <${OpenFile} session=${session} onOpen=${open} />
        <${Compare} session=${session} runs=${runs.all} />
      </div>
    </div>
    ${shown !== undefined && html`<${ReportView} session=${session} run=${shown} onClose=${() => setShownId(undefined)} />`}`;
}
