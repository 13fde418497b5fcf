import * as codec from '../../../contract/json/codec.ts';
import { type JsonObject, type JsonValue, renderJson } from '../../../contract/json/value.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { entryBytes, textBytes } from '../../items/store/item.ts';
import type { Memory } from '../../sandbox/memory.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** Maximum number of faults, and of stubs, in a sandbox. */
export const maxRules = 1000;

/** A rule of a sandbox, with its state. */
export interface ActiveRule<Rule> {
  readonly id: string;
  readonly rule: Rule;
  /** Default: `control`. */
  readonly origin?: 'control' | 'file' | undefined;
  /** Requests that it was used for. */
  applied: number;
  /** Random numbers that were drawn for it. Default: 0. */
  draws?: number | undefined;
}

type RuleKind<Rule> = ReturnType<typeof ruleKind<Rule>>;

/** Faults or stubs: their name, and the codecs of one and of all. */
export function ruleKind<Rule>(noun: 'fault' | 'stub', rule: codec.Codec<Rule>) {
  const kept = codec.object({
    id: codec.text,
    rule,
    origin: codec.optional(codec.oneOf(['control', 'file'])),
    applied: codec.whole(0),
    draws: codec.optional(codec.whole(0)),
  });
  const state = codec.object({
    /** In the order in which they are tried. */
    active: codec.optional(codec.list(kept)),
    /** The same, as earlier versions stored stubs: the format of a state folder has not changed. */
    stubs: codec.optional(codec.list(kept)),
    /** Rules that were ever added, for the next id. */
    count: codec.whole(0),
    /** Scenarios that have left their first state. */
    scenarios: codec.optional(codec.map(codec.text)),
  });
  return { noun, rule, state };
}

/** The faults or the stubs of one sandbox. */
export abstract class Rules<Rule, Shown> {
  protected readonly sandbox: Sandbox;
  readonly #kind: RuleKind<Rule>;
  /** Refuses more rules if the memory of the mock is used up. */
  readonly #memory: Memory | undefined;
  /** In the order in which they are tried. */
  protected active: readonly ActiveRule<Rule>[] = [];
  protected readonly scenarios = new Map<string, string>();
  #count = 0;
  #bytes: number | undefined;

  constructor(sandbox: Sandbox, kind: RuleKind<Rule>, memory?: Memory) {
    this.sandbox = sandbox;
    this.#kind = kind;
    this.#memory = memory;
  }

  /** Throws `PetstoreError` for errors that the schema of a rule cannot express. */
  protected abstract check(rule: Rule): void;

  /** A rule as the control interface shows it. */
  protected abstract show(kept: ActiveRule<Rule>): Shown;

  /** In the order in which they are tried, used-up ones included. */
  get all(): readonly Shown[] {
    return this.active.map((one) => this.show(one));
  }

  get count(): number {
    return this.active.length;
  }

  /** Estimated memory of the rules as given and compiled. */
  get bytes(): number {
    const bytesOf = ({ rule }: ActiveRule<Rule>): number =>
      entryBytes + 2 * textBytes(renderJson(this.#kind.rule.render(rule)));
    return (this.#bytes ??= this.active.reduce((sum, one) => sum + bytesOf(one), 0));
  }

  /** Some were added by control, not by a file. */
  get isControlled(): boolean {
    return this.active.some(isControlled);
  }

  /** Adds one; a stub is tried before the existing ones. Throws `PetstoreError`. */
  add(rule: Rule): Shown {
    const [added] = this.addAll([rule]);
    // One rule is shown once.
    if (added === undefined) throw new TypeError('Nothing was added.');
    return added;
  }

  /** Adds several, the first of them to be tried first. Throws `PetstoreError`, and then adds none. */
  addAll(rules: readonly Rule[]): readonly Shown[] {
    return this.#add(this.#read(rules, this.count + rules.length));
  }

  /** Replaces all; the first is tried first. Throws `PetstoreError`, and then nothing changes. */
  replace(rules: readonly Rule[]): readonly Shown[] {
    const read = this.#read(rules, rules.length);
    this.clear();
    return this.#add(read);
  }

  #add(rules: readonly Rule[]): readonly Shown[] {
    const added = rules.map((rule): ActiveRule<Rule> => {
      this.#count += 1;
      return { id: `${this.#kind.noun}-${this.#count}`, rule, applied: 0 };
    });
    const { active } = this;
    this.put(this.#kind.noun === 'stub' ? [...added, ...active] : [...active, ...added]);
    return added.map((one) => this.show(one));
  }

  /**
   * Gives a rule another content: its place among those of its priority and its number of uses stay.
   * Undefined if there is none with that id. Throws `PetstoreError`.
   */
  edit(id: string, changed: Rule): Shown | undefined {
    const [rule] = this.#read([changed], this.count);
    const known = this.active.find((one) => one.id === id);
    if (known === undefined || rule === undefined) return undefined;
    const edited = { ...known, rule };
    this.put(this.active.map((one) => (one === known ? edited : one)));
    return this.show(edited);
  }

  /** False if there is none with that id. */
  remove(id: string): boolean {
    const before = this.count;
    this.put(this.active.filter((one) => one.id !== id));
    return this.count < before;
  }

  clear(): void {
    this.restore(undefined);
  }

  /** Rules, uses and scenarios; undefined if there are none. */
  get state(): JsonObject | undefined {
    const { active } = this;
    if (active.length === 0) return undefined;
    const scenarios = this.scenarios.size === 0 ? undefined : Object.fromEntries(this.scenarios);
    return this.#kind.state.render({ active, count: this.#count, scenarios });
  }

  /** Replaces all, or all except those of the file. Throws `PetstoreError` for an invalid state. */
  restore(state: JsonValue | undefined, keepsFile = false): void {
    const read = this.#kind.state.read(state ?? { count: 0 }, '');
    const { stubs = [], active = stubs, count, scenarios = {} } = read;
    const ofFile = this.active.filter((one) => !isControlled(one));
    this.put(keepsFile ? [...active.filter(isControlled), ...ofFile] : active);
    this.#count = count;
    this.scenarios.clear();
    for (const [name, one] of Object.entries(scenarios)) this.scenarios.set(name, one);
  }

  /** Validates and copies rules; `count`: the number of rules afterwards. */
  #read(rules: readonly Rule[], count: number): readonly Rule[] {
    const { noun, rule } = this.#kind;
    if (count > maxRules)
      throw new PetstoreError(noun, `A sandbox has at most ${maxRules} ${noun}s.`);
    const read = rules.map((one) => rule.read(rule.render(one), ''));
    for (const one of read) this.check(one);
    this.#memory?.admit(this.sandbox);
    return read;
  }

  protected put(rules: readonly ActiveRule<Rule>[]): void {
    this.active = rules;
    this.#bytes = undefined;
  }
}

function isControlled({ origin }: ActiveRule<unknown>): boolean {
  return origin !== 'file';
}
