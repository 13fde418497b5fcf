import {
  type JsonObject,
  type JsonValue,
  type Operation,
  PetstoreError,
  codec,
} from '../../../contract/index.ts';
import type { Call } from '../../operation/response/outcome.ts';
import type { Service } from '../../sandbox/service.ts';
import type { StubDecision, StubPlan } from '../../sandbox/stub/stub-plan.ts';
import { readReceived } from './received-request.ts';
import { checkRule } from './check.ts';
import { type CompiledStub, compileStub } from './compiled-stub.ts';
import { type Stub, type StubOrigin, type StubRule, stubRule } from './stub.ts';
import { findWarnings } from './warnings.ts';
import { entryBytes, valueBytes } from '../../items/store/weight.ts';

/** Stubs of a sandbox. */
export const mostStubs = 1000;

/** A stub with what it remembers. */
interface ActiveStub {
  readonly id: string;
  readonly rule: StubRule;
  readonly origin: StubOrigin;
  readonly applied: number;
}

const stubsState = codec.object({
  /** In the order in which they are tried. */
  stubs: codec.list(
    codec.object({
      id: codec.text,
      rule: stubRule,
      origin: codec.oneOf(['control', 'file']),
      applied: codec.whole(0),
    }),
  ),
  /** Stubs that were ever added, for the next id. */
  count: codec.whole(0),
  /** Scenarios that have left their first state. */
  scenarios: codec.map(codec.text),
});

/** The state in which every scenario begins. */
const firstState = 'start';

/** The stubs of one sandbox. The first that is for a request answers it alone. */
export class Stubs implements StubPlan {
  readonly #service: () => Service;
  /** In the order in which they are tried. */
  #active: readonly ActiveStub[] = [];
  #bytes = 0;
  #count = 0;
  readonly #scenarios = new Map<string, string>();
  /** For one service: another document may come. */
  #compiled = new WeakMap<StubRule, CompiledStub>();
  #compiledFor: Service | undefined;

  constructor(service: () => Service) {
    this.#service = service;
  }

  /**
   * Adds stubs, which are tried before those of the same priority that there are, the first of them
   * first. Throws `PetstoreError` for one that makes no sense, and then adds none.
   */
  add(rules: readonly StubRule[]): readonly Stub[] {
    for (const rule of rules) checkRule(rule, this.#service().contract);
    if (this.#active.length + rules.length > mostStubs)
      throw new PetstoreError('stub', `A sandbox has at most ${mostStubs} stubs.`);
    const added = rules.map((rule): ActiveStub => {
      this.#count += 1;
      return { id: `stub-${this.#count}`, rule, origin: 'control', applied: 0 };
    });
    this.#put([...added, ...this.#active]);
    return added.map((one) => this.#show(one));
  }

  /**
   * Gives a stub another rule: its place among those of its priority and its number of uses stay.
   * Undefined if there is none with that id; throws `PetstoreError` for a rule that makes no sense.
   */
  edit(id: string, rule: StubRule): Stub | undefined {
    const known = this.#active.find((one) => one.id === id);
    if (known === undefined) return undefined;
    checkRule(rule, this.#service().contract);
    const edited = { ...known, rule };
    this.#put(this.#active.map((one) => (one === known ? edited : one)));
    return this.#show(edited);
  }

  /**
   * Puts those of a file in the place of those of the file before; they are tried after all others
   * of their priority. They were found to make sense, by a document that may have changed.
   */
  useFile(rules: readonly StubRule[]): void {
    const added = rules.map((rule, index): ActiveStub => ({
      id: `file-${index + 1}`,
      rule,
      origin: 'file',
      applied: 0,
    }));
    this.#put([...this.#active.filter(isControlled), ...added]);
  }

  /** False if there is none with that id. */
  remove(id: string): boolean {
    const before = this.#active.length;
    this.#put(this.#active.filter((one) => one.id !== id));
    return this.#active.length < before;
  }

  /** In the order in which they are tried, spent ones included. */
  get all(): readonly Stub[] {
    return this.#active.map((one) => this.#show(one));
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isControlled(): boolean {
    return this.#active.some(isControlled);
  }

  get isEmpty(): boolean {
    return this.#active.length === 0;
  }

  get state(): JsonObject {
    return stubsState.render({
      stubs: this.#active,
      count: this.#count,
      scenarios: Object.fromEntries(this.#scenarios),
    });
  }

  /** Takes a state in the place of its own. Throws `PetstoreError` for what is none. */
  restore(state: JsonValue): void {
    const { stubs, count, scenarios } = stubsState.read(state, '');
    this.#put(stubs);
    this.#count = count;
    this.#scenarios.clear();
    for (const [name, at] of Object.entries(scenarios)) this.#scenarios.set(name, at);
  }

  next(call: Call, operation: Operation | undefined): StubDecision | undefined {
    const received = readReceived(call, operation);
    let missed: StubDecision | undefined;
    for (const active of this.#active) {
      const { id, rule, applied } = active;
      const { times = Number.POSITIVE_INFINITY, scenario } = rule;
      const stub = this.#compile(rule);
      if (applied >= times || !stub.isNear(received) || !this.#isInState(scenario)) continue;
      const reason = stub.explainMiss(received);
      if (reason === undefined) return this.#apply(active, stub, operation);
      if (stub.isSpecific) missed ??= missOf(id, reason);
    }
    return missed;
  }

  #put(stubs: readonly ActiveStub[]): void {
    this.#active = sort(stubs);
    this.#bytes = stubs.reduce((sum, { rule }) => sum + ruleBytes(rule), 0);
  }

  #apply(active: ActiveStub, stub: CompiledStub, operation: Operation | undefined): StubDecision {
    const { id, rule, applied } = active;
    this.#active = this.#active.map((one) =>
      one === active ? { ...one, applied: applied + 1 } : one,
    );
    const { name, to } = rule.scenario ?? {};
    if (name !== undefined && to !== undefined) this.#scenarios.set(name, to);
    const answer = stub.answer(applied, operation);
    const breaks = answer.warnings.map(({ message }) => message);
    return { ...answer, record: { kind: 'applied', id, name: rule.name, breaks } };
  }

  #isInState(scenario: StubRule['scenario']): boolean {
    if (scenario?.from === undefined) return true;
    return (this.#scenarios.get(scenario.name) ?? firstState) === scenario.from;
  }

  #compile(rule: StubRule): CompiledStub {
    const service = this.#service();
    if (this.#compiledFor !== service) this.#compiled = new WeakMap();
    this.#compiledFor = service;
    const known = this.#compiled.get(rule) ?? compileStub(rule, service);
    this.#compiled.set(rule, known);
    return known;
  }

  #show({ id, rule, origin, applied }: ActiveStub): Stub {
    const warnings = findWarnings(rule, this.#compile(rule), this.#service().contract);
    return { id, ...rule, origin, applied, warnings };
  }
}

/** What a rule costs: as it was given, and compiled. */
function ruleBytes(rule: StubRule): number {
  return entryBytes + 2 * valueBytes(stubRule.render(rule));
}

function isControlled({ origin }: ActiveStub): boolean {
  return origin === 'control';
}

/** The order in which they are tried; of one priority as they stand. */
function sort(stubs: readonly ActiveStub[]): readonly ActiveStub[] {
  return stubs.toSorted((a, b) => (b.rule.priority ?? 0) - (a.rule.priority ?? 0));
}

function missOf(id: string, reason: string): StubDecision {
  return {
    outcome: undefined,
    alter: (response) => response,
    record: { kind: 'missed', id, reason },
  };
}
