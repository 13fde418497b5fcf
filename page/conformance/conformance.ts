import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import type { SectionProps } from '../session/session.ts';
import type { Run } from '../session/types.ts';
import { describeError } from '../session/use-loaded.ts';
import { CompareForm } from './compare-form.ts';
import { type ComparedRuns, Comparison } from './comparison.ts';
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

/** What stands below: a report, or a comparison. */
interface View {
  /** Id of the run whose report is shown. */
  readonly run?: string;
  readonly isAsked?: boolean;
  readonly compared?: ComparedRuns;
}

function Judge({ session }: SectionProps): Html {
  const runs = useRuns(session);
  const [view, setView] = useState<View>();
  const [failure, setFailure] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const started = useRef('');
  const active = runs.all.find(({ state }) => state === 'running');
  const shown = runs.all.find(({ id, state }) => id === view?.run && state === 'done');
  // The report of a run that was started here opens by itself, and takes the focus from nobody.
  useEffect(() => {
    const own = runs.all.find(({ id }) => id === started.current);
    if (own === undefined || own.state === 'running') return;
    started.current = '';
    const { sentence = 'The run has ended.', verdict } = own;
    if (own.state === 'failed') {
      setFailure(sentence);
      return;
    }
    session.tell(sentence, verdict === 'conforms' ? 'good' : 'bad');
    setView({ run: own.id, isAsked: false });
  }, [runs.all]);
  const start = async (body: RunOrder): Promise<void> => {
    setFailure('');
    const run = await session.control.call('startRun', { body });
    started.current = run.id;
    runs.put(run);
  };
  const drop = (run: Run, word: string): void => {
    session.control.call('dropRun', { run: run.id }).then(
      () => {
        runs.forget(run.id);
        session.tell(word);
        // The button that was pressed is gone.
        heading.current?.focus();
      },
      (error: unknown) => session.tell(describeError(error), 'bad'),
    );
  };
  const close = (): void => {
    setView(undefined);
    // The button that was pressed is gone.
    heading.current?.focus();
  };
  const open = (run: Run): void => {
    runs.put(run);
    setView({ run: run.id, isAsked: true });
  };
  return html`<h1>Conformance</h1>
    <div class="judging">
      <${OrderForm} session=${session} isRunning=${active !== undefined} failure=${failure} onEdit=${() => setFailure('')} onStart=${start} />
      <div>
        ${
          active !== undefined &&
          html`<${RunProgress}
            run=${active}
            onStop=${() => drop(active, `${active.id} was stopped; nothing is judged.`)}
          />`
        }
        <h2 tabindex="-1" ref=${heading}>Runs and reports</h2>
        <p class="error" role="alert">${runs.error ?? ''}</p>
        <${RunList}
          runs=${runs.all}
          shown=${shown?.id}
          onShow=${({ id }: Run) => setView({ run: id, isAsked: true })}
          onDrop=${(run: Run) => drop(run, `${run.id} was removed.`)}
        />
        <${OpenFile} session=${session} onOpen=${open} />
        <${CompareForm} session=${session} runs=${runs.all} onCompare=${(compared: ComparedRuns) => setView({ compared })} />
      </div>
    </div>
    ${
      view?.compared !== undefined &&
      html`<${Comparison} compared=${view.compared} onClose=${close} />`
    }
    ${
      shown !== undefined &&
      html`<${ReportView}
        session=${session}
        run=${shown}
        isAsked=${view?.isAsked}
        onClose=${close}
      />`
    }`;
}
