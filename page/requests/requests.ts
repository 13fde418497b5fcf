import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Html, html } from '../../view/element.ts';
import { type LoggedRequest, nameOf } from '../session/request-log.ts';
import type { SectionProps } from '../session/session.ts';
import { describeError } from '../session/use-loaded.ts';
import { Counts } from './filter/counts.ts';
import { FilterBar } from './filter/filter-bar.ts';
import { compileFilter, readFilter } from './filter/filter.ts';
import { selectRequests } from './filter/selection.ts';
import { renderMoment } from './list/time.ts';
import { RequestList } from './list/request-list.ts';
import { Panel } from './panel/panel.ts';
import { useLog } from './log/use-log.ts';
import { type TimedSandbox, useSandboxes } from './use-sandboxes.ts';

/** The live log of requests to the service, the newest first. */
export function Requests({ session }: SectionProps): Html {
  const { query, sandbox, control, go, tell } = session;
  const log = useLog(session.log);
  const [pausedAt, setPausedAt] = useState<number>();
  const [selected, setSelected] = useState<LoggedRequest>();
  const [isOpen, setIsOpen] = useState(false);
  const filter = readFilter(query, sandbox);
  const compiled = useMemo(() => compileFilter(filter), Object.values(filter));
  const selection = useMemo(
    () => selectRequests(log.requests, compiled, pausedAt),
    [log.requests, compiled, pausedAt],
  );
  const sandboxes = useSandboxes(session, selection.sandboxes);
  const open = (request: LoggedRequest): void => {
    setSelected(request);
    setIsOpen(true);
  };
  // The fragment may name a request, which may come a moment later.
  const named = useMemo(
    () => log.requests.findLast((request) => nameOf(request) === query['request']),
    [log.requests, query['request']],
  );
  useEffect(() => {
    if (named !== undefined) open(named);
  }, [named]);
  const close = (): void => {
    setIsOpen(false);
    document.querySelector<HTMLElement>('.list-of-requests')?.focus();
  };
  const clear = (): void => {
    setIsOpen(false);
    const names = filter.sandbox === '' ? [...sandboxes.keys()] : [filter.sandbox];
    Promise.all(names.map((name) => control.call('clearJournal', { sandbox: name }))).catch(
      (error: unknown) => tell(describeError(error), 'bad'),
    );
  };
  const shown = isOpen ? selected : undefined;
  const waiting = pausedAt === undefined ? 0 : log.lastNumber - pausedAt;
  return html`<div class="requests ${shown === undefined ? '' : 'with-panel'}">
    <div class="requests-head">
      <h1>Requests</h1>
      <${FilterBar} session=${session} filter=${filter} selection=${selection} sandboxes=${[...sandboxes.keys()]} />
      <div class="buttons">
        <button
          type="button"
          onClick=${() => setPausedAt(pausedAt === undefined ? log.lastNumber : undefined)}
        >${pausedAt === undefined ? 'Pause' : `Go on (${waiting.toLocaleString('en')} new)`}</button>
        <button
          type="button"
          title=${`Forgets the requests of ${filter.sandbox === '' ? 'all sandboxes' : filter.sandbox}, here and in the mock`}
          onClick=${clear}
        >Clear</button>
      </div>
    </div>
    <${Counts} log=${log} selection=${selection} filter=${filter} onStatus=${(status: string) => go({ query: { ...query, status } })} />
    <${Notes} problem=${log.problem} sandboxes=${sandboxes} only=${filter.sandbox} />
    <div class="requests-body">
      ${
        selection.rows.length === 0
          ? html`<${Nothing} hasAny=${log.requests.length > 0} onAll=${() => go({ query: {} })} />`
          : html`<${RequestList}
              rows=${selection.rows}
              selected=${selected?.number}
              onSelect=${setSelected}
              onOpen=${open}
              onClose=${close}
            />`
      }
      ${
        shown !== undefined &&
        html`<${Panel}
          key=${shown.number}
          session=${session}
          request=${shown}
          sandbox=${sandboxes.get(shown.exchange.sandbox)?.sandbox}
          hasOwnTime=${sandboxes.get(shown.exchange.sandbox)?.hasOwnTime === true}
          onClose=${close}
        />`
      }
    </div>
  </div>`;
}

interface NotesProps {
  readonly problem: string | undefined;
  readonly sandboxes: ReadonlyMap<string, TimedSandbox>;
  /** The one sandbox that is shown; empty for all. */
  readonly only: string;
}

function Notes({ problem, sandboxes, only }: NotesProps): Html {
  const moved = [...sandboxes.values()]
    .filter(({ sandbox: { name }, hasOwnTime }) => hasOwnTime && (only === '' || name === only))
    .map(
      ({ sandbox: { name, now, frozen } }) =>
        `${name} ${frozen ? 'stands at' : 'is at'} ${renderMoment(now)}`,
    );
  return html`${problem !== undefined && html`<p class="error">The journals could not be read: ${problem}</p>`}
  ${moved.length > 0 && html`<p class="soft">Times are by the clock of each sandbox, and were moved: ${moved.join(', ')}.</p>`}`;
}

function Nothing({ hasAny, onAll }: { hasAny: boolean; onAll: () => void }): Html {
  if (!hasAny)
    return html`<p class="soft">No request has come yet. Each one is shown here as it comes.</p>`;
  return html`<p class="soft">No request fits. <button type="button" onClick=${onAll}>Show all</button></p>`;
}
