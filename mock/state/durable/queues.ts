/** At most so many jobs run together. */
const mostTogether = 256;

/** Runs the jobs of each name in their order; jobs that wait at the same time run together. */
export class KeyedQueues<Job> {
  readonly #work: (name: string, jobs: readonly Job[]) => Promise<void>;
  readonly #onIdle: (name: string) => void;
  /** What waits, by name; a name without an entry has nothing under way. */
  readonly #waiting = new Map<string, (Job | Hold)[]>();

  /** `work` never rejects; `onIdle` is called when nothing more waits for a name. */
  constructor(
    work: (name: string, jobs: readonly Job[]) => Promise<void>,
    onIdle: (name: string) => void,
  ) {
    this.#work = work;
    this.#onIdle = onIdle;
  }

  add(name: string, job: Job | Hold): void {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) {
      this.#waiting.set(name, [job]);
      void this.#drain(name);
    } else waiting.push(job);
  }

  /** Resolves when it is the turn of all names. They are held until the returned function is called. */
  async take(names: readonly string[]): Promise<() => void> {
    const holds: Hold[] = [];
    // Everyone takes names in the same order, so that two never wait for each other.
    for (const name of [...new Set(names)].toSorted()) {
      const hold = new Hold();
      holds.push(hold);
      this.add(name, hold);
      await hold.begun.promise;
    }
    return () => {
      for (const { ended } of holds) ended.resolve();
    };
  }

  async #drain(name: string): Promise<void> {
    for (;;) {
      // Jobs that come in the same turn of the event loop run together.
      await Promise.resolve();
      const waiting = this.#waiting.get(name) ?? [];
      const [first] = waiting;
      if (first === undefined) break;
      if (first instanceof Hold) {
        waiting.shift();
        first.begun.resolve();
        await first.ended.promise;
        continue;
      }
      const jobs: Job[] = [];
      while (jobs.length < mostTogether) {
        const [next] = waiting;
        if (next === undefined || next instanceof Hold) break;
        jobs.push(next);
        waiting.shift();
      }
      await this.#work(name, jobs);
    }
    this.#waiting.delete(name);
    this.#onIdle(name);
  }
}

/** The time in which a name is held. */
class Hold {
  readonly begun = Promise.withResolvers<void>();
  readonly ended = Promise.withResolvers<void>();
}
