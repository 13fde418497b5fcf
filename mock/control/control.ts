import {
  type Contract,
  type JsonObject,
  PetstoreError,
  codec,
  hashText,
  renderJson,
} from '../../contract/index.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type MockKey, listKeys } from '../sandbox/mock-keys.ts';
import type { MockRuntime, MockWatcher } from '../served-document/served-document.ts';
import { isSandboxName } from '../sandbox/sandbox-name.ts';
import { fillCollections } from '../items/control/item-collections.ts';
import { findHints } from './hint/find-hints.ts';
import { presentEntry } from './journal/exchange.ts';
import { SandboxControl } from './sandbox-control.ts';
import { type FileStub, type Hint, type Stub, exchange, fileStub } from './declaration/schemas.ts';
import { stubsOf } from './stub/stubs.ts';

/** Control over a mock from within its process: the control interface as methods. */
export interface Control {
  /** The document that is served now. */
  readonly contract: Contract;
  /** The keys of the sandbox `main`. */
  readonly keys: readonly MockKey[];
  /** Names, `main` first, then the least recently used. */
  readonly sandboxes: readonly string[];
  /** The sandbox with a name, a new one if need be. Throws `PetstoreError`. */
  sandbox(name: string): SandboxControl;
  /** As `sandbox`, but it does not count as used by this, and a new one is not kept. */
  look(name: string): SandboxControl;
  /** An entry of a journal as the interface shows it: the schema Exchange of its document. */
  present(entry: JournalEntry): JsonObject;
  /** What a developer may have meant, or overlooked, in a request. */
  hints(entry: JournalEntry): readonly Hint[];
  /** Names of the sandboxes, those included that are kept outside of the process. */
  names(): Promise<readonly string[]>;
  /**
   * Acts on sandboxes as they are now. Where their state is kept outside of the process, what has
   * changed when the act returns is kept before this resolves, and only here sandboxes may be
   * changed; the act is called again where others were faster. Rejects as the act throws, and with
   * `PetstoreError` where the state cannot be kept.
   */
  within<Value>(names: readonly string[], act: () => Value | Promise<Value>): Promise<Value>;
  /** Forgets a sandbox; `main` starts again instead. False if there was none. */
  forget(name: string): boolean;
  /**
   * Puts stubs into every sandbox, or into the one that each names, those of later sandboxes
   * included; they take the place of those of the last call. Gives them with what they break. Throws
   * `PetstoreError`, and then nothing changes.
   */
  useStubs(stubs: readonly FileStub[]): readonly Stub[];
  /**
   * Puts items into every sandbox, those of later sandboxes included, in the place of those of their
   * collections, by the path of the collection. It is for collections that no seed reaches, since
   * the document only hints at them; what does not fit is left out.
   */
  useItems(items: Readonly<Record<string, readonly JsonObject[]>>): void;
  /** Tells what happens from now on, until the function that it gives is called. */
  watch(watcher: MockWatcher): () => void;
}

/** Keeps what the methods of a control change. */
export interface Keeper extends Pick<Control, 'names' | 'within' | 'watch'> {
  /** An act of `within` is under way: what it changes is kept. */
  readonly isActing: boolean;
  /** What new sandboxes start with has changed: those in memory are read again before they are used. */
  invalidate(): void;
}

/** `keeper`: where the state is kept outside of the process. */
export function controlOf(runtime: MockRuntime, keeper?: Keeper): Control {
  const { sandboxes } = runtime;
  const look = (name: string): SandboxControl => new SandboxControl(runtime, sandboxes.peek(name));
  return {
    get contract() {
      return runtime.contract;
    },
    get keys() {
      return listKeys(runtime);
    },
    get sandboxes() {
      return sandboxes.all.map(({ name }) => name);
    },
    sandbox(name) {
      refuseUnkept(keeper);
      if (!isSandboxName(name))
        throw new PetstoreError(
          'sandbox',
          `"${name}" is not a valid sandbox name. Use up to 64 letters, digits, dots, underscores and hyphens.`,
        );
      return new SandboxControl(runtime, sandboxes.open(name));
    },
    look,
    present: (entry) => exchange.render(presentEntry(entry, look(entry.sandbox))),
    hints: (entry) => findHints(entry, look(entry.sandbox).contract),
    forget(name) {
      refuseUnkept(keeper);
      if (name !== sandboxes.main.name) return sandboxes.forget(name);
      new SandboxControl(runtime, sandboxes.main).reset();
      return true;
    },
    names: async () => (await keeper?.names()) ?? sandboxes.all.map(({ name }) => name),
    within: async (names, act) => await (keeper?.within(names, act) ?? act()),
    useStubs(stubs) {
      const initialize = (sandbox: Sandbox): void => {
        if (stubs.length > 0 || sandbox.stubs !== undefined)
          stubsOf(sandbox, sandboxes.memory).useFile(stubs);
      };
      const added = stubsOf(sandboxes.peek(' ')).replace(stubs);
      sandboxes.initializers.stubs = initialize;
      sandboxes.stubsDigest = `${hashText(renderJson(codec.list(fileStub).render(stubs)))}`;
      if (keeper === undefined) sandboxes.all.forEach(initialize);
      else keeper.invalidate();
      return added;
    },
    useItems(items) {
      const initialize = (sandbox: Sandbox): void => fillCollections(sandbox, items);
      sandboxes.initializers.items = initialize;
      if (keeper === undefined) sandboxes.all.forEach(initialize);
      else keeper.invalidate();
    },
    watch: (watcher) => (keeper ?? runtime).watch(watcher),
  };
}

function refuseUnkept(keeper: Keeper | undefined): void {
  if (keeper?.isActing === false)
    throw new PetstoreError('state', 'This change would not be stored.', {
      remedy: 'Change sandboxes with durable state inside `control.within`.',
    });
}
