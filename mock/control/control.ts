import * as codec from '../../contract/json/codec.ts';
import type { Contract } from '../../contract/contract.ts';
import { type JsonObject, type JsonValue, renderJson } from '../../contract/json/value.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { hashText } from '../../contract/sample/random.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import { type MockKey, listKeys } from '../sandbox/keyring.ts';
import { sandboxNamePattern } from './declaration/sandbox-name.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { MockRuntime, MockWatcher } from '../served-document/served-document.ts';
import { type FileStub, type Hint, type Stub, exchange, fileStub } from './declaration/schemas.ts';
import { findHints } from './hint/find-hints.ts';
import { presentEntry } from './journal/exchange.ts';
import { SandboxControl } from './sandbox-control.ts';
import { stubsOf } from './stub/stubs.ts';

/** Stores what a control changes, outside of the process. */
export interface ControlStore extends Pick<Control, 'names' | 'within' | 'watch'> {
  /** A call of `within` is under way: what it changes is stored. */
  readonly isActing: boolean;
  /** What new sandboxes start with has changed: those in memory are read again before they are used. */
  invalidate(): void;
}

/** Control over a mock from within its process: the control interface as methods. */
export class Control {
  readonly #runtime: MockRuntime;
  readonly #store: ControlStore | undefined;

  /** @internal `store`: if the state is stored outside of the process. */
  constructor(runtime: MockRuntime, store?: ControlStore) {
    this.#runtime = runtime;
    this.#store = store;
  }

  /** The document that is served now. */
  get contract(): Contract {
    return this.#runtime.service.contract;
  }

  /** The keys of the sandbox `main`. */
  get keys(): readonly MockKey[] {
    return listKeys(this.#runtime.service.contract, () => this.#runtime.service);
  }

  /** Names of the sandboxes in memory, `main` first, then the least recently used. */
  get sandboxes(): readonly string[] {
    return this.#runtime.sandboxes.all.map(({ name }) => name);
  }

  /** Names of all sandboxes, including those that are only stored. */
  async names(): Promise<readonly string[]> {
    return (await this.#store?.names()) ?? this.sandboxes;
  }

  /** The sandbox with a name, which is created if need be. Throws `PetstoreError`. */
  sandbox(name: string): SandboxControl {
    this.#refuseUnstored();
    if (!sandboxNamePattern.test(name))
      throw new PetstoreError(
        'sandbox',
        `"${name}" is not a valid sandbox name. Use up to 64 letters, digits, dots, underscores and hyphens.`,
      );
    return this.#control(this.#runtime.sandboxes.open(name));
  }

  /** The same, but it does not count as used, and a new one is not kept. */
  look(name: string): SandboxControl {
    return this.#control(this.#runtime.sandboxes.peek(name));
  }

  /** Removes a sandbox; `main` is reset instead. False if there was none. */
  forget(name: string): boolean {
    this.#refuseUnstored();
    const { sandboxes } = this.#runtime;
    if (name !== sandboxes.main.name) return sandboxes.forget(name);
    this.#control(sandboxes.main).reset();
    return true;
  }

  /**
   * Acts on sandboxes as they are now. If their state is stored outside of the process, they may only
   * be changed here: what has changed when the act returns is stored before this resolves. The act is
   * called again if another process was faster. Rejects as the act throws, and with `PetstoreError` if
   * the state cannot be stored.
   */
  async within<Value>(names: readonly string[], act: () => Value | Promise<Value>): Promise<Value> {
    return await (this.#store?.within(names, act) ?? act());
  }

  /** An entry of a journal as the interface shows it: an Exchange of its document. */
  present(entry: JournalEntry): JsonObject {
    return this.presenter(entry)();
  }

  /** @internal Presents an entry later, with its sandbox as it is now. */
  presenter(entry: JournalEntry): () => JsonObject {
    const sandbox = this.look(entry.sandbox);
    return () => exchange.render(presentEntry(entry, sandbox));
  }

  /** What may have been meant or overlooked in a request. */
  hints(entry: JournalEntry): readonly Hint[] {
    return findHints(entry, this.look(entry.sandbox).contract);
  }

  /** Reads the stubs of a file. @throws {PetstoreError} with code `shape` and the pointer of what is wrong */
  readStubs(value: JsonValue): readonly FileStub[] {
    return codec.list(fileStub).read(value, '');
  }

  /**
   * Puts stubs into every sandbox, also later ones, or into the one that a stub names. They replace
   * those of the last call. Returns them with their warnings. Throws `PetstoreError`, and then nothing
   * changes.
   */
  useStubs(stubs: readonly FileStub[]): readonly Stub[] {
    const { sandboxes } = this.#runtime;
    const added = stubsOf(sandboxes.peek(' ')).replace(stubs);
    sandboxes.stubsDigest = `${hashText(renderJson(codec.list(fileStub).render(stubs)))}`;
    const initialize = (sandbox: Sandbox): void => {
      if (stubs.length > 0 || sandbox.stubs !== undefined)
        stubsOf(sandbox, sandboxes.memory).useFile(stubs);
    };
    sandboxes.initialize = initialize;
    if (this.#store === undefined) sandboxes.all.forEach(initialize);
    else this.#store.invalidate();
    return added;
  }

  /** Reports what happens from now on, until the returned function is called. */
  watch(watcher: MockWatcher): () => void {
    return (this.#store ?? this.#runtime).watch(watcher);
  }

  #control(sandbox: Sandbox): SandboxControl {
    return new SandboxControl(this.#runtime, sandbox, (watcher) => this.watch(watcher));
  }

  #refuseUnstored(): void {
    if (this.#store?.isActing === false)
      throw new PetstoreError('state', 'This change would not be stored.', {
        remedy: 'Change sandboxes with durable state inside `control.within`.',
      });
  }
}
