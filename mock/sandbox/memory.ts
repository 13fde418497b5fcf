import { PetstoreError } from '../../contract/error/petstore-error.ts';

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

/** A sandbox may take this part of the whole, so that one that grows leaves room for others. */
const sandboxShare = 1 / 4;

/** All besides `main` may take this part: anybody may open them, and `main` has its own. */
const othersShare = 5 / 8;

/** As far as this those may grow that keep little: who has just come can work. */
const littleShare = 3 / 4;

/** A sandbox that keeps less than so many bytes keeps little. */
const little = 65_536;

/** What a request is about to do to a sandbox. */
export interface Change {
  readonly kind: 'addition' | 'removal';
  /** Bytes of what it adds, about. */
  readonly bytes: number;
}

/**
 * How much all sandboxes of a mock keep: items, snapshots, stubs. Whoever changes a sandbox touches it
 * first, so only the one that was touched last has to be weighed again.
 */
export class Memory {
  /** Bytes of all sandboxes together. */
  readonly most: number;
  /** Bytes that one sandbox may keep. */
  readonly mostInSandbox: number;
  /** What each was found to weigh. */
  readonly #weights = new Map<Weighed, number>();
  /** Those that are not kept: who still holds one may change it. */
  readonly #gone = new WeakSet<Weighed>();
  /** The one that may have changed since it was weighed. */
  #last: Weighed | undefined;
  /** Of `main`. */
  #mainBytes = 0;
  /** Of all others. */
  #othersBytes = 0;

  readonly #main: string;

  /** `main`: the name of the sandbox that has a part of its own. */
  constructor(main: string, most: number = mostMemory) {
    this.#main = main;
    this.most = most;
    this.mostInSandbox = Math.floor(most * sandboxShare);
  }

  /** What all sandboxes keep. */
  get bytes(): number {
    this.#weigh();
    return this.#mainBytes + this.#othersBytes;
  }

  /** A request is about to change the sandbox, or may be. */
  touch(sandbox: Weighed): void {
    if (this.#last === sandbox || this.#gone.has(sandbox)) return;
    this.#weigh();
    this.#last = sandbox;
  }

  /**
   * Why a sandbox may not grow, which it is about to do; undefined where it may. To remove something
   * may be noted, and so take some: it is refused only far beyond the bound.
   */
  refuseGrowth(sandbox: Weighed, change: Change = anyAddition): string | undefined {
    this.touch(sandbox);
    this.#weigh();
    const weight = this.#weights.get(sandbox) ?? 0;
    const isLittle = weight + change.bytes < little;
    const mostOfOthers = Math.floor(this.most * (isLittle ? littleShare : othersShare));
    const others = sandbox.name === this.#main ? 0 : this.#othersBytes;
    const isFull = others >= mostOfOthers || weight >= this.mostInSandbox;
    if (sandbox.isFull !== isFull) sandbox.isFull = isFull;
    if (!isFull) return undefined;
    const share = change.kind === 'removal' ? 1.25 : 1;
    if (others >= mostOfOthers * share)
      return `The sandboxes other than ${this.#main} are full: they use ${render(others)} of ${render(mostOfOthers)}. ${remedy}`;
    return weight < this.mostInSandbox * share
      ? undefined
      : `The sandbox ${sandbox.name} is full: it uses ${render(weight)} of ${render(this.mostInSandbox)}, a quarter of the memory of the mock. ${remedy}`;
  }

  /** Throws `PetstoreError` where a sandbox may not grow, which it is about to do. */
  admit(sandbox: Weighed): void {
    const refused = this.refuseGrowth(sandbox);
    if (refused !== undefined) throw new PetstoreError('memory', refused);
  }

  /** A sandbox is no longer kept. */
  forget(sandbox: Weighed): void {
    this.#grow(sandbox, -(this.#weights.get(sandbox) ?? 0));
    this.#weights.delete(sandbox);
    this.#gone.add(sandbox);
    if (this.#last === sandbox) this.#last = undefined;
  }

  #weigh(): void {
    if (this.#last === undefined) return;
    const { bytes } = this.#last;
    const before = this.#weights.get(this.#last) ?? 0;
    if (bytes === before) return;
    this.#grow(this.#last, bytes - before);
    this.#weights.set(this.#last, bytes);
  }

  #grow({ name }: Weighed, bytes: number): void {
    if (name === this.#main) this.#mainBytes += bytes;
    else this.#othersBytes += bytes;
  }
}

/** Of unknown size. */
const anyAddition: Change = { kind: 'addition', bytes: little };

const remedy =
  'Delete items, reset or delete sandboxes, or start the mock with a larger --max-memory.';

function render(bytes: number): string {
  return `${Math.round((bytes * 10) / 2 ** 20) / 10} MiB`;
}
