import { useEffect, useRef, useState } from 'preact/hooks';
import type { Run } from '../../mock/control/client.ts';
import { html, type Html } from '../view/element.ts';
import { Tally } from '../view/tally.ts';
import { renderDuration } from '../../mock/control/hint/duration.ts';
import { ErrorLine } from '../form/error-line.ts';
import { FileButton } from '../form/field-input.ts';
import { renderMoment } from '../session/clock.ts';
import { useLive } from '../session/hooks.ts';
import { type Session, fetchText, useSession } from '../session/session.ts';
import { CompareForm, Comparison, ReportView } from './report.ts';
import { JudgeForm, type RunOrder } from './judge-form.ts';

/** Tests this mock or a server: plan, progress, report. Also opens and compares reports. */
export function Conformance(): Html {
  const { mock } = useSession();
  if (mock.conformance) return html`<${Judge} />`;
  return html`<h1>Tests</h1>
    <p>
      This mock cannot test servers, because it was started without the suite. <code>petstore mock</code> starts
      one that can. To test this mock, run <code>${`petstore conform --base-url ${mock.url}`}</code>.
    </p>`;
}

/** All runs, or the report of one under `#/tests/<run>`. */
function Judge(): Html {
  const { control, part, go, notify, act } = useSession();
  const { value: runs = [], error, reload } = useLive(['runs'], () => control.call('listRuns', {}));
  const [failure, setFailure] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const started = useRef('');
  const active = runs.find(({ state }) => state === 'running');
  const shown = runs.find(({ id, state }) => id === part && state === 'done');
  // The report of a run started on this page opens automatically.
  useEffect(() => {
    const own = runs.find(({ id }) => id === started.current);
    if (own === undefined || own.state === 'running') return;
    started.current = '';
    const { sentence = 'The run has ended.', verdict } = own;
    if (own.state === 'failed') {
      setFailure(sentence);
      return;
    }
    notify(sentence, verdict === 'conforms' ? 'good' : 'bad');
    go({ part: own.id });
  }, [runs]);
  const start = async (body: RunOrder): Promise<void> => {
    setFailure('');
    const run = await control.call('startRun', { body });
    started.current = run.id;
    reload();
  };
  const drop = ({ id }: Run, done: string): void =>
    void act(() => control.call('dropRun', { run: id }), done).then(() => {
      reload();
      // The pressed button no longer exists, so move the focus.
      heading.current?.focus();
    });
  if (part === 'compare') return html`<${Comparison} />`;
  if (shown !== undefined) return html`<${ReportView} run=${shown} />`;
  return html`<h1>Tests</h1>
    <div class="judging">
      <${JudgeForm} isRunning=${active !== undefined} failure=${failure} onStart=${start} />
      <div>
        ${
          active !== undefined &&
          html`<${RunProgress} run=${active} onStop=${() => drop(active, `${active.id} was stopped. It has no report.`)} />`
        }
        <h2 tabindex="-1" ref=${heading}>Runs and reports</h2>
        <${ErrorLine} text=${error} />
        <${RunList} runs=${runs} onDrop=${(run: Run) => drop(run, `${run.id} was removed.`)} />
        <${OpenFile} onOpened=${reload} />
        <${CompareForm} runs=${runs} />
      </div>
    </div>`;
}

/** The finished runs, newest first. */
function RunList({ runs, onDrop }: { runs: readonly Run[]; onDrop: (run: Run) => void }): Html {
  const { linkTo } = useSession();
  const ended = runs.filter(({ state }) => state !== 'running');
  if (ended.length === 0)
    return html`<p class="soft">No runs yet. Reports are kept until the mock stops.</p>`;
  return html`<ol class="runs">
    ${ended.map((run) => {
      const { id, kind, state, verdict, target, startedAt, sentence, counts = {} } = run;
      return html`<li key=${id} class="card">
        <p class="line">
          <strong class="verdict ${verdict ?? 'none'}">${verdict ?? 'no report'}</strong>
          <span>${target}</span>
          <span class="soft">${kind === 'file' ? 'opened file, ' : ''}<time datetime=${startedAt}>${renderMoment(startedAt)}</time></span>
        </p>
        <p>${sentence}</p>
        <${Tally} counts=${Object.entries(counts).filter(([, count]) => count > 0)} />
        <p class="line">
          ${state === 'done' && html`<a href=${linkTo('tests', id)} aria-label=${`Report of ${id}`}>Report</a>`}
          <button type="button" onClick=${() => onDrop(run)} aria-label=${`Remove ${id}`}>Remove</button>
          <span class="soft">${id}</span>
        </p>
      </li>`;
    })}
  </ol>`;
}

/** Progress of a run, with a bar and the time left. */
function RunProgress({ run, onStop }: { run: Run; onStop: () => void }): Html {
  const { sent = 0, planned = 0, secondsLeft, doing } = run.progress ?? {};
  const left =
    secondsLeft === undefined ? '' : `, about ${renderDuration(1000 * secondsLeft)} left`;
  return html`<section class="card running" aria-labelledby="progress-title">
    <h2 id="progress-title">Testing ${run.target}</h2>
    <progress max=${Math.max(1, planned)} value=${sent} aria-labelledby="progress-title"></progress>
    <p class="line">
      <span>${`${sent} of ${planned} requests${left}`}</span>
      <span class="soft">${doing ?? ''}</span>
      <button type="button" class="danger" onClick=${onStop}>Stop</button>
    </p>
  </section>`;
}

/** The mock's limit; a larger file is not sent. */
const maxBytes = 32 * 1024 * 1024;

/** Opens a `report.json`. */
function OpenFile({ onOpened }: { readonly onOpened: () => void }): Html {
  const session = useSession();
  const [problem, setProblem] = useState('');
  const open = (file: File): void => {
    setProblem('');
    sendFile(session, file).then(
      ({ id }) => {
        onOpened();
        session.go({ part: id });
      },
      ({ message }: Error) => setProblem(`${file.name}: ${message}`),
    );
  };
  return html`<div class="drop">
    <${FileButton} label="Open a report.json" onFile=${open} />
    <p class="hint"><code>petstore conform --report</code> writes one.</p>
    <${ErrorLine} text=${problem} />
  </div>`;
}

/** Sends the file unparsed, because parsing could change numbers. */
async function sendFile(session: Session, file: File): Promise<Run> {
  if (file.size > maxBytes) throw new Error('It is larger than 32 MiB.');
  const path = '/_mock/conformance/reports';
  return JSON.parse(await fetchText(session, path, { method: 'POST', body: file }));
}
