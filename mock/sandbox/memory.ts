import type { Store } from '../items/store/store.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { mainSandbox } from '../control/declaration/sandbox-name.ts';

/** Bytes of the items, snapshots and stubs of all sandboxes. */
export const memoryLimit = 512 * 1024 * 1024;

/** A sandbox, as far as memory is concerned. */
interface Weighed {
  readonly name: string;
  /** Current memory in bytes. */
  readonly bytes: number;
  readonly store: Pick<Store, 'isFull'>;
}

/**
 * Limits the memory of all sandboxes together: items, snapshots, stubs. One sandbox may use a
 * quarter, and all except `main` three quarters, because anybody can open them.
 */
export class Memory {
  /** Bytes of all sandboxes together. */
  readonly most: number;
  readonly #list: () => readonly Weighed[];

  /** `list`: lists the sandboxes that are kept. */
  constructor(list: () => readonly Weighed[], most: number = memoryLimit) {
    this.#list = list;
    this.most = most;
  }

  /** Memory of all sandboxes. */
  get bytes(): number {
    return this.#list().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * Why a sandbox must not grow; undefined if it may. Removals add a tombstone, so they are refused
   * only at a quarter above the limit.
   */
  refuseGrowth(sandbox: Weighed, isRemoval = false): string | undefined {
    const { bytes: own } = sandbox;
    let others = 0;
    if (sandbox.name !== mainSandbox)
      for (const { name, bytes } of this.#list()) if (name !== mainSandbox) others += bytes;
    const isOver = (share: number): boolean =>
      own >= (share * this.most) / 4 || others >= (3 * share * this.most) / 4;
    const isFull = isOver(1);
    sandbox.store.isFull = isFull;
    if (!isFull || (isRemoval && !isOver(1.25))) return undefined;
    const [whose, used, most] =
      own >= this.most / 4
        ? [`The sandbox ${sandbox.name} is full: it uses`, own, this.most / 4]
        : [`The sandboxes other than main are full: they use`, others, (3 * this.most) / 4];
    return `${whose} ${render(used)} of ${render(most)}. Delete items, reset or delete sandboxes, or start the mock with a larger --max-memory.`;
  }

  /** Throws `PetstoreError` if a sandbox must not grow. */
  admit(sandbox: Weighed): void {
    const refused = this.refuseGrowth(sandbox);
    if (refused !== undefined) throw new PetstoreError('memory', refused);
  }
}

function render(bytes: number): string {
  return `${Math.round((bytes * 10) / 2 ** 20) / 10} MiB`;
}
