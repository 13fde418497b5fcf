import { useState } from 'preact/hooks';
import { type Html, html } from '../../../view/element.ts';
import { renderRoute } from '../../session/route.ts';
import type { Session } from '../../session/session.ts';
import type { Exchange, FaultRule } from '../../session/types.ts';
import { describeError } from '../../session/use-loaded.ts';
import { type FaultKind, faultKinds, faultOf } from './fault.ts';

export interface FaultFormProps {
  readonly session: Session;
  readonly exchange: Exchange;
}

/** Adds a fault to the sandbox of a request, for requests like it. */
export function FaultForm({ session, exchange }: FaultFormProps): Html {
  const { sandbox, operation, status } = exchange;
  const [kind, setKind] = useState<FaultKind>('status');
  const [added, setAdded] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    const { currentTarget } = event;
    if (!(currentTarget instanceof HTMLFormElement)) return;
    const rule: FaultRule = faultOf(kind, new FormData(currentTarget));
    session.control.call('addFault', { sandbox, body: rule }).then(
      ({ id }) => {
        setAdded(`The fault ${id} is added to ${sandbox}.`);
        setProblem(undefined);
      },
      (error: unknown) => {
        setAdded(undefined);
        setProblem(describeError(error));
      },
    );
  };
  return html`<form class="card fault-form" aria-label="Make this a fault" onSubmit=${add}>
    <div class="fields">
      <label>Operation
        <select name="operation">
          <option value="" selected=${operation === undefined}>every request</option>
          ${session.mock.operations.map(({ id }) => html`<option key=${id} value=${id} selected=${id === operation}>${id}</option>`)}
        </select>
      </label>
      <label>Effect
        <select value=${kind} onChange=${(event: Event) => setKind(kindOf(event))}>
          ${Object.entries(faultKinds).map(([id, name]) => html`<option key=${id} value=${id} selected=${id === kind}>${name}</option>`)}
        </select>
      </label>
      <${EffectFields} kind=${kind} status=${status >= 400 ? status : 503} />
      <label>Requests <input name="count" type="number" min="1" value="1" placeholder="without end" /></label>
      <button type="submit" class="main">Add</button>
    </div>
    ${kind === 'connection' && html`<p class="soft">After a reset a browser may send the request again by itself; the work of the operation is done each time.</p>`}
    <p class="error" role="alert">${problem}</p>
    <p role="status">${added}${added !== undefined && html` <a href=${renderRoute({ section: 'sandboxes', sandbox })}>See it under Sandboxes</a>`}</p>
  </form>`;
}

function EffectFields({ kind, status }: { kind: FaultKind; status: number }): Html {
  switch (kind) {
    case 'status':
      return html`<label>Status <input name="status" type="number" min="400" max="599" value=${status} required /></label>
        <label>Retry-After, s <input name="retryAfter" type="number" min="0" /></label>`;
    case 'delay':
      return html`<label>Milliseconds <input name="delay" type="number" min="0" max="600000" value="2000" required /></label>`;
    case 'connection':
      return html`<${Words} name="connection" label="Connection" words=${['reset', 'silence']} />`;
    case 'body':
      return html`<${Words} name="body" label="Body" words=${['truncated', 'malformed']} />`;
  }
}

function Words({
  name,
  label,
  words,
}: {
  name: string;
  label: string;
  words: readonly string[];
}): Html {
  return html`<label>${label}
    <select name=${name}>${words.map((word) => html`<option key=${word} value=${word}>${word}</option>`)}</select>
  </label>`;
}

function kindOf({ target }: Event): FaultKind {
  const value = target instanceof HTMLSelectElement ? target.value : '';
  return value === 'delay' || value === 'connection' || value === 'body' ? value : 'status';
}
