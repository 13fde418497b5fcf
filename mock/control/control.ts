import { type JsonObject, PetstoreError } from '../../contract/index.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { MockRuntime } from '../served-document/served-document.ts';
import { isSandboxName } from '../sandbox/sandbox-name.ts';
import { type Hint, findHints } from './hint/find-hints.ts';
import { presentEntry } from './presentation.ts';
import { SandboxControl } from './sandbox-control.ts';

/** Control over a mock from within its process: the control interface as methods. */
export interface Control {
  /** Names, `main` first, then the least recently used. */
  readonly sandboxes: readonly string[];
  /** The sandbox with a name, a new one if need be. Throws `PetstoreError`. */
  sandbox(name: string): SandboxControl;
  /** As `sandbox`, but it does not count as used by this. */
  look(name: string): SandboxControl;
  /** An entry of a journal as the interface shows it: the schema Exchange of its document. */
  present(entry: JournalEntry): JsonObject;
  /** What a developer may have meant, or overlooked, in a request. */
  hints(entry: JournalEntry): readonly Hint[];
  /** Forgets a sandbox; `main` starts anew instead. False if there was none. */
  forget(name: string): boolean;
}

export function controlOf(runtime: MockRuntime): Control {
  const { sandboxes } = runtime;
  const look = (name: string): SandboxControl =>
    new SandboxControl(runtime, sandboxes.find(name) ?? sandboxes.main);
  return {
    get sandboxes() {
      return sandboxes.all.map(({ name }) => name);
    },
    sandbox(name) {
      if (!isSandboxName(name))
        throw new PetstoreError(
          'sandbox',
          `"${name}" can name no sandbox: up to 64 letters, digits, dots, underscores and hyphens can.`,
        );
      return new SandboxControl(runtime, sandboxes.open(name));
    },
    look,
    present: (entry) => presentEntry(entry, look(entry.sandbox)),
    hints: (entry) => findHints(entry, look(entry.sandbox).contract),
    forget(name) {
      if (name !== sandboxes.main.name) return sandboxes.forget(name);
      new SandboxControl(runtime, sandboxes.main).reset();
      return true;
    },
  };
}
