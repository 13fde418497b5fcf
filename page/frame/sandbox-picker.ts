import { useEffect } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import type { Session } from '../session/session.ts';
import { useLoaded } from '../session/use-loaded.ts';

/** Chooses the sandbox that the page is about, among those that there are. */
export function SandboxPicker({ session }: { session: Session }): Html {
  const { control, events, sandbox, mock } = session;
  const { value = [], reload } = useLoaded(
    async () => (await control.call('listSandboxes', {})).map(({ name }) => name),
    [mock.instance],
  );
  useEffect(() => {
    const stops = [
      events.on('exchanges', (exchanges) => {
        if (exchanges.some((one) => !value.includes(one.sandbox))) reload();
      }),
      events.on('change', (change) => change.parts.includes('sandbox') && reload()),
    ];
    return () => stops.forEach((stop) => stop());
  }, [events, value.join(' ')]);
  const names = value.includes(sandbox) ? value : [...value, sandbox];
  return html`<label class="inline"
    >Sandbox
    <select value=${sandbox} onChange=${(event: Event) => session.go({ sandbox: valueOf(event) })}>
      ${names.map((name) => html`<option key=${name} value=${name} selected=${name === sandbox}>${name}</option>`)}
    </select>
  </label>`;
}

function valueOf({ target }: Event): string {
  return target instanceof HTMLSelectElement ? target.value : 'main';
}
