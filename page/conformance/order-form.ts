import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import type { Session } from '../session/session.ts';
import type { RunPlan } from '../session/types.ts';
import { describeError } from '../session/use-loaded.ts';
import { Field } from './field.ts';
import {
  type FieldErrors,
  type OrderFields,
  type RunOrder,
  checkFields,
  emptyFields,
  orderOf,
} from './order.ts';
import { PlanView } from './plan-view.ts';
import { usualPlan, usualRequests } from './usual.ts';

interface OrderFormProps {
  readonly session: Session;
  readonly isRunning: boolean;
  /** Why the run that was started last has no report; empty where it has one. */
  readonly failure: string;
  readonly onEdit: () => void;
  /** Starts a run; rejects where it cannot be started. */
  readonly onStart: (order: RunOrder) => Promise<void>;
}

/** Asks what to judge and with what, shows the plan, and starts. The key stays in this form. */
export function OrderForm(props: OrderFormProps): Html {
  const { session, isRunning, failure, onEdit, onStart } = props;
  const form = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState(emptyFields);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState('');
  const [plan, setPlan] = useState<RunPlan>();
  // A plan that is shown is that of a sandbox.
  useEffect(() => setPlan(undefined), [session.sandbox]);
  const set = (change: Partial<OrderFields>): void => {
    setFields((known) => ({ ...known, ...change }));
    setPlan(undefined);
    setProblem('');
    onEdit();
  };
  const order = async (act: (order: RunOrder) => Promise<void>): Promise<void> => {
    const found = checkFields(fields);
    setErrors(found);
    setProblem('');
    const [first] = Object.keys(found);
    if (first !== undefined) {
      form.current?.querySelector<HTMLElement>(`#judge-${first}`)?.focus();
      return;
    }
    try {
      await act(orderOf(fields, session.sandbox));
    } catch (error) {
      setProblem(describeError(error));
    }
  };
  const showPlan = async (body: RunOrder): Promise<void> =>
    setPlan(await session.control.call('planRun', { body }));
  const take = (requests: number): void => {
    set({ requests: `${requests}` });
    void showPlan(orderOf({ ...fields, requests: `${requests}` }, session.sandbox)).catch(
      (error: unknown) => setProblem(describeError(error)),
    );
  };
  const start = (event: Event): void => {
    event.preventDefault();
    if (!isRunning) void order(onStart);
  };
  return html`<form class="card judge" ref=${form} onSubmit=${start} novalidate aria-labelledby="judge-title">
    <h2 id="judge-title">Judge a server</h2>
    <fieldset>
      <legend>What to judge</legend>
      <label class="inline"
        ><input type="radio" name="target" checked=${fields.isOwn} onChange=${() => set({ isOwn: true })} />This mock</label
      >
      <label class="inline"
        ><input type="radio" name="target" checked=${!fields.isOwn} onChange=${() => set({ isOwn: false })} />A base URL</label
      >
    </fieldset>
    ${
      fields.isOwn
        ? html`<p class="hint">
            A copy of this mock is judged, with its document, the items it was started with, and the
            choices and limits of the sandbox <strong>${session.sandbox}</strong>. Faults, items and the time of the sandbox
            are not in it, and none of them is touched.
          </p>`
        : html`<${TargetFields} fields=${fields} errors=${errors} onChange=${set} />`
    }
    <${Choices} session=${session} fields=${fields} errors=${errors} onChange=${set} />
    <p class="actions">
      <button type="submit" class="main" aria-disabled=${isRunning ? 'true' : undefined}>Start</button>
      <button type="button" onClick=${() => void order(showPlan)}>Show the plan</button>
      ${isRunning && html`<span class="soft">A run is under way.</span>`}
    </p>
    <p class="error" role="alert">${problem === '' ? failure : problem}</p>
    <div role="status">${plan !== undefined && html`<${PlanView} plan=${plan} onRequests=${take} />`}</div>
  </form>`;
}

interface PartProps {
  readonly fields: OrderFields;
  readonly errors: FieldErrors;
  readonly onChange: (change: Partial<OrderFields>) => void;
}

/** Where the server is, and the key for it. */
function TargetFields({ fields, errors, onChange }: PartProps): Html {
  return html`<${Field}
      id="judge-baseUrl"
      label="Base URL"
      type="url"
      hint="With its version segment. Items are added to it, and removed as far as it can be done."
      placeholder="http://127.0.0.1:8080/v1"
      value=${fields.baseUrl}
      error=${errors.baseUrl}
      onValue=${(baseUrl: string) => onChange({ baseUrl })}
    />
    <${Field}
      id="judge-key"
      label="API key"
      type="password"
      hint="It stays in memory while the run goes on, and is in no report."
      value=${fields.key}
      onValue=${(key: string) => onChange({ key })}
    />
    ${
      /^https:/i.test(fields.baseUrl.trim()) &&
      html`<label class="inline"
        ><input
          type="checkbox"
          checked=${fields.insecure}
          onChange=${() => onChange({ insecure: !fields.insecure })}
        />Do not verify its certificate</label
      >`
    }
    <label class="inline"
      ><input
        type="checkbox"
        checked=${fields.readOnly}
        onChange=${() => onChange({ readOnly: !fields.readOnly })}
      />Send nothing that may add or change items</label
    >`;
}

/** How much is sent, and by which plan. */
function Choices({ session, fields, errors, onChange }: PartProps & { session: Session }): Html {
  const plans = session.mock.keys.map(({ plan }) => plan).filter((plan) => plan !== '');
  const usual = fields.isOwn ? usualPlan(session.mock) : '';
  const choose = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement) onChange({ plan: target.value });
  };
  return html`<div class="row">
    <${Field}
      id="judge-requests"
      label="Requests at most"
      type="number"
      placeholder=${`${usualRequests(session.mock, fields.plan || usual)}`}
      value=${fields.requests}
      error=${errors.requests}
      onValue=${(requests: string) => onChange({ requests })}
    />
    ${
      plans.length > 0 &&
      html`<div class="field">
        <label for="judge-plan">Plan of the key</label>
        <select id="judge-plan" value=${fields.plan === usual ? '' : fields.plan} onChange=${choose}>
          <option value="">${usual || 'unknown'}</option>
          ${plans.filter((plan) => plan !== usual).map((plan) => html`<option key=${plan} value=${plan}>${plan}</option>`)}
        </select>
      </div>`
    }
    <${Field}
      id="judge-seed"
      label="Random seed"
      type="number"
      placeholder="1"
      value=${fields.seed}
      error=${errors.seed}
      onValue=${(seed: string) => onChange({ seed })}
    />
  </div>`;
}
