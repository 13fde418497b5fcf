import { CopyButton } from '../view/code.ts';
import { html, type Html } from '../view/element.ts';
import { ErrorLine } from '../form/error-line.ts';
import type { Field } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { type SandboxClock, createClock } from '../session/clock.ts';
import { useLive } from '../session/hooks.ts';
import { renderRoute } from '../session/route.ts';
import type { SectionProps, Session } from '../session/session.ts';
import type { Sandbox, Webhook } from '../session/types.ts';
import { ClockPanel } from './clock.ts';
import { Items } from './items.ts';
import { Limits } from './limits.ts';
import { AskButton } from './panel.ts';
import { Questions } from './questions.ts';
import { faultKind } from './fault.ts';
import { RulePanel } from './rule-panel.ts';
import { stubKind } from './stub.ts';
import { Snapshots } from './snapshots.ts';
import { Webhooks } from './webhooks.ts';

/** All that a sandbox holds, seen and changed, in pages of their own. */
export function Sandboxes({ session }: SectionProps): Html {
  return html`<div class="sandbox"><${ChosenSandbox} key=${session.sandbox} session=${session} /></div>`;
}

/** What the pages of a sandbox are made of. */
interface Loaded {
  readonly shown: Sandbox;
  readonly clock: SandboxClock;
  readonly hasCollections: boolean;
  readonly webhooks: readonly Webhook[];
}

/** A page under `#/sandboxes/<id>`. */
interface Part {
  readonly id: string;
  readonly title: string;
  /** Pages without content are left out. */
  readonly isShown?: (loaded: Loaded, session: Session) => boolean;
  readonly render: (session: Session, loaded: Loaded) => Html;
}

const parts: readonly Part[] = [
  {
    id: 'items',
    title: 'Items',
    isShown: ({ hasCollections }) => hasCollections,
    render: (session) => html`<${Items} session=${session} />`,
  },
  {
    id: 'faults',
    title: 'Faults and stubs',
    render: (session) => html`<div class="panels">
      <${RulePanel} session=${session} kind=${faultKind} />
      <${RulePanel} session=${session} kind=${stubKind} />
    </div>`,
  },
  {
    id: 'limits',
    title: 'Limits and clock',
    render: (session, { clock }) => html`<div class="panels">
      <${ClockPanel} session=${session} clock=${clock} />
      <${Limits} session=${session} clock=${clock} />
    </div>`,
  },
  {
    id: 'snapshots',
    title: 'Snapshots',
    render: (session, { shown }) =>
      html`<${Snapshots} session=${session} snapshots=${shown.snapshots} />`,
  },
  {
    id: 'questions',
    title: 'Questions',
    isShown: (_loaded, { mock }) => mock.questions.length > 0,
    render: (session) => html`<${Questions} session=${session} />`,
  },
  {
    id: 'webhooks',
    title: 'Webhooks',
    isShown: ({ webhooks }) => webhooks.length > 0,
    render: (session, { webhooks }) =>
      html`<${Webhooks} session=${session} webhooks=${webhooks} />`,
  },
];

function ChosenSandbox({ session }: { readonly session: Session }): Html {
  const { control, sandbox, part } = session;
  const { value, error } = useLive(
    session,
    ['clock', 'snapshots', 'requests'],
    async (): Promise<Loaded> => {
      const [shown, collections, webhooks] = await Promise.all([
        control.call('getSandbox', { sandbox }),
        control.call('listCollections', { sandbox }),
        control.call('listWebhooks', {}),
      ]);
      const clock = createClock(shown.now, shown.frozen, performance.now());
      return { shown, clock, hasCollections: collections.length > 0, webhooks };
    },
  );
  if (value === undefined)
    return html`<h1>Sandbox ${sandbox}</h1>
      <${ErrorLine} text=${error} />`;
  const offered = parts.filter(({ isShown }) => isShown?.(value, session) !== false);
  const open = offered.find(({ id }) => id === part) ?? offered[0];
  return html`<${SandboxHead} session=${session} shown=${value.shown} />
    <${ErrorLine} text=${error} />
    <nav class="tabs" aria-label="Parts of the sandbox">
      ${offered.map(
        ({ id, title }) =>
          html`<a key=${id} href=${renderRoute({ section: 'sandboxes', part: id, sandbox })} aria-current=${id === open?.id ? 'page' : undefined}>${title}</a>`,
      )}
    </nav>
    ${open !== undefined && html`<div key=${open.id}>${open.render(session, value)}</div>`}`;
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

/** Names the sandbox and the keys that open it; opens another, or resets this one. */
function SandboxHead({ session, shown }: { session: Session; shown: Sandbox }): Html {
  const { control, sandbox, act, go } = session;
  const reset = (): void =>
    void act(async () => await control.call('resetSandbox', { sandbox }), `${sandbox} is reset.`);
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
    <${AskButton} label="Reset this sandbox" question=${`Reset everything in ${sandbox}, its snapshots and requests included?`} onYes=${reset} />
  </div>`;
}
