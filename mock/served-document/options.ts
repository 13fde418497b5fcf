import type { OptionNames } from '../../contract/error/api-arguments.ts';
import type { Clock } from '../sandbox/clock.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { BanOptions, LimitOptions } from '../rate-limit/plans.ts';
import type { SandboxOptions } from '../sandbox/sandbox.ts';
import type { Seed } from '../items/seed.ts';
import type { ChoiceIds } from '../sandbox/service.ts';
import type { StateEngine } from '../state/engine.ts';

export interface MockOptions extends BanOptions, SandboxOptions {
  /**
   * Items to start with; `{}` for none. Default: the inventory of the contract, else the examples of the
   * document.
   */
  readonly seed?: Seed;
  /**
   * The keys that are taken besides those that the mock prints: `business_shard-1`. Every other one is
   * refused, near misses too. Default: any key of the form that names a sandbox.
   */
  readonly keys?: readonly string[];
  readonly clock?: Clock;
  /** Choices for what the document leaves open: question id to choice id. */
  readonly choices?: ChoiceIds;
  /** Requests a window by plan, in place of the document's. */
  readonly limits?: LimitOptions;
  /** Keeps the sandboxes, for longer than the process or for others too. Default: its memory. */
  readonly state?: StateEngine;
  /** Called, a sentence each, with what the user should know of the state that is kept. */
  readonly onNotice?: (notice: string) => void;
  /** Called after each request. */
  readonly onEntry?: (entry: JournalEntry) => void;
  /** Called with a fault of the mock itself; the request is answered 500. */
  readonly onFault?: (fault: unknown) => void;
}

export const mockOptionNames = {
  seed: true,
  keys: true,
  clock: true,
  choices: true,
  limits: true,
  state: true,
  onNotice: true,
  onEntry: true,
  onFault: true,
  banAfter: true,
  banSeconds: true,
  sandboxes: true,
  journal: true,
  maxMemory: true,
} satisfies OptionNames<MockOptions>;
