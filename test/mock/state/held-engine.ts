import { PetstoreError } from '../../../contract/index.ts';
import type { StateEngine } from '../../../mock/state/engine.ts';

/** For tests: how an engine misbehaves. */
export interface Trouble {
  /** Of the next appends: `refused` does nothing, `unsure` appends, and both reject. */
  appends: ('refused' | 'unsure')[];
  isDown: boolean;
}

/** For tests: an engine over another, with trouble, and with waits between instances. */
export function createTroubledEngine(engine: StateEngine, trouble: Trouble): StateEngine {
  const check = async (): Promise<void> => {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (trouble.isDown) throw new PetstoreError('state', 'The engine is not reached.');
  };
  return {
    async load(sandbox) {
      await check();
      return await engine.load(sandbox);
    },
    async read(sandbox, version) {
      await check();
      return await engine.read(sandbox, version);
    },
    async append(sandbox, version, changes) {
      await check();
      const kind = trouble.appends.shift();
      if (kind === 'refused') throw new Error('The disk is full.');
      const appended = await engine.append(sandbox, version, changes);
      if (kind === 'unsure') throw new Error('The connection broke.');
      return appended;
    },
    async compact(sandbox, version, snapshot) {
      await check();
      await engine.compact(sandbox, version, snapshot);
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
