import { type Html, html } from '../../../view/element.ts';
import type { Session } from '../../session/session.ts';
import { type RequestFilter, noOperation } from './filter.ts';
import type { Selection } from './selection.ts';

export interface FilterBarProps {
  readonly session: Session;
  readonly filter: RequestFilter;
  readonly selection: Selection;
  /** Names of the sandboxes that there are. */
  readonly sandboxes: readonly string[];
}

const classes = ['2xx', '3xx', '4xx', '5xx'];

/** What is shown of the requests; it stands in the fragment, so that it can be shared. */
export function FilterBar({ session, filter, selection, sandboxes }: FilterBarProps): Html {
  const { go, query, mock } = session;
  const change = (members: Readonly<Record<string, string>>): void =>
    go({ query: { ...query, ...members } });
  const names = [...new Set([...sandboxes, ...selection.sandboxes, session.sandbox])];
  const statuses = [...selection.statuses].map(String).toSorted();
  return html`<form class="controls" role="search" aria-label="Requests" onSubmit=${(event: Event) => event.preventDefault()}>
    <label>Sandbox
      <select
        value=${filter.sandbox}
        onChange=${(event: Event) => {
          const name = valueOf(event);
          const { only: _, ...others } = query;
          if (name === '') go({ query: others });
          else go({ sandbox: name, query: { ...others, only: '1' } });
        }}
      >
        <${Choice} value="" text="all" chosen=${filter.sandbox} />
        ${names.map((name) => html`<${Choice} key=${name} value=${name} text=${name} chosen=${filter.sandbox} />`)}
      </select>
    </label>
    <label>Operation
      <select value=${filter.operation} onChange=${(event: Event) => change({ operation: valueOf(event) })}>
        <${Choice} value="" text="all" chosen=${filter.operation} />
        ${mock.operations.map(({ id }) => html`<${Choice} key=${id} value=${id} text=${id} chosen=${filter.operation} />`)}
        <${Choice} value=${noOperation} text="none of the document" chosen=${filter.operation} />
      </select>
    </label>
    <label>Status
      <select value=${filter.status} onChange=${(event: Event) => change({ status: valueOf(event) })}>
        <${Choice} value="" text="all" chosen=${filter.status} />
        ${[...new Set([...classes, ...statuses, filter.status])]
          .filter((status) => status !== '')
          .map(
            (status) =>
              html`<${Choice} key=${status} value=${status} text=${status} chosen=${filter.status} />`,
          )}
      </select>
    </label>
    <label class="wide">Search
      <input
        type="search"
        value=${filter.text}
        placeholder="path, body or reason"
        onInput=${(event: Event) => change({ text: valueOf(event) })}
      />
    </label>
  </form>`;
}

function Choice({ value, text, chosen }: { value: string; text: string; chosen: string }): Html {
  return html`<option value=${value} selected=${value === chosen}>${text}</option>`;
}

function valueOf({ target }: Event): string {
  return target instanceof HTMLSelectElement || target instanceof HTMLInputElement
    ? target.value
    : '';
}
