import type { JsonObject, JsonValue } from '../../../contract/index.ts';
import type { Memory } from '../../sandbox/memory/memory.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { type FileStub, type Stub, type StubRule, stubRule } from './stub.ts';
import { Stubs } from './stubs.ts';

/** Control over the stubs of one sandbox. What it changes holds from the next request on. */
export class StubControl {
  readonly #sandbox: Sandbox;
  readonly #memory: Memory | undefined;

  /** `memory`: what more stubs are refused by; none where nobody adds any. */
  constructor(sandbox: Sandbox, memory?: Memory) {
    this.#sandbox = sandbox;
    this.#memory = memory;
  }

  /** In the order in which they are tried, spent ones included, with what they break. */
  get all(): readonly Stub[] {
    return this.#stubs()?.all ?? [];
  }

  /** Adds one that is tried before those that there are. Throws `PetstoreError`. */
  add(rule: StubRule): Stub {
    const [added] = this.addAll([rule]);
    // One rule is one stub.
    if (added === undefined) throw new TypeError('No stub was added.');
    return added;
  }

  /** Adds several, the first of them to be tried first: all, or none where it throws `PetstoreError`. */
  addAll(rules: readonly StubRule[]): readonly Stub[] {
    const read = rules.map((rule) => stubRule.read(stubRule.render(rule), ''));
    this.#memory?.admit(this.#sandbox);
    return this.#change((stubs) => stubs.add(read));
  }

  /** Puts stubs in the place of all that there are. Throws `PetstoreError`, and then nothing changes. */
  replace(rules: readonly StubRule[]): readonly Stub[] {
    this.#memory?.admit(this.#sandbox);
    const fresh = new Stubs(() => this.#sandbox.service);
    const read = rules.map((rule) => stubRule.read(stubRule.render(rule), ''));
    const added = fresh.add(read);
    this.#sandbox.stubs = fresh.isEmpty ? undefined : fresh;
    return added;
  }

  /** Gives a stub another rule; undefined if there is none with that id. Throws `PetstoreError`. */
  edit(id: string, rule: StubRule): Stub | undefined {
    const read = stubRule.read(stubRule.render(rule), '');
    this.#memory?.admit(this.#sandbox);
    return this.#change((stubs) => stubs.edit(id, read));
  }

  /** False if there is none with that id. */
  remove(id: string): boolean {
    return this.#stubs() !== undefined && this.#change((stubs) => stubs.remove(id));
  }

  clear(): void {
    this.#memory?.touch(this.#sandbox);
    this.#sandbox.stubs = undefined;
  }

  /** Puts those of a file that are for this sandbox in the place of those of the file before. */
  useFile(stubs: readonly FileStub[]): void {
    const own = stubs.filter(
      ({ sandbox }) => sandbox === undefined || sandbox === this.#sandbox.name,
    );
    if (own.length === 0 && this.#stubs() === undefined) return;
    this.#change((all) => all.useFile(own.map(({ sandbox: _sandbox, ...rule }) => rule)));
  }

  /** Rules, uses and scenarios as JSON; undefined where there are no stubs. */
  get state(): JsonObject | undefined {
    return this.#sandbox.stubs?.state;
  }

  /** Puts the state of stubs in their place, as `state` gives it. Throws `PetstoreError`. */
  restore(state: JsonValue): void {
    this.#change((stubs) => stubs.restore(state));
  }

  #change<Result>(change: (stubs: Stubs) => Result): Result {
    this.#memory?.touch(this.#sandbox);
    const stubs = this.#stubs() ?? new Stubs(() => this.#sandbox.service);
    const result = change(stubs);
    this.#sandbox.stubs = stubs.isEmpty ? undefined : stubs;
    return result;
  }

  #stubs(): Stubs | undefined {
    const { stubs } = this.#sandbox;
    return stubs instanceof Stubs ? stubs : undefined;
  }
}
