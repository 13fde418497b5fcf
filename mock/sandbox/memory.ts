import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { mainSandbox } from './sandbox-name.ts';

/** Bytes of the items, snapshots and stubs of all sandboxes. */
export const mostMemory = 512 * 1024 * 1024;

/** A sandbox, as far as memory is concerned. */
interface Weighed {
  readonly name: string;
  /** Current memory in bytes. */
  readonly bytes: number;
  /** Inventories opened for reading are not stored. */
  isFull: boolean;
}

/**
 * Limits the memory of all sandboxes together: items, snapshots, stubs. One sandbox may use a
 * quarter, and all except `main` three quarters, because anybody can open them. Every change
 * touches its sandbox first, so only the last touched one has to be measured again.
 */
export class Memory {
  /** Bytes of all sandboxes together. */
  readonly most: number;
  /** Last measured memory of each sandbox. */
  readonly #weights = new Map<Weighed, number>();
  /** Removed sandboxes, which are ignored if somebody still holds and changes one. */
  readonly #gone = new WeakSet<Weighed>();
  /** The sandbox that may have changed since it was measured. */
  #last: Weighed | undefined;
  /** Last measured memory of all sandboxes, and of those other than `main`. */
  #all = 0;
  #others = 0;

  constructor(most: number = mostMemory) {
    this.most = most;
  }

  /** Memory of all sandboxes. */
  get bytes(): number {
    this.#weigh();
    return this.#all;
  }

  /** A request may change the sandbox. */
  touch(sandbox: Weighed): void {
    if (this.#last === sandbox || this.#gone.has(sandbox)) return;
    this.#weigh();
    this.#last = sandbox;
  }

  /**
   * Why a sandbox must not grow; undefined if it may. Removals add a tombstone, so they are refused
   * only at a quarter above the limit.
   */
  refuseGrowth(sandbox: Weighed, isRemoval = false): string | undefined {
    this.touch(sandbox);
    this.#weigh();
    const own = this.#weights.get(sandbox) ?? 0;
    const others = sandbox.name === mainSandbox ? 0 : this.#others;
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

  /** Throws `PetstoreError` if a sandbox must not grow. */
  admit(sandbox: Weighed): void {
    const refused = this.refuseGrowth(sandbox);
    if (refused !== undefined) throw new PetstoreError('memory', refused);
  }

  /** A sandbox was removed. */
  forget(sandbox: Weighed): void {
    this.#set(sandbox, 0);
    this.#weights.delete(sandbox);
    this.#gone.add(sandbox);
    if (this.#last === sandbox) this.#last = undefined;
  }

  #weigh(): void {
    if (this.#last !== undefined) this.#set(this.#last, this.#last.bytes);
  }

  #set(sandbox: Weighed, bytes: number): void {
    const more = bytes - (this.#weights.get(sandbox) ?? 0);
    this.#weights.set(sandbox, bytes);
    this.#all += more;
    if (sandbox.name !== mainSandbox) this.#others += more;
  }
}

function render(bytes: number): string {
  return `${Math.round((bytes * 10) / 2 ** 20) / 10} MiB`;
}
