import { useState } from 'preact/hooks';
import type { ControlArguments, Mock, RunPlan } from '../../mock/control/client.ts';
import { html, type Html } from '../view/element.ts';
import { ErrorLine } from '../form/error-line.ts';
import { type Field, type Texts, choice, more, number } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { renderDuration } from '../../mock/control/hint/duration.ts';
import { useSession } from '../session/session.ts';

export type RunOrder = ControlArguments<'startRun'>['body'];

type Target = 'own' | 'url';

interface JudgeFormProps {
  readonly isRunning: boolean;
  /** Why the last run started here has no report; empty if it has one. */
  readonly failure: string;
  /** Starts a run; rejects if it cannot be started. */
  readonly onStart: (order: RunOrder) => Promise<void>;
}

/**
 * Asks what to test and how, shows the plan, and starts the run. The key never leaves this form and
 * the run.
 */
export function JudgeForm({ isRunning, failure, onStart }: JudgeFormProps): Html {
  const session = useSession();
  const { sandbox, control } = session;
  const [texts, setTexts] = useState<Texts>({ '/target': 'own' });
  // A plan is shown until the form is edited, because it belongs to these texts.
  const [planned, setPlanned] = useState<{ plan: RunPlan; texts: Texts; sandbox: string }>();
  const isCurrent = planned?.texts === texts && planned.sandbox === sandbox;
  const submit = async (body: RunOrder & { target: Target }, button: string): Promise<void> => {
    const order = orderOf(body, sandbox);
    if (button === 'Show the plan')
      setPlanned({ plan: await control.call('planRun', { body: order }), texts, sandbox });
    else if (!isRunning) await onStart(order);
  };
  const use = (requests: number): void => setTexts({ ...texts, '/requests': `${requests}` });
  return html`<div class="judge">
    <${Form}
      title="Test a server"
      level=${2}
      fields=${listRunFields(session, texts)}
      state=${[texts, setTexts]}
      submit=${['Start', 'Show the plan']}
      onSubmit=${submit}
    >
      ${isRunning && html`<span class="soft">A run is in progress.</span>`}
    <//>
    <${ErrorLine} text=${failure} />
    <div role="status">${isCurrent && html`<${PlanView} plan=${planned.plan} onRequests=${use} />`}</div>
  </div>`;
}

const isUrl = (texts: Texts): boolean => texts['/target'] === 'url';

/** A field for every member of a run order except the sandbox, which is the selected one. */
export function listRunFields(
  { mock, sandbox }: { readonly mock: Pick<Mock, 'keys'>; readonly sandbox: string },
  texts: Texts,
): readonly Field[] {
  const plans = mock.keys.map(({ plan }) => plan).filter((plan) => plan !== '');
  const usual = isUrl(texts) ? '' : (plans[0] ?? '');
  const check = (name: string, label: string, hint?: string): Field => ({
    name,
    label,
    hint,
    kind: 'check',
    isShown: isUrl,
  });
  const own = `The copy has the initial items, with the choices and limits of sandbox ${sandbox}, but without its stubs, faults and changed clock. The sandbox is not changed.`;
  return [
    {
      name: '/target',
      label: 'Server',
      kind: 'radio',
      options: [
        ['own', 'A fresh copy of this mock'],
        ['url', 'Another server'],
      ],
      hint: isUrl(texts) ? undefined : own,
    },
    {
      name: '/baseUrl',
      label: 'Base URL',
      kind: 'url',
      placeholder: 'http://127.0.0.1:8080/v1',
      hint: 'Includes the version segment. The run adds items to the server and lists those it leaves behind.',
      isRequired: true,
      pattern: [/^\s*https?:\/\/[^/\s]/i, 'Enter a URL such as http://127.0.0.1:8080/v1.'],
      isShown: isUrl,
    },
    {
      name: '/key',
      label: 'API key',
      kind: 'secret',
      hint: 'Kept in memory during the run. Reports do not contain it.',
      isShown: isUrl,
    },
    {
      ...choice('/plan', 'Plan of the key', [
        ['', usual === '' ? 'Unknown' : usual],
        ...plans.filter((plan) => plan !== usual).map((plan) => [plan, plan] as const),
      ]),
      isShown: () => plans.length > 0,
    },
    number('/requests', 'Number of requests', 'as the plan of the key allows'),
    check('/exhaust', 'Exceed the rate limit at the end', 'Sends extra requests.'),
    check(
      '/exclusive',
      'Nobody else uses the server',
      'If an item appears that the run did not create, the run fails.',
    ),
    check('/readOnly', 'Send no request that may add or change items'),
    {
      ...check('/insecure', 'Do not verify its certificate'),
      isShown: (all) => isUrl(all) && /^\s*https:/i.test(all['/baseUrl'] ?? ''),
    },
    ...more(
      number('/fuzz', 'Extra requests for fuzzing', '0'),
      number('/seed', 'Random seed', '1', 'The same seed sends the same requests.'),
    ),
  ];
}

/** The run order of a form. `sandbox`: the selected one. */
export function orderOf(
  { target, ...order }: RunOrder & { readonly target: Target },
  sandbox: string,
): RunOrder {
  return target === 'own' ? { ...order, sandbox } : order;
}

function PlanView(props: { plan: RunPlan; onRequests: (requests: number) => void }): Html {
  const { plan, onRequests } = props;
  // The page shows a button instead of a flag.
  const wanted = Number(/--requests (\d+)/.exec(plan.text)?.[1] ?? 0);
  const text = plan.text.replaceAll(/ \(--requests \d+\)|; --requests \d+ sends them too/g, '');
  return html`<section class="plan" aria-label="Plan">
    <p><strong>${plan.requests} requests</strong>, about ${renderDuration(1000 * plan.seconds)}.</p>
    ${text.split('\n').map((line) => html`<p class="soft" key=${line}>${line}</p>`)}
    ${wanted > 0 && html`<p><button type="button" onClick=${() => onRequests(wanted)}>Use ${wanted}</button></p>`}
  </section>`;
}
