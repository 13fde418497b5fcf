import * as codec from '../../../contract/json/codec.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { Contract } from '../../../contract/contract.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { unknownName } from '../../../contract/error/unknown-name.ts';
import { parsePointer } from '../../../contract/json/pointer.ts';
import { isFieldName } from '../../../contract/openapi/header.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { entryBytes, valueBytes } from '../../items/store/item.ts';
import type { Call } from '../../operation/response/outcome.ts';
import type { Memory } from '../../sandbox/memory.ts';
import type { Sandbox, StubDecision, StubPlan } from '../../sandbox/sandbox.ts';
import type { Service } from '../../sandbox/service.ts';
import {
  type FileStub,
  type Stub,
  type StubRequest,
  type StubResponse,
  type StubRule,
  stubRule,
} from '../declaration/schemas.ts';
import { CompiledStub, responsesOf } from './compiled-stub.ts';
import { ReceivedRequest } from './match.ts';
import { decodeBytes, exampleNames } from './respond.ts';

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

  get count(): number {
    return this.#active.length;
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
    return this.#add(this.#read(rules, this.count + rules.length));
  }

  /** Replaces all stubs; the first is tried first. Throws `PetstoreError`, and then nothing changes. */
  replace(rules: readonly StubRule[]): readonly Stub[] {
    const read = this.#read(rules, rules.length);
    this.clear();
    return this.#add(read);
  }

  #add(rules: readonly StubRule[]): readonly Stub[] {
    const added = rules.map((rule): ActiveStub => {
      this.#count += 1;
      return { id: `stub-${this.#count}`, rule, origin: 'control', applied: 0 };
    });
    this.#put([...added, ...this.#active]);
    return added.map((one) => this.#show(one));
  }

  /**
   * Gives a stub another rule: its place among those of its priority and its number of uses stay.
   * Undefined if there is none with that id. Throws `PetstoreError`.
   */
  edit(id: string, changed: StubRule): Stub | undefined {
    const [rule] = this.#read([changed], this.count);
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

  /** Valid rules, which the caller cannot change any more; `count`: stubs that there will be. */
  #read(rules: readonly StubRule[], count: number): readonly StubRule[] {
    if (count > mostStubs)
      throw new PetstoreError('stub', `A sandbox has at most ${mostStubs} stubs.`);
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
    const known = this.#compiled.get(rule) ?? new CompiledStub(rule, service);
    this.#compiled.set(rule, known);
    return known;
  }

  #show({ id, rule, origin, applied }: ActiveStub): Stub {
    return { id, ...rule, origin, applied, warnings: this.#compile(rule).warnings };
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

/** They frame a response, which is up to what carries it (RFC 9112 sections 6 and 9). */
const framing = [
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'trailer',
];

/** Throws `PetstoreError` for what the schema of a rule cannot express. */
function checkRule(rule: StubRule, contract: Contract): void {
  const { request = {}, response, responses } = rule;
  if (response === undefined && responses === undefined)
    throw stubError('A stub needs response or responses.');
  if (response !== undefined && responses !== undefined)
    throw stubError('A stub must not have both response and responses.');
  if (responses?.length === 0) throw stubError('responses must have at least one entry.');
  checkRequest(request, contract);
  for (const one of responsesOf(rule)) checkResponse(one, request, contract);
}

function checkRequest(
  { operation, method, path, headers = {}, body }: StubRequest,
  { operations }: Contract,
): void {
  const known = operations.map(({ id }) => id);
  if (operation !== undefined && !known.includes(operation))
    throw unknownName('stub', 'operation', operation, known);
  if (method !== undefined && !/^[A-Z][A-Z-]*$/.test(method))
    throw stubError(`The method must be in upper case, such as GET, not "${method}".`);
  if (path !== undefined && !/^\/[^?#]*$/.test(path))
    throw stubError(
      `The path must start with a slash and have no query, such as /pets/{petId}, not "${path}". Put the query into the member query.`,
    );
  Object.keys(headers).forEach(checkFieldName);
  Object.keys(body?.members ?? {}).forEach(checkPointer);
}

function checkResponse(
  response: StubResponse,
  { operation: id }: StubRequest,
  { operations }: Contract,
): void {
  const kinds = (['body', 'text', 'base64', 'example'] as const).filter(
    (kind) => response[kind] !== undefined,
  );
  if (kinds.length > 1) throw stubError(`A response can have only one of ${kinds.join(', ')}.`);
  const { base64, example, headers = {} } = response;
  if (base64 !== undefined && decodeBytes(base64) === undefined)
    throw stubError('base64 must be Base64 with padding (RFC 4648 section 4).');
  const operation = operations.find((one) => one.id === id);
  if (example !== undefined && operation !== undefined) {
    const names = exampleNames(operation);
    if (!names.includes(example))
      throw unknownName('stub', `example of ${operation.id}`, example, names);
  }
  for (const [name, value] of Object.entries(headers)) {
    checkFieldName(name);
    if (framing.includes(name.toLowerCase()))
      throw stubError(`A stub cannot set the header ${name}: the mock sets it for each response.`);
    if ([value].flat().some((one) => one !== null && /[\r\n]/.test(one)))
      throw stubError(`The header ${name} must be on one line.`);
  }
}

function checkFieldName(name: string): void {
  if (!isFieldName(name)) throw stubError(`${JSON.stringify(name)} is not a valid header name.`);
}

function checkPointer(pointer: string): void {
  try {
    if (pointer.startsWith('#')) throw new SyntaxError('of a document');
    parsePointer(pointer);
  } catch {
    throw stubError(`"${pointer}" is not a JSON pointer. Use one such as /name or /tags/0.`);
  }
}

function stubError(message: string): PetstoreError {
  return new PetstoreError('stub', message);
}
