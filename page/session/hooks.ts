import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ControlEventData } from '../../mock/control/client.ts';
import { hasOwnTime } from './clock.ts';
import { describeError } from './describe-error.ts';
import type { Session } from './session.ts';
import type { Sandbox } from './types.ts';

/** What is loaded, why it could not be, and how to load it again. What was there stays meanwhile. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: string | undefined;
  readonly reload: () => void;
}

/** Loads something now, whenever `inputs` change, and when it is asked to. */
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
    const settle = (one: Value | undefined, failure: string | undefined): void => {
      if (own !== latest.current) return;
      if (failure === undefined) setValue(() => one);
      setError(failure);
    };
    load().then(
      (one) => settle(one, undefined),
      (failure: unknown) => settle(undefined, describeError(failure)),
    );
  }, inputs);
  useEffect(reload, [reload]);
  return { value, error, reload };
}

/** Something that is done when it is asked for, and why it could not be. */
export interface Action {
  /** True once it is done; false where it failed, and `error` says why. */
  readonly run: (task: () => Promise<unknown>) => Promise<boolean>;
  readonly fail: (message: string | undefined) => void;
  readonly error: string | undefined;
  readonly isBusy: boolean;
}

export function useAction(): Action {
  const [error, fail] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  return {
    error,
    fail,
    isBusy,
    async run(task) {
      setIsBusy(true);
      try {
        await task();
        fail(undefined);
        return true;
      } catch (reason) {
        fail(describeError(reason));
        return false;
      } finally {
        setIsBusy(false);
      }
    },
  };
}

/** Parts of a sandbox, as events name them; what its requests may change; and the runs of the mock. */
export type Part = ControlEventData['change']['parts'][number] | 'requests' | 'runs';

/** Many events in a moment are one reason to load again. */
const pause = 250;

/** Loads something of the chosen sandbox, and again once these parts of it have changed. */
export function useLive<Value>(
  session: Session,
  parts: readonly Part[],
  load: () => Promise<Value>,
  inputs: readonly unknown[] = [],
): Loaded<Value> {
  const loaded = useLoaded(load, [session.mock.instance, session.sandbox, ...inputs]);
  useRefresh(session, parts, loaded.reload);
  return loaded;
}

/** Loads again once these parts of the chosen sandbox have changed, or events may be missing. */
function useRefresh(session: Session, parts: readonly Part[], reload: () => void): void {
  const { events, sandbox } = session;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        reload();
      }, pause);
    };
    const names: readonly string[] = [...parts, 'sandbox'];
    const stops = [
      events.on('change', (change) => {
        if (change.sandbox === sandbox && change.parts.some((one) => names.includes(one)))
          refresh();
      }),
      events.on('exchanges', (exchanges) => {
        if (names.includes('requests') && exchanges.some((one) => one.sandbox === sandbox))
          refresh();
      }),
      events.on('run', () => names.includes('runs') && refresh()),
      events.on('dropped', refresh),
      events.on('hello', refresh),
      events.on('reload', refresh),
    ];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [events, sandbox, reload]);
}

/** A sandbox, and whether its clock was moved or frozen when it was read. */
export interface TimedSandbox extends Sandbox {
  readonly hasOwnTime: boolean;
}

/** All sandboxes, loaded again when one is new, or a clock is changed. */
export function useSandboxes({ control, events, mock }: Session): readonly TimedSandbox[] {
  const { value = [], reload } = useLoaded(
    async () =>
      (await control.call('listSandboxes', {})).map((sandbox) => ({
        ...sandbox,
        hasOwnTime: hasOwnTime(sandbox),
      })),
    [mock.instance],
  );
  const names = value.map(({ name }) => name);
  useEffect(() => {
    const stops = [
      events.on('exchanges', (exchanges) => {
        if (exchanges.some((one) => !names.includes(one.sandbox))) reload();
      }),
      events.on('change', ({ parts }) => {
        if (parts.includes('clock') || parts.includes('sandbox')) reload();
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [events, reload, names.join(' ')]);
  return value;
}
