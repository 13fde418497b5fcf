import { useId, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../../view/element.ts';
import type { Session } from '../../session/session.ts';
import { readForm } from '../panel/form-data.ts';
import { ErrorLine } from '../panel/panel.ts';
import { useAction } from '../panel/use-action.ts';
import { readRule } from './fault-rule.ts';

export interface FaultFormProps {
  readonly session: Session;
  /** What stands in the fields at first, by their names. */
  readonly first?: Readonly<Record<string, string>>;
  readonly onAdded: () => void;
}

/** Asks for a fault in plain words; what is seldom wanted is folded. */
export function FaultForm({ session, first = {}, onAdded }: FaultFormProps): Html {
  const { control, sandbox, mock } = session;
  const { run, error, fail, isBusy } = useAction();
  const [wrong, setWrong] = useState<string>();
  const [isMore, setIsMore] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const add = async (event: Event): Promise<void> => {
    const result = readRule(readForm(event));
    if ('message' in result) {
      setWrong(result.field);
      fail(result.message);
      form.current?.querySelector<HTMLElement>(`[name="${result.field}"]`)?.focus();
      return;
    }
    setWrong(undefined);
    const body = result.rule;
    if (await run(async () => await control.call('addFault', { sandbox, body }))) {
      form.current?.reset();
      session.tell('The fault is added.');
      onAdded();
    }
  };
  const field = (name: string, label: string, hint: string): Html => html`<label>
    <span>${label}</span>
    <input name=${name} defaultValue=${first[name]} inputmode="decimal" placeholder=${hint} autocomplete="off" aria-invalid=${wrong === name ? 'true' : undefined} aria-describedby=${wrong === name ? `${id}-error` : undefined} />
  </label>`;
  return html`<form class="new-fault" ref=${form} novalidate onSubmit=${(event: Event) => void add(event)} aria-label="A new fault">
    <h3>Add a fault</h3>
    <div class="entries">
      <label>
        <span>Requests to</span>
        <select name="operation">
          <option value="">every operation</option>
          ${mock.operations.map((one) => html`<option key=${one.id} value=${one.id} selected=${one.id === first['operation']}>${one.id}</option>`)}
        </select>
      </label>
      ${field('status', 'respond with status', '400 to 599')}
      ${field('count', 'times', 'unlimited')}
      ${field('to', 'wait, milliseconds', 'no delay')}
    </div>
    <details open=${isMore || isHidden(wrong)} onToggle=${(event: Event) => setIsMore(event.currentTarget instanceof HTMLDetailsElement && event.currentTarget.open)}>
      <summary>More: connection, broken bodies, chance</summary>
      <div class="entries">
        ${field('retryAfter', 'Retry-After, seconds', 'that of the mock')}
        ${field('from', 'shortest delay, milliseconds', 'as the delay')}
        <label>
          <span>the connection</span>
          <select name="connection">
            <option value="">stays as it is</option>
            <option value="reset">is reset after the work is done</option>
            <option value="silence">stays open without a response</option>
          </select>
        </label>
        <label>
          <span>the body</span>
          <select name="body">
            <option value="">is whole</option>
            <option value="truncated">breaks off in the middle</option>
            <option value="malformed">is no JSON</option>
          </select>
        </label>
        ${field('bytes', 'the body in pieces of, bytes', 'in one piece')}
        ${field('milliseconds', 'pause before each piece, ms', 'none')}
        ${field('percent', 'share of the requests, percent', '100')}
        ${field('seed', 'random seed', '1')}
      </div>
    </details>
    <div class="tools"><button type="submit" class="main" aria-disabled=${isBusy ? 'true' : undefined}>Add the fault</button></div>
    <${ErrorLine} text=${error} id=${`${id}-error`} />
  </form>`;
}

const plainFields: readonly string[] = ['operation', 'status', 'count', 'to'];

function isHidden(wrong: string | undefined): boolean {
  return wrong !== undefined && !plainFields.includes(wrong);
}
