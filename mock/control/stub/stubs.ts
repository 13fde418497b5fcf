import * as codec from '../../../contract/json/codec.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { entryBytes, valueBytes } from '../../items/store/item.ts';
import type { Call } from '../../operation/response/outcome.ts';
import type { Memory } from '../../sandbox/memory.ts';
import type { Sandbox, StubDecision, StubPlan } from '../../sandbox/sandbox.ts';
import type { Service } from '../../sandbox/service.ts';
import { type FileStub, type Stub, type StubRule, stubRule } from '../declaration/schemas.ts';
import { checkRule } from './check.ts';
import { type CompiledStub, compileStub } from './compiled-stub.ts';
import { ReceivedRequest } from './received-request.ts';
import { findWarnings } from './warnings.ts';

/** Stubs of a sandbox. */
export const mostStubs = 1000;

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

type ActiveStub = codec.TypeOf<typeof stubsState>['stubs'][number];

/** The state in which every scenario begins. */
const firstState = 'start';

/** The stubs of a sandbox; `memory` refuses more of them where the mock is full. */
export function stubsOf(sandbox: Sandbox, memory?: Memory): Stubs {
  if (sandbox.stubs instanceof Stubs) return sandbox.stubs;
  const stubs = new Stubs(sandbox, memory);
  sandbox.stubs = stubs;
  return stubs;
}

/** The stubs of one sandbox. The first that matches a request answers it alone. */
export class Stubs implements StubPlan {
  readonly #sandbox: Sandbox;
  readonly #memory: Memory | undefined;
  /** In the order in which they are tried. */
  #active: readonly ActiveStub[] = [];
  bytes = 0;
  #count = 0;
  #scenarios = new Map<string, string>();
  /** For one service: another document may come. */
  #compiled = new WeakMap<StubRule, CompiledStub>();
  #compiledFor: Service | undefined;

  constructor(sandbox: Sandbox, memory: Memory | undefined) {
    this.#sandbox = sandbox;
    this.#memory = memory;
  }

  /** In the order in which they are tried, used-up ones included, with what they break. */
  get all(): readonly Stub[] {
    return this.#active.map((one) => this.#show(one));
  }

  /** Adds one that is tried before the existing ones. Throws `PetstoreError`. */
  add(rule: StubRule): Stub {
    const [added] = this.addAll([rule]);
    // One rule is one stub.
    if (added === undefined) throw new TypeError('No stub was added.');
    return added;
  }

  /** Adds several, the first of them to be tried first. Throws `PetstoreError`, and then adds none. */
  addAll(rules: readonly StubRule[]): readonly Stub[] {
    const read = this.#read(rules);
    if (this.#active.length + read.length > mostStubs)
      throw new PetstoreError('stub', `A sandbox has at most ${mostStubs} stubs.`);
    const added = read.map((rule): ActiveStub => {
      this.#count += 1;
      return { id: `stub-${this.#count}`, rule, origin: 'control', applied: 0 };
    });
    this.#put([...added, ...this.#active]);
    return added.map((one) => this.#show(one));
  }

  /** Replaces all stubs. Throws `PetstoreError`, and then nothing changes. */
  replace(rules: readonly StubRule[]): readonly Stub[] {
    const read = this.#read(rules);
    this.clear();
    return this.addAll(read);
  }

  /**
   * Gives a stub another rule: its place among those of its priority and its number of uses stay.
   * Undefined if there is none with that id. Throws `PetstoreError`.
   */
  edit(id: string, changed: StubRule): Stub | undefined {
    const [rule] = this.#read([changed]);
    const known = this.#active.find((one) => one.id === id);
    if (known === undefined || rule === undefined) return undefined;
    const edited = { ...known, rule };
    this.#put(this.#active.map((one) => (one === known ? edited : one)));
    return this.#show(edited);
  }

  /** False if there is none with that id. */
  remove(id: string): boolean {
    this.#memory?.touch(this.#sandbox);
    const before = this.#active.length;
    this.#put(this.#active.filter((one) => one.id !== id));
    return this.#active.length < before;
  }

  clear(): void {
    this.#memory?.touch(this.#sandbox);
    this.restore(undefined);
  }

  /**
   * Replaces the stubs of the last file with those of another that are for this sandbox; they are
   * tried after all others of their priority. They are known to be valid, for a document that may
   * have changed.
   */
  useFile(stubs: readonly FileStub[]): void {
    const added = stubs
      .filter(({ sandbox = this.#sandbox.name }) => sandbox === this.#sandbox.name)
      .map(({ sandbox: _sandbox, ...rule }, index): ActiveStub => ({
        id: `file-${index + 1}`,
        rule,
        origin: 'file',
        applied: 0,
      }));
    this.#put([...this.#active.filter(isControlled), ...added]);
  }

  get isControlled(): boolean {
    return this.#active.some(isControlled);
  }

  /** Rules, uses and scenarios; undefined if there are none. */
  get state(): JsonObject | undefined {
    if (this.#active.length === 0) return undefined;
    return stubsState.render({
      stubs: this.#active,
      count: this.#count,
      scenarios: Object.fromEntries(this.#scenarios),
    });
  }

  /** Replaces its state. Throws `PetstoreError` for what is not a state. */
  restore(state: JsonValue | undefined): void {
    const { stubs, count, scenarios } =
      state === undefined ? { stubs: [], count: 0, scenarios: {} } : stubsState.read(state, '');
    this.#put(stubs);
    this.#count = count;
    this.#scenarios = new Map(Object.entries(scenarios));
  }

  /** The same, but the stubs of the file stay as they are. */
  restoreControlled(state: JsonValue | undefined): void {
    const ofFile = this.#active.filter((one) => !isControlled(one));
    this.restore(state);
    this.#put([...this.#active.filter(isControlled), ...ofFile]);
  }

  next(call: Call, operation: Operation | undefined): StubDecision | undefined {
    if (this.#active.length === 0) return undefined;
    const received = new ReceivedRequest(call, operation);
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

  /** Valid rules, which the caller cannot change any more. */
  #read(rules: readonly StubRule[]): readonly StubRule[] {
    const read = rules.map((rule) => stubRule.read(stubRule.render(rule), ''));
    for (const rule of read) checkRule(rule, this.#sandbox.service.contract);
    this.#memory?.admit(this.#sandbox);
    return read;
  }

  #put(stubs: readonly ActiveStub[]): void {
    this.#active = stubs.toSorted((a, b) => (b.rule.priority ?? 0) - (a.rule.priority ?? 0));
    this.bytes = stubs.reduce((sum, { rule }) => sum + ruleBytes(rule), 0);
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
    const { service } = this.#sandbox;
    if (this.#compiledFor !== service) this.#compiled = new WeakMap();
    this.#compiledFor = service;
    const known = this.#compiled.get(rule) ?? compileStub(rule, service);
    this.#compiled.set(rule, known);
    return known;
  }

  #show({ id, rule, origin, applied }: ActiveStub): Stub {
    const warnings = findWarnings(rule, this.#compile(rule), this.#sandbox.service.contract);
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

function missOf(id: string, reason: string): StubDecision {
  return {
    outcome: undefined,
    alter: (response) => response,
    record: { kind: 'missed', id, reason },
  };
}
