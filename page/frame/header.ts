import { useState } from 'preact/hooks';
import type { Mock, Quota } from '../../mock/control/client.ts';
import { countOf } from '../view/count.ts';
import { html, type Html } from '../view/element.ts';
import { Conformance } from '../conformance/conformance.ts';
import { Select } from '../form/field-input.ts';
import { Reference } from '../reference/reference.ts';
import { Requests } from '../requests/requests.ts';
import { changedQuestions } from '../sandboxes/questions.ts';
import { Sandboxes } from '../sandboxes/sandboxes.ts';
import { describeClock, hasOwnTime } from '../session/clock.ts';
import { useLive, useSandboxes } from '../session/hooks.ts';
import { type Session, useSession } from '../session/session.ts';
import { Start } from '../start/start.ts';
/** The sections of the page, each under `#/<id>`. */
export const sections = [
  { id: 'start', title: 'Start', component: Start },
  { id: 'requests', title: 'Requests', component: Requests },
  { id: 'sandboxes', title: 'Sandboxes', component: Sandboxes },
  { id: 'reference', title: 'Reference', component: Reference },
  { id: 'tests', title: 'Tests', component: Conformance },
] as const;

/** The header of the page, in one row at any width: document, sections and sandbox. */
export function Header({ section }: { readonly section: string }): Html {
  const { mock, linkTo } = useSession();
  const { title, version } = mock.document;
  const [isOpen, setIsOpen] = useState(false);
  const shown = sections.find(({ id }) => id === section)?.title ?? '';
  const close = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setIsOpen(false);
  };
  return html`<header class="bar" onKeyDown=${close}>
    <p class="name"><strong>${title}</strong> <span>${version}</span></p>
    <button type="button" class="menu" aria-expanded=${isOpen} aria-controls="sections" onClick=${() => setIsOpen(!isOpen)}>
      <span class="visually-hidden">Menu: </span>${shown} <span aria-hidden="true">▾</span>
    </button>
    <nav id="sections" class=${isOpen ? 'open' : ''} aria-label="Sections">
      <ul>
        ${sections.map(
          ({ id, title: name }) => html`<li key=${id}>
            <a
              href=${linkTo(id)}
              aria-current=${id === section ? 'page' : undefined}
              onClick=${() => setIsOpen(false)}
            >${name}</a>
          </li>`,
        )}
      </ul>
    </nav>
    <${SandboxBadges} />
    <${SandboxPicker} />
  </header>`;
}

function SandboxPicker(): Html {
  const { sandbox, go } = useSession();
  const names = new Set([...useSandboxes().map(({ name }) => name), sandbox]);
  return html`<${Select}
    label="Sandbox"
    options=${[...names].map((name) => [name, name])}
    value=${sandbox}
    onValue=${(name: string) => go({ sandbox: name })}
  />`;
}

/** Everything that makes the selected sandbox respond differently from a new one. */
function SandboxBadges(): Html {
  const session = useSession();
  const { sandbox, linkTo } = session;
  const { value = [] } = useLive(
    ['clock', 'faults', 'stubs', 'choices', 'quotas', 'requests'],
    () => loadBadges(session),
  );
  if (value.length === 0) return null;
  return html`<p class="badges" aria-label=${`Changed in sandbox ${sandbox}`}>
    ${value.map(({ text, part }) => html`<a key=${text} class="badge" href=${linkTo('sandboxes', part)}>${text}</a>`)}
  </p>`;
}

/** The kinds of changes, each with a count and the page under Sandboxes that shows them. */
async function loadBadges({ call, mock }: Session) {
  const [shown, faults, stubs, choices, quotas] = await Promise.all([
    call('getSandbox'),
    call('listFaults'),
    call('listStubs'),
    call('readChoices'),
    call('listQuotas'),
  ]);
  const state = describeClock(Date.parse(shown.now), shown.frozen, Date.now());
  const limits = quotas.filter((quota) => isLimitChanged(quota, mock)).length;
  const active = faults.filter(({ applied, count = Infinity }) => applied < count).length;
  const answering = stubs.filter(({ applied, times = Infinity }) => applied < times).length;
  const changed = changedQuestions(mock.questions, choices).length;
  return [
    { text: `Clock ${state}`, count: Number(hasOwnTime(shown)), part: 'limits' },
    { text: countOf(limits, 'changed limit'), count: limits, part: 'limits' },
    { text: countOf(active, 'fault'), count: active, part: 'faults' },
    { text: countOf(answering, 'stub'), count: answering, part: 'faults' },
    { text: countOf(changed, 'choice'), count: changed, part: 'questions' },
  ].filter(({ count }) => count > 0);
}

/** The limits of a plan differ from those at the start, or its key is banned. */
function isLimitChanged({ plan, windows, bannedUntil }: Quota, { keys }: Mock): boolean {
  const usual = keys.find((one) => one.plan === plan)?.limits ?? [];
  const isOther = usual.some(
    ({ window, limit }) => windows.find(({ name }) => name === window)?.limit !== limit,
  );
  return isOther || bannedUntil !== undefined;
}
