import { useEffect } from 'preact/hooks';
import { countOf } from '../../view/count.ts';
import { html, type Html } from '../../view/element.ts';
import { changedQuestions } from '../session/choices.ts';
import { hasOwnTime } from '../session/clock.ts';
import { renderRoute } from '../session/route.ts';
import type { Session } from '../session/session.ts';
import type { Exchange } from '../session/types.ts';
import { useLoaded } from '../session/use-loaded.ts';

/** What makes the chosen sandbox respond otherwise than a new one: its clock, faults, stubs and choices. */
export function SandboxBadges({ session }: { session: Session }): Html {
  const { control, events, sandbox, mock } = session;
  const { value = [], reload } = useLoaded(
    async () => await loadBadges(session),
    [control, sandbox, mock.instance],
  );
  useEffect(() => {
    const stops = [
      events.on('exchanges', (exchanges) => {
        // A fault or a stub that is limited to some requests is used up by them.
        if (exchanges.some((one) => one.sandbox === sandbox && isUsed(one))) reload();
      }),
      events.on('change', (change) => change.sandbox === sandbox && reload()),
    ];
    return () => stops.forEach((stop) => stop());
  }, [events, sandbox, reload]);
  if (value.length === 0) return null;
  return html`<a class="badges" href=${renderRoute({ section: 'sandboxes', sandbox })} title=${`See it under Sandboxes`}>
    ${value.map((text) => html`<span key=${text} class="badge">${text}</span>`)}
  </a>`;
}

async function loadBadges({ control, sandbox, mock }: Session): Promise<readonly string[]> {
  const [shown, faults, stubs, choices] = await Promise.all([
    control.call('getSandbox', { sandbox }),
    control.call('listFaults', { sandbox }),
    control.call('listStubs', { sandbox }),
    control.call('readChoices', { sandbox }),
  ]);
  const active = faults.filter(({ applied, count }) => count === undefined || applied < count);
  const open = stubs.filter(({ applied, times }) => times === undefined || applied < times);
  const others = changedQuestions(mock.questions, choices);
  return [
    ...(hasOwnTime(shown) ? [`clock ${shown.now.slice(0, 10)}`] : []),
    ...count(active.length, 'fault'),
    ...count(open.length, 'stub'),
    ...count(others.length, 'choice'),
  ];
}

function isUsed({ fault, stub }: Exchange): boolean {
  return fault !== undefined || stub !== undefined;
}

function count(number: number, name: 'fault' | 'stub' | 'choice'): readonly string[] {
  return number === 0 ? [] : [countOf(number, name)];
}
