/** Runs what is to be done with each name in its order, one after another. */
export class KeyedQueues<Job> {
  readonly #work: (name: string, jobs: readonly Job[]) => Promise<void>;
  readonly #onIdle: (name: string) => void;
  /** What waits, by name; a name without an entry has nothing under way. */
  readonly #waiting = new Map<string, (Job | Hold)[]>();

  /**
   * `work`: does jobs that stand one after another together, and never rejects; `onIdle`: nothing
   * more is to be done with a name.
   */
  constructor(
    work: (name: string, jobs: readonly Job[]) => Promise<void>,
    onIdle: (name: string) => void,
  ) {
    this.#work = work;
    this.#onIdle = onIdle;
  }

  add(name: string, job: Job): void {
    this.#push(name, job);
  }

  /** Waits until it is the turn of all names; they are held until the function that it gives is called. */
  async take(names: readonly string[]): Promise<() => void> {
    const holds: Hold[] = [];
    // In one order for all, so that none waits for another that waits for it.
    for (const name of [...new Set(names)].toSorted()) {
      const hold = new Hold();
      holds.push(hold);
      this.#push(name, hold);
      await hold.begun;
    }
    return () => {
      for (const hold of holds) hold.end();
    };
  }

  #push(name: string, job: Job | Hold): void {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) {
      this.#waiting.set(name, [job]);
      void this.#drain(name);
    } else waiting.push(job);
  }

  async #drain(name: string): Promise<void> {
    for (;;) {
      // What comes in the same turn of the event loop is done together.
      await Promise.resolve();
      const waiting = this.#waiting.get(name) ?? [];
      const [first] = waiting;
      if (first === undefined) break;
      if (first instanceof Hold) {
        waiting.shift();
        await first.run();
        continue;
      }
      const end = waiting.findIndex((one) => one instanceof Hold);
      const jobs = waiting.splice(0, Math.min(mostTogether, end === -1 ? waiting.length : end));
      await this.#work(
        name,
        jobs.flatMap((job) => (job instanceof Hold ? [] : [job])),
      );
    }
    this.#waiting.delete(name);
    this.#onIdle(name);
  }
}

/** So many jobs are done together at most. */
const mostTogether = 256;

/** The time in which a name is held. */
class Hold {
  readonly #begin = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<void>();
  readonly begun = this.#begin.promise;

  run(): Promise<void> {
    this.#begin.resolve();
    return this.#end.promise;
  }

  end(): void {
    this.#end.resolve();
  }
}
