/** A function that runs at once when it is called, and then not more often than every so many milliseconds. */
export interface Throttled {
  readonly call: () => void;
  /** Drops a run that is still due. */
  readonly stop: () => void;
}

export function throttle(run: () => void, pause: number): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  const call = (): void => {
    isDue = timer !== undefined;
    if (isDue) return;
    run();
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) call();
    }, pause);
  };
  return { call, stop: () => clearTimeout(timer) };
}
