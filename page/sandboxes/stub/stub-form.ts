import { useId, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../../view/element.ts';
import type { Session } from '../../session/session.ts';
import { readForm } from '../panel/form-data.ts';
import { ErrorLine } from '../panel/panel.ts';
import { useAction } from '../panel/use-action.ts';
import { readStub } from './stub-rule.ts';

export interface StubFormProps {
  readonly session: Session;
  /** What stands in the fields at first, by their names. */
  readonly first?: Readonly<Record<string, string>>;
  readonly onAdded: () => void;
}

/** Asks for a stub in plain words; what is seldom wanted is folded. */
export function StubForm({ session, first = {}, onAdded }: StubFormProps): Html {
  const { control, sandbox, mock } = session;
  const { run, error, fail, isBusy } = useAction();
  const [wrong, setWrong] = useState<string>();
  const [isMore, setIsMore] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const add = async (event: Event): Promise<void> => {
    const result = readStub(readForm(event));
    if ('message' in result) {
      setWrong(result.field);
      fail(result.message);
      form.current?.querySelector<HTMLElement>(`[name="${result.field}"]`)?.focus();
      return;
    }
    setWrong(undefined);
    const body = result.rule;
    if (await run(async () => await control.call('addStub', { sandbox, body }))) {
      form.current?.reset();
      session.tell('The stub is added.');
      onAdded();
    }
  };
  const marks = (name: string): Record<string, string | undefined> => ({
    'aria-invalid': wrong === name ? 'true' : undefined,
    'aria-describedby': wrong === name ? `${id}-error` : undefined,
  });
  const field = (name: string, label: string, hint: string): Html => html`<label>
    <span>${label}</span>
    <input name=${name} defaultValue=${first[name]} placeholder=${hint} autocomplete="off" ...${marks(name)} />
  </label>`;
  const area = (name: string, label: string, rows: number): Html => html`<label class="block">
    <span>${label}</span>
    <textarea name=${name} rows=${rows} spellcheck=${false} defaultValue=${first[name]} ...${marks(name)}></textarea>
  </label>`;
  return html`<form class="new-fault" ref=${form} novalidate onSubmit=${(event: Event) => void add(event)} aria-label="A new stub">
    <h3>Add a stub</h3>
    <div class="entries">
      <label>
        <span>Requests to</span>
        <select name="operation">
          <option value="">every operation</option>
          ${mock.operations.map((one) => html`<option key=${one.id} value=${one.id} selected=${one.id === first['operation']}>${one.id}</option>`)}
        </select>
      </label>
      ${field('path', 'path', 'any')}
      ${field('query', 'query', 'any, or limit=5')}
      ${field('status', 'respond with status', 'as usual')}
      ${field('times', 'times', 'unlimited')}
      ${field('delay', 'wait, milliseconds', 'no delay')}
    </div>
    ${area('body', 'with the body, as JSON or text (empty: that of the document)', 4)}
    <details open=${isMore || wrong === 'sent' || wrong === 'headers'} onToggle=${(event: Event) => setIsMore(event.currentTarget instanceof HTMLDetailsElement && event.currentTarget.open)}>
      <summary>More: name, example, headers, what the request has</summary>
      <div class="entries">
        ${field('label', 'name of the stub', 'none')}
        ${field('example', 'example of the document', 'none')}
      </div>
      ${area('headers', 'header fields, one a line', 2)}
      ${area('sent', 'only where the body of the request has, as JSON', 2)}
    </details>
    <div class="tools"><button type="submit" class="main" aria-disabled=${isBusy ? 'true' : undefined}>Add the stub</button></div>
    <${ErrorLine} text=${error} id=${`${id}-error`} />
  </form>`;
}
