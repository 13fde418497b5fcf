import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { mainSandbox } from './sandbox-name.ts';

/** Bytes of the items, snapshots and stubs of all sandboxes. */
export const mostMemory = 512 * 1024 * 1024;

/** What is weighed: a sandbox. */
interface Weighed {
  readonly name: string;
  /** What it keeps, in bytes, now. */
  readonly bytes: number;
  /** What is read for the first time is not kept. */
  isFull: boolean;
}

/**
 * How much all sandboxes of a mock keep: items, snapshots, stubs. One sandbox may have a quarter, and all
 * besides `main` three quarters: anybody may open them. Whoever changes a sandbox touches it first, so
 * only the one that was touched last has to be weighed again.
 */
export class Memory {
  /** Bytes of all sandboxes together. */
  readonly most: number;
  /** What each was found to weigh. */
  readonly #weights = new Map<Weighed, number>();
  /** Those that are not kept: who still holds one may change it. */
  readonly #gone = new WeakSet<Weighed>();
  /** The one that may have changed since it was weighed. */
  #last: Weighed | undefined;

  constructor(most: number = mostMemory) {
    this.most = most;
  }

  /** What all sandboxes keep. */
  get bytes(): number {
    return this.#sum(() => true);
  }

  /** A request is about to change the sandbox, or may be. */
  touch(sandbox: Weighed): void {
    if (this.#last === sandbox || this.#gone.has(sandbox)) return;
    this.#weigh();
    this.#last = sandbox;
  }

  /**
   * Why a sandbox may not grow, which it is about to do; undefined if it may. A removal may be noted, and
   * so add a little: it is refused only a quarter beyond the bound.
   */
  refuseGrowth(sandbox: Weighed, isRemoval = false): string | undefined {
    this.touch(sandbox);
    const own = this.#sum((one) => one === sandbox);
    const others = sandbox.name === mainSandbox ? 0 : this.#sum(({ name }) => name !== mainSandbox);
    const isOver = (share: number): boolean =>
      own >= (share * this.most) / 4 || others >= (3 * share * this.most) / 4;
    const isFull = isOver(1);
    if (sandbox.isFull !== isFull) sandbox.isFull = isFull;
    if (!isFull || (isRemoval && !isOver(1.25))) return undefined;
    const [whose, used, most] =
      own >= this.most / 4
        ? [`The sandbox ${sandbox.name} is full: it uses`, own, this.most / 4]
        : [`The sandboxes other than main are full: they use`, others, (3 * this.most) / 4];
    return `${whose} ${render(used)} of ${render(most)}. Delete items, reset or delete sandboxes, or start the mock with a larger --max-memory.`;
  }

  /** Throws `PetstoreError` if a sandbox may not grow, which it is about to do. */
  admit(sandbox: Weighed): void {
    const refused = this.refuseGrowth(sandbox);
    if (refused !== undefined) throw new PetstoreError('memory', refused);
  }

  /** A sandbox is no longer kept. */
  forget(sandbox: Weighed): void {
    this.#weights.delete(sandbox);
    this.#gone.add(sandbox);
    if (this.#last === sandbox) this.#last = undefined;
  }

  #weigh(): void {
    if (this.#last !== undefined) this.#weights.set(this.#last, this.#last.bytes);
  }

  #sum(isCounted: (sandbox: Weighed) => boolean): number {
    this.#weigh();
    let sum = 0;
    for (const [sandbox, bytes] of this.#weights) if (isCounted(sandbox)) sum += bytes;
    return sum;
  }
}

function render(bytes: number): string {
  return `${Math.round((bytes * 10) / 2 ** 20) / 10} MiB`;
}
