import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ControlEvent, ControlEventData, Sandbox } from '../../mock/control/client.ts';
import { hasOwnTime } from './clock.ts';
import { describeError } from './describe-error.ts';
import { useSession } from './session.ts';

/**
 * A loaded value, the error of loading it, and a function to load it again. The previous value stays
 * meanwhile.
 */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: string | undefined;
  readonly reload: () => void;
}

/** Loads something now, whenever `inputs` change, and on request. */
export function useLoaded<Value>(
  load: () => Promise<Value>,
  inputs: readonly unknown[],
): Loaded<Value> {
  const [value, setValue] = useState<Value>();
  const [error, setError] = useState<string>();
  const latest = useRef(0);
  const reload = useCallback(() => {
    latest.current += 1;
    const own = latest.current;
    load().then(
      (loaded) => {
        if (own !== latest.current) return;
        setValue(() => loaded);
        setError(undefined);
      },
      (failure: unknown) => own === latest.current && setError(describeError(failure)),
    );
  }, inputs);
  useEffect(reload, [reload]);
  return { value, error, reload };
}

/** The dependencies of a value: parts of the sandbox, its requests, the runs of the mock. */
type Part = ControlEventData['change']['parts'][number] | 'requests' | 'runs';

/** Loads something from the selected sandbox, and again after a change of these parts. */
export function useLive<Value>(
  parts: readonly Part[],
  load: () => Promise<Value>,
  inputs: readonly unknown[] = [],
): Loaded<Value> {
  const { mock, sandbox } = useSession();
  const loaded = useLoaded(load, [mock.instance, sandbox, ...inputs]);
  const names: readonly string[] = [...parts, 'sandbox'];
  useRefresh((event) => {
    if (event.kind === 'change')
      return event.data.sandbox === sandbox && event.data.parts.some((one) => names.includes(one));
    if (event.kind === 'exchanges')
      return names.includes('requests') && event.data.some((one) => one.sandbox === sandbox);
    return event.kind !== 'run' || names.includes('runs');
  }, loaded.reload);
  return loaded;
}

/** Reloads after relevant events, at most once per quarter of a second. */
function useRefresh(isConcerned: (event: ControlEvent) => boolean, reload: () => void): void {
  const { events } = useSession();
  const latest = useRef(isConcerned);
  latest.current = isConcerned;
  const subscribe = (call: () => void) =>
    events.subscribe((event) => latest.current(event) && call());
  useThrottled(subscribe, reload, 250, [events]);
}

/** Runs something when a subscription calls: at once, and then at most every `pause` milliseconds. */
export function useThrottled(
  subscribe: (call: () => void) => () => void,
  run: () => void,
  pause: number,
  inputs: readonly unknown[],
): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isDue = false;
    const call = (): void => {
      isDue = timer !== undefined;
      if (isDue) return;
      latest.current();
      timer = setTimeout(() => {
        timer = undefined;
        if (isDue) call();
      }, pause);
    };
    const unsubscribe = subscribe(call);
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, inputs);
}

/** A sandbox, and whether its clock was moved or frozen when it was read. */
export interface TimedSandbox extends Sandbox {
  readonly hasOwnTime: boolean;
}

/** All sandboxes, reloaded when one is added or changed. */
export function useSandboxes(): readonly TimedSandbox[] {
  const { control, mock } = useSession();
  const { value = [], reload } = useLoaded(async () => {
    const sandboxes = await control.call('listSandboxes', {});
    return sandboxes.map((one) => ({ ...one, hasOwnTime: hasOwnTime(one) }));
  }, [mock.instance]);
  useRefresh(
    ({ kind, data }) =>
      kind === 'change' ||
      (kind === 'exchanges' && data.some((one) => value.every(({ name }) => name !== one.sandbox))),
    reload,
  );
  return value;
}
