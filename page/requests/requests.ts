import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Html, html } from '../view/element.ts';
import { renderMoment } from '../session/clock.ts';
import { type LoggedRequest, type LogSnapshot, nameOf } from '../session/request-log.ts';
import { SessionProvider, inSandbox, useSession } from '../session/session.ts';
import { useSandboxes, useThrottled } from '../session/hooks.ts';
import { Counts, FilterBar, compileSearch, readFilter, selectRequests } from './filter.ts';
import { Panel } from './panel.ts';
import { RequestList } from './request-list.ts';

/** The requests to the service as they arrive, newest first. */
export function Requests(): Html {
  const session = useSession();
  const { query, sandbox, control, go, act } = session;
  const log = useLog();
  const [selected, setSelected] = useState<LoggedRequest>();
  const [isOpen, setIsOpen] = useState(false);
  const filter = readFilter(query, sandbox);
  const hasText = useMemo(() => compileSearch(filter.text), [filter.text]);
  const selection = useMemo(
    () => selectRequests(log.requests, filter, hasText),
    [log.requests, ...Object.values(filter)],
  );
  const sandboxes = useSandboxes();
  const open = (request: LoggedRequest): void => {
    setSelected(request);
    setIsOpen(true);
  };
  // The fragment may name a request that arrives a moment later.
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
    const names = filter.sandbox === '' ? sandboxes.map(({ name }) => name) : [filter.sandbox];
    void act(() =>
      Promise.all(names.map((name) => control.call('clearJournal', { sandbox: name }))),
    );
  };
  const moved = sandboxes
    .filter(({ name, hasOwnTime }) => hasOwnTime && ['', name].includes(filter.sandbox))
    .map(({ name, now, frozen }) => `${name} is ${frozen ? 'frozen ' : ''}at ${renderMoment(now)}`);
  const nothing =
    log.requests.length === 0
      ? 'No requests yet. New ones appear here.'
      : html`No request matches. <button type="button" onClick=${() => go({ query: {} })}>Show all</button>`;
  const shown = isOpen ? selected : undefined;
  return html`<div class="requests ${shown === undefined ? '' : 'with-panel'}">
    <div class="requests-head">
      <h1>Requests</h1>
      <${FilterBar} filter=${filter} selection=${selection} />
      <div class="buttons">
        <button type="button" title=${`Delete the requests of ${filter.sandbox || 'all sandboxes'}, here and in the mock`} onClick=${clear}>Clear</button>
      </div>
    </div>
    <${Counts} rows=${selection.rows} log=${log} />
    ${log.problem !== undefined && html`<p class="error">The requests could not be read: ${log.problem}</p>`}
    ${moved.length > 0 && html`<p class="soft">Each time is by the clock of its sandbox. Changed clocks: ${moved.join(', ')}.</p>`}
    <div class="requests-body">
      ${
        selection.rows.length === 0
          ? html`<p class="soft">${nothing}</p>`
          : html`<${RequestList} rows=${selection.rows} selected=${selected?.number} onSelect=${setSelected} onOpen=${open} onClose=${close} />`
      }
      ${
        shown !== undefined &&
        html`<${SessionProvider} key=${shown.number} value=${inSandbox(session, shown.exchange.sandbox)}>
          <${Panel} exchange=${shown.exchange} sandbox=${sandboxes.find(({ name }) => name === shown.exchange.sandbox)} onClose=${close} />
        <//>`
      }
    </div>
  </div>`;
}

/** The log, read at a limited rate. */
function useLog(): LogSnapshot {
  const { log } = useSession();
  const [snapshot, setSnapshot] = useState(log.snapshot);
  const subscribe = (look: () => void): (() => void) => {
    look();
    return log.subscribe(look);
  };
  useThrottled(subscribe, () => setSnapshot(log.snapshot), 150, [log]);
  return snapshot;
}
