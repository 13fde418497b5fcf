import type { Sandbox } from '../../mock/control/client.ts';
import { CopyButton } from '../view/code.ts';
import { html, type Html } from '../view/element.ts';
import { ErrorLine } from '../form/error-line.ts';
import type { Field } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { useLive } from '../session/hooks.ts';
import { useSession } from '../session/session.ts';

import { Items } from './items.ts';
import { ClockPanel, Limits } from './limits.ts';
import { Questions } from './questions.ts';
import { faultKind } from './fault.ts';
import { RulePanel } from './rule-panel.ts';
import { stubKind } from './stub.ts';
import { Snapshots } from './snapshots.ts';
import { Webhooks } from './webhooks.ts';

/** Everything in a sandbox, on several pages. */
export function Sandboxes(): Html {
  return html`<div class="sandbox"><${ChosenSandbox} key=${useSession().sandbox} /></div>`;
}

/** A page under `#/sandboxes/<id>`. */
type Part = readonly [id: string, title: string, content: Html];

function ChosenSandbox(): Html {
  const { control, call, sandbox, part, mock, linkTo } = useSession();
  const { value, error } = useLive(['clock', 'snapshots', 'requests'], async () => {
    const [shown, collections, webhooks] = await Promise.all([
      call('getSandbox'),
      call('listCollections'),
      control.call('listWebhooks', {}),
    ]);
    const { now, frozen: isFrozen } = shown;
    const clock = { now: Date.parse(now), isFrozen, readAt: performance.now() };
    return { shown, clock, collections, webhooks };
  });
  if (value === undefined)
    return html`<h1>Sandbox ${sandbox}</h1>
      <${ErrorLine} text=${error} />`;
  const { shown, clock, collections, webhooks } = value;
  const parts: Part[] = [];
  // Pages without content are left out.
  if (collections.length > 0) parts.push(['items', 'Items', html`<${Items} />`]);
  parts.push(
    [
      'faults',
      'Faults and stubs',
      html`<div class="panels">
        <${RulePanel} kind=${faultKind} />
        <${RulePanel} kind=${stubKind} />
      </div>`,
    ],
    [
      'limits',
      'Limits and clock',
      html`<div class="panels">
        <${ClockPanel} clock=${clock} />
        <${Limits} clock=${clock} />
      </div>`,
    ],
    ['snapshots', 'Snapshots', html`<${Snapshots} names=${shown.snapshots} />`],
  );
  if (mock.questions.length > 0) parts.push(['questions', 'Questions', html`<${Questions} />`]);
  if (webhooks.length > 0)
    parts.push(['webhooks', 'Webhooks', html`<${Webhooks} webhooks=${webhooks} />`]);
  const [open, , content] = parts.find(([id]) => id === part) ?? parts[0] ?? [];
  return html`<${SandboxHead} shown=${shown} />
    <${ErrorLine} text=${error} />
    <nav class="tabs" aria-label="Parts of the sandbox">
      ${parts.map(
        ([id, title]) =>
          html`<a key=${id} href=${linkTo('sandboxes', id)} aria-current=${id === open ? 'page' : undefined}>${title}</a>`,
      )}
    </nav>
    <div key=${open}>${content}</div>`;
}

const nameField: Field = {
  name: '/name',
  label: 'Open another',
  placeholder: 'alice',
  isRequired: true,
  pattern: [
    /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/,
    'Enter 1 to 64 letters, digits, dots, hyphens and underscores.',
  ],
};

/** Shows the sandbox and its keys; opens another, or resets this one. */
function SandboxHead({ shown }: { readonly shown: Sandbox }): Html {
  const { call, sandbox, act, go } = useSession();
  const reset = (): void => void act(() => call('resetSandbox'), `${sandbox} is reset.`);
  return html`<div class="sandbox-head">
    <h1>Sandbox ${sandbox}</h1>
    ${
      shown.keys.length > 0 &&
      html`<details class="keys">
        <summary>${shown.keys.length === 1 ? 'Key' : 'Keys'}</summary>
        <ul>
          ${shown.keys.map(
            ({ key, plan }) => html`<li key=${key}>
              <code>${key}</code> <span class="soft">${plan}</span>
              <${CopyButton} text=${key} what=${`the key ${key}`} />
            </li>`,
          )}
        </ul>
      </details>`
    }
    <${Form}
      title="Open another sandbox"
      layout="row"
      fields=${[nameField]}
      submit=${['Open']}
      onSubmit=${async (body: { readonly name: string }) => go({ sandbox: body.name })}
    />
    <button type="button" class="danger" onClick=${() => confirm(`Reset everything in ${sandbox}, its snapshots and requests included?`) && reset()}>Reset this sandbox</button>
  </div>`;
}
