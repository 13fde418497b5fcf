import { useState } from 'preact/hooks';
import { describeError } from '../../session/use-loaded.ts';

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
