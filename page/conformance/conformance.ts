import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import { describeError } from '../session/describe-error.ts';
import { useLive } from '../session/hooks.ts';
import type { SectionProps } from '../session/session.ts';
import type { Run } from '../session/types.ts';
import { CompareForm, Comparison } from './comparison.ts';
import { JudgeForm, type RunOrder } from './judge-form.ts';
import { OpenFile } from './open-file.ts';
import { ReportView } from './report-view.ts';
import { RunList, RunProgress } from './runs.ts';

/** Tests this mock or a server: plan, progress, report; opens and compares reports. */
export function Conformance({ session }: SectionProps): Html {
  if (session.mock.conformance) return html`<${Judge} session=${session} />`;
  return html`<h1>Conformance</h1>
    <p>
      This mock cannot test servers, because it was started without the suite. <code>petstore mock</code> starts
      one that can. To test this mock, run <code>${`petstore conform --base-url ${session.mock.url}`}</code>.
    </p>`;
}

/** All runs, or under `#/conformance/<run>` the report of one. */
function Judge({ session }: SectionProps): Html {
  const { control, part, go, tell } = session;
  const {
    value: runs = [],
    error,
    reload,
  } = useLive(session, ['runs'], async () => await control.call('listRuns', {}));
  const [failure, setFailure] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const started = useRef('');
  const active = runs.find(({ state }) => state === 'running');
  const shown = runs.find(({ id, state }) => id === part && state === 'done');
  // The report of a run that was started here opens by itself.
  useEffect(() => {
    const own = runs.find(({ id }) => id === started.current);
    if (own === undefined || own.state === 'running') return;
    started.current = '';
    const { sentence = 'The run has ended.', verdict } = own;
    if (own.state === 'failed') {
      setFailure(sentence);
      return;
    }
    tell(sentence, verdict === 'conforms' ? 'good' : 'bad');
    go({ part: own.id });
  }, [runs]);
  const start = async (body: RunOrder): Promise<void> => {
    setFailure('');
    const run = await control.call('startRun', { body });
    started.current = run.id;
    reload();
  };
  const drop = (run: Run, message: string): void => {
    control.call('dropRun', { run: run.id }).then(
      () => {
        reload();
        tell(message);
        // The button that was pressed is gone.
        heading.current?.focus();
      },
      (error: unknown) => tell(describeError(error), 'bad'),
    );
  };
  const open = (run: Run): void => {
    reload();
    go({ part: run.id });
  };
  if (part === 'compare') return html`<${Comparison} session=${session} />`;
  if (shown !== undefined) return html`<${ReportView} session=${session} run=${shown} />`;
  return html`<h1>Conformance</h1>
    <div class="judging">
      <${JudgeForm} session=${session} isRunning=${active !== undefined} failure=${failure} onEdit=${() => setFailure('')} onStart=${start} />
      <div>
        ${
          active !== undefined &&
          html`<${RunProgress}
            run=${active}
            onStop=${() => drop(active, `${active.id} was stopped. It has no report.`)}
          />`
        }
        <h2 tabindex="-1" ref=${heading}>Runs and reports</h2>
        <p class="error" role="alert">${error}</p>
        <${RunList} session=${session} runs=${runs} onDrop=${(run: Run) => drop(run, `${run.id} was removed.`)} />
        <${OpenFile} session=${session} onOpen=${open} />
        <${CompareForm} session=${session} runs=${runs} />
      </div>
    </div>`;
}
