import { type StateEngine, nextVersion } from '../../../mock/state/engine.ts';

/** For tests: a client of an engine with one sandbox at some version. */
export class StoredCopy {
  readonly sandbox: string;
  version: string | undefined;
  readonly #engine: StateEngine;
  #parts = new Map<string, string>();

  constructor(engine: StateEngine, sandbox: string) {
    this.#engine = engine;
    this.sandbox = sandbox;
  }

  get texts(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#parts);
  }

  async catchUp(): Promise<void> {
    const { version, isWhole, parts } = await this.#engine.read(this.sandbox, this.version);
    if (isWhole) this.#parts = new Map();
    this.#put(parts);
    this.version = version;
  }

  /** False if others wrote first. */
  async write(texts: Readonly<Record<string, string | undefined>>): Promise<boolean> {
    const parts = new Map(Object.entries(texts));
    const next = nextVersion(this.version);
    const write = { sandbox: this.sandbox, after: this.version, next, parts };
    if (!(await this.#engine.write(write))) return false;
    this.#put(parts);
    this.version = next;
    return true;
  }

  #put(parts: ReadonlyMap<string, string | undefined>): void {
    for (const [name, text] of parts)
      if (text === undefined) this.#parts.delete(name);
      else this.#parts.set(name, text);
  }
}
