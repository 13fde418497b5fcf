import { useEffect } from 'preact/hooks';
import { hasOwnTime } from '../session/clock.ts';
import type { Session } from '../session/session.ts';
import type { Sandbox } from '../session/types.ts';
import { useLoaded } from '../session/use-loaded.ts';

/** A sandbox, and whether its time is another than that of this machine. */
export interface TimedSandbox {
  readonly sandbox: Sandbox;
  readonly hasOwnTime: boolean;
}

/** The sandboxes that there are, loaded again when a clock is moved or `names` has a new one. */
export function useSandboxes(
  { control, events, mock }: Session,
  names: ReadonlySet<string>,
): ReadonlyMap<string, TimedSandbox> {
  const { value = new Map(), reload } = useLoaded(async () => {
    const sandboxes = await control.call('listSandboxes', {});
    return new Map(
      sandboxes.map((sandbox) => [sandbox.name, { sandbox, hasOwnTime: hasOwnTime(sandbox) }]),
    );
  }, [mock.instance]);
  useEffect(
    () =>
      events.on('change', ({ parts }) => {
        if (parts.includes('clock') || parts.includes('sandbox')) reload();
      }),
    [events, reload],
  );
  const unknown = [...names].filter((name) => !value.has(name)).join(' ');
  useEffect(() => {
    if (unknown !== '') reload();
  }, [unknown, reload]);
  return value;
}
