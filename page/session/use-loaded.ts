import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

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

/** An error in a sentence for the page. */
export function describeError(error: unknown): string {
  if (error instanceof TypeError) return 'The mock does not respond.';
  return error instanceof Error ? error.message : String(error);
}
