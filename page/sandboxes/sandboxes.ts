import { html, type Html } from '../../view/element.ts';
import type { SectionProps, Session } from '../session/session.ts';
import { useLoaded } from '../session/use-loaded.ts';
import { ClockPanel } from './clock/clock-panel.ts';
import { createClock } from './clock/time.ts';
import { Faults } from './fault/faults.ts';
import { Items } from './items/items.ts';
import { ErrorLine } from './panel/panel.ts';
import { useRefresh } from './panel/use-refresh.ts';
import { Questions } from './question/questions.ts';
import { Quotas } from './quota/quotas.ts';
import { SandboxHead } from './sandbox-head.ts';
import { Stubs } from './stub/stubs.ts';
import { Snapshots } from './snapshot/snapshots.ts';
import { Webhooks } from './webhook/webhooks.ts';

/** All that a sandbox holds, seen and changed: items, quotas, time, faults, stubs, choices. */
export function Sandboxes({ session }: SectionProps): Html {
  return html`<div class="sandbox"><${ChosenSandbox} key=${session.sandbox} session=${session} /></div>`;
}

function ChosenSandbox({ session }: { readonly session: Session }): Html {
  const { control, sandbox, mock } = session;
  const { value, error, reload } = useLoaded(async () => {
    const shown = await control.call('getSandbox', { sandbox });
    return { shown, clock: createClock(shown.now, shown.frozen, performance.now()) };
  }, [mock.instance, sandbox]);
  useRefresh(session, ['clock', 'snapshots', 'requests'], reload);
  if (value === undefined)
    return html`<h1>Sandbox ${sandbox}</h1>
      <${ErrorLine} text=${error} />`;
  const { shown, clock } = value;
  return html`<${SandboxHead} session=${session} shown=${shown} clock=${clock} reload=${reload} />
    <${ErrorLine} text=${error} />
    <div class="panels">
      <${Items} session=${session} />
      <div class="panels-narrow">
        <${ClockPanel} session=${session} clock=${clock} reload=${reload} />
        <${Quotas} session=${session} clock=${clock} />
        <${Faults} session=${session} />
        <${Stubs} session=${session} />
        <${Snapshots} session=${session} shown=${shown} reload=${reload} />
      </div>
      <${Questions} session=${session} />
      <${Webhooks} session=${session} />
    </div>`;
}
