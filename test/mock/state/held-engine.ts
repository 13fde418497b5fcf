import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import type { StateEngine } from '../../../mock/state/engine.ts';

/** For tests: how an engine misbehaves. */
export interface Trouble {
  /** For the next writes: `refused` does nothing, `unsure` writes, and both reject. */
  writes: ('refused' | 'unsure')[];
  isDown: boolean;
}

/** For tests: an engine around another one, with failures and with delays between instances. */
export function createTroubledEngine(engine: StateEngine, trouble: Trouble): StateEngine {
  const check = async (): Promise<void> => {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (trouble.isDown) throw new PetstoreError('state', 'The engine is not reached.');
  };
  return {
    async read(sandbox, after) {
      await check();
      return await engine.read(sandbox, after);
    },
    async write(write) {
      await check();
      const kind = trouble.writes.shift();
      if (kind === 'refused') throw new Error('The disk is full.');
      const isWritten = await engine.write(write);
      if (kind === 'unsure') throw new Error('The connection broke.');
      return isWritten;
    },
    async forget(sandbox) {
      await check();
      await engine.forget(sandbox);
    },
    async list() {
      await check();
      return await engine.list();
    },
    close: () => engine.close(),
  };
}
