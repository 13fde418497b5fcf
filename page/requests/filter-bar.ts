import { type Html, html } from '../view/element.ts';
import { Select, textOf } from '../form/field-input.ts';
import type { LogSnapshot } from '../session/request-log.ts';
import type { Session } from '../session/session.ts';
import { type RequestFilter, type Selection, noOperation } from './filter.ts';

export interface FilterBarProps {
  readonly session: Session;
  readonly filter: RequestFilter;
  readonly selection: Selection;
}

const classes = ['2xx', '3xx', '4xx', '5xx'];

/** Which requests are shown. It is in the fragment, so that it can be shared. */
export function FilterBar({ session, filter, selection }: FilterBarProps): Html {
  const { go, query, mock, sandbox } = session;
  const change = (members: Readonly<Record<string, string>>): void =>
    go({ query: { ...query, ...members } });
  const statuses = new Set([
    ...classes,
    ...[...selection.statuses].map(String).toSorted(),
    ...(filter.status === '' ? [] : [filter.status]),
  ]);
  return html`<form class="controls" role="search" aria-label="Requests" onSubmit=${(event: Event) => event.preventDefault()}>
    <label class="inline">
      <input type="checkbox" checked=${filter.sandbox !== ''} onChange=${() => change({ only: filter.sandbox === '' ? '1' : '' })} />
      Only ${sandbox}
    </label>
    <${Select}
      label="Operation"
      value=${filter.operation}
      options=${[
        ['', 'All'],
        ...mock.operations.map(({ id }) => [id, id]),
        [noOperation, 'Not in the document'],
      ]}
      onValue=${(operation: string) => change({ operation })}
    />
    <${Select}
      label="Status"
      value=${filter.status}
      options=${[['', 'All'], ...[...statuses].map((status) => [status, status])]}
      onValue=${(status: string) => change({ status })}
    />
    <label class="wide">Search
      <input
        type="search"
        value=${filter.text}
        placeholder="path, body or reason"
        onInput=${(event: Event) => change({ text: textOf(event) })}
      />
    </label>
  </form>`;
}

export interface CountsProps {
  readonly log: LogSnapshot;
  readonly selection: Selection;
  readonly filter: RequestFilter;
  readonly onStatus: (status: string) => void;
}

/** How many requests there are and are shown, by class of status. */
export function Counts({ log, selection, filter, onStatus }: CountsProps): Html {
  const { rows, classes } = selection;
  const { requests, leftOut, missed } = log;
  return html`<p class="counts">
    <span><b>${rows.length.toLocaleString('en')}</b> of ${requests.length.toLocaleString('en')}</span>
    ${[...classes.keys()].toSorted().map((name) => {
      const isChosen = filter.status === name;
      return html`<button
        key=${name}
        type="button"
        class="quiet s${name}"
        aria-pressed=${isChosen}
        onClick=${() => onStatus(isChosen ? '' : name)}
      >${name} ${(classes.get(name) ?? 0).toLocaleString('en')}</button>`;
    })}
    ${leftOut > 0 && html`<span class="soft">${leftOut.toLocaleString('en')} older ones are not kept here</span>`}
    ${missed > 0 && html`<span class="soft">${missed.toLocaleString('en')} were missed while the page was not connected</span>`}
  </p>`;
}
