import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { unknownName } from '../../../contract/error/unknown-name.ts';
import { parsePointer } from '../../../contract/json/pointer.ts';
import { isFieldName } from '../../../contract/openapi/header.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { Call } from '../../operation/response/outcome.ts';
import type { Memory } from '../../sandbox/memory.ts';
import type { RulePlan, Sandbox, StubEffect } from '../../sandbox/sandbox.ts';
import type { Service } from '../../sandbox/service.ts';
import {
  type FileStub,
  type Stub,
  type StubResponse,
  type StubRule,
  type StubWarning,
  stubRule,
} from '../declaration/schemas.ts';
import { type ActiveRule, Rules, ruleKind } from '../rule/rules.ts';
import { ReceivedRequest, findMiss } from './match.ts';
import { composeResponse, decodeBytes } from './respond.ts';
import { findBreaches, findWarnings } from './warnings.ts';

const kind = ruleKind('stub', stubRule);

/** The state in which every scenario begins. */
const firstState = 'start';

/** The stubs of a sandbox; `memory` refuses more of them if it is used up. */
export function stubsOf(sandbox: Sandbox, memory?: Memory): Stubs {
  if (sandbox.stubs instanceof Stubs) return sandbox.stubs;
  const stubs = new Stubs(sandbox, kind, memory);
  sandbox.stubs = stubs;
  return stubs;
}

interface StubWarnings {
  readonly service: Service;
  readonly warnings: readonly StubWarning[];
}

/** The stubs of one sandbox. The first that matches a request answers it alone. */
export class Stubs extends Rules<StubRule, Stub> implements RulePlan<StubEffect> {
  /** Finding the warnings of a thousand stubs takes seconds. Those of another document are found again. */
  readonly #warnings = new WeakMap<StubRule, StubWarnings>();

  /**
   * Replaces the stubs of the last file with those of a file that are for this sandbox; they are tried
   * after all others of their priority. They were validated, but perhaps for another document.
   */
  useFile(stubs: readonly FileStub[]): void {
    const { name } = this.sandbox;
    const added = stubs
      .filter(({ sandbox = name }) => sandbox === name)
      .map(({ sandbox: _sandbox, ...rule }, index): ActiveRule<StubRule> => ({
        id: `file-${index + 1}`,
        rule,
        origin: 'file',
        applied: 0,
      }));
    this.put([...this.active.filter(({ origin }) => origin !== 'file'), ...added]);
  }

  protected override put(stubs: readonly ActiveRule<StubRule>[]): void {
    super.put(stubs.toSorted((a, b) => (b.rule.priority ?? 0) - (a.rule.priority ?? 0)));
  }

  next(call: Call, operation: Operation | undefined): StubEffect | undefined {
    if (this.active.length === 0) return undefined;
    const { service } = this.sandbox;
    const received = new ReceivedRequest(call, operation);
    let missed: StubEffect | undefined;
    for (const kept of this.active) {
      const { id, rule, applied } = kept;
      const { request = {}, response = {}, responses = [response], scenario } = rule;
      if (applied >= (rule.times ?? Infinity) || !this.#isInState(scenario)) continue;
      const miss = findMiss(request, received, service.contract.basePath);
      if (miss === undefined) {
        kept.applied += 1;
        if (scenario?.to !== undefined) this.scenarios.set(scenario.name, scenario.to);
        const effect = composeResponse(responses[applied] ?? responses.at(-1) ?? {}, operation);
        const breaks = findBreaches(effect, operation, service);
        return { ...effect, record: { kind: 'applied', id, name: rule.name, breaks } };
      }
      if (miss !== '') missed ??= missOf(id, `${miss} does not match`);
    }
    return missed;
  }

  #isInState(scenario: StubRule['scenario']): boolean {
    if (scenario?.from === undefined) return true;
    return (this.scenarios.get(scenario.name) ?? firstState) === scenario.from;
  }

  protected show({ id, rule, origin = 'control', applied }: ActiveRule<StubRule>): Stub {
    const { service } = this.sandbox;
    const known = this.#warnings.get(rule);
    const isFresh = known?.service === service;
    const { warnings } = isFresh ? known : { warnings: findWarnings(rule, service) };
    if (!isFresh) this.#warnings.set(rule, { service, warnings });
    return { id, ...rule, origin, applied, warnings };
  }

  protected check({ request = {}, response, responses }: StubRule): void {
    const { operation, headers = {}, body } = request;
    const known = this.sandbox.service.contract.operations.map(({ id }) => id);
    if ((response === undefined) === (responses === undefined))
      throw stubError('A stub needs either response or responses.');
    if (operation !== undefined && !known.includes(operation))
      throw unknownName('stub', 'operation', operation, known);
    Object.keys(headers).forEach(checkFieldName);
    Object.keys(body?.members ?? {}).forEach(checkPointer);
    for (const one of responses ?? [response ?? {}]) checkResponse(one);
  }
}

function missOf(id: string, reason: string): StubEffect {
  return {
    outcome: undefined,
    alter: (response) => response,
    record: { kind: 'missed', id, reason },
  };
}

/** Header fields that frame a response; the server sets them (RFC 9112 sections 6 and 9). */
const framing = [
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'trailer',
];

function checkResponse(response: StubResponse): void {
  const { base64, headers = {} } = response;
  const kinds = (['body', 'text', 'base64', 'example'] as const).filter(
    (one) => response[one] !== undefined,
  );
  if (kinds.length > 1) throw stubError(`A response can have only one of ${kinds.join(', ')}.`);
  if (base64 !== undefined && decodeBytes(base64) === undefined)
    throw stubError('base64 must be Base64 with padding (RFC 4648 section 4).');
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
