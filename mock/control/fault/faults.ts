import * as codec from '../../../contract/json/codec.ts';
import type { Contract } from '../../../contract/contract.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { createRandom } from '../../../contract/sample/random.ts';
import { documentedResponse } from '../../../contract/openapi/response.ts';
import { unknownName } from '../../../contract/error/unknown-name.ts';
import type { MockResponse } from '../../http/message.ts';
import { type Refusal, refuse } from '../../operation/response/refusal.ts';
import type { AppliedFault, FaultPlan, Sandbox } from '../../sandbox/sandbox.ts';
import { type Fault, type FaultRule, faultRule } from '../declaration/schemas.ts';

/** Injected faults of a sandbox. */
export const mostFaults = 1000;

const faultsState = codec.object({
  /** Faults that were ever added, for the next id. */
  count: codec.whole(0),
  active: codec.list(
    codec.object({
      id: codec.text,
      rule: faultRule,
      applied: codec.whole(0),
      /** Numbers that were drawn for it. */
      draws: codec.whole(0),
    }),
  ),
});

const effects = ['status', 'delay', 'connection', 'body', 'drip'] as const;

/** A fault with what it remembers. */
interface ActiveFault extends Readonly<Pick<Fault, 'id'>> {
  readonly rule: FaultRule;
  applied: number;
  /** Numbers that were drawn for it. */
  draws: number;
}

/** The faults of a sandbox. */
export function faultsOf(sandbox: Sandbox): Faults {
  if (sandbox.faults instanceof Faults) return sandbox.faults;
  const faults = new Faults(sandbox);
  sandbox.faults = faults;
  return faults;
}

/** The faults of one sandbox. Only the first that matches a request is applied. */
export class Faults implements FaultPlan {
  readonly #sandbox: Sandbox;
  readonly #active = new Map<string, ActiveFault>();
  #count = 0;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  get #contract(): Contract {
    return this.#sandbox.service.contract;
  }

  get all(): readonly Fault[] {
    return [...this.#active.values()].map(show);
  }

  get isEmpty(): boolean {
    return this.#active.size === 0;
  }

  /** Throws `PetstoreError` for an invalid fault. */
  add(wanted: FaultRule): Fault {
    if (this.#active.size >= mostFaults)
      throw new PetstoreError('fault', `A sandbox has at most ${mostFaults} faults.`);
    const rule = readRule(wanted, this.#contract);
    this.#count += 1;
    return this.#put({ id: `fault-${this.#count}`, rule, applied: 0, draws: 0 });
  }

  /**
   * Gives a fault another rule: its place and its number of uses stay. Undefined if there is none with
   * that id; throws as `add`.
   */
  edit(id: string, wanted: FaultRule): Fault | undefined {
    const known = this.#active.get(id);
    return known && this.#put({ ...known, rule: readRule(wanted, this.#contract) });
  }

  #put(active: ActiveFault): Fault {
    this.#active.set(active.id, active);
    return show(active);
  }

  /** False if there is none with that id. */
  remove(id: string): boolean {
    return this.#active.delete(id);
  }

  /** Rules and uses; undefined if there are none. */
  get state(): JsonObject | undefined {
    if (this.isEmpty) return undefined;
    return faultsState.render({ count: this.#count, active: [...this.#active.values()] });
  }

  /** Replaces its state. Throws `PetstoreError` for what is not a state. */
  restore(state: JsonValue | undefined): void {
    const { count, active } =
      state === undefined ? { count: 0, active: [] } : faultsState.read(state, '');
    this.#count = count;
    this.#active.clear();
    for (const one of active) this.#put(one);
  }

  next(operation: Operation | undefined): AppliedFault | undefined {
    for (const active of this.#active.values()) {
      const { operation: wanted, count = Number.POSITIVE_INFINITY, probability = 1 } = active.rule;
      const fits = active.applied < count && (wanted === undefined || wanted === operation?.id);
      if (!fits || draw(active) >= probability) continue;
      active.applied += 1;
      return applyFault(active, operation, this.#contract);
    }
    return undefined;
  }
}

function show({ id, rule, applied }: ActiveFault): Fault {
  return { id, ...rule, applied };
}

/** The next number of the series of a fault. */
function draw(active: ActiveFault): number {
  const random = createRandom(active.rule.seed ?? 1, active.draws);
  active.draws += 1;
  return random();
}

/** A valid rule, which the caller cannot change any more. */
function readRule(wanted: FaultRule, { operations }: Contract): FaultRule {
  const rule = faultRule.read(faultRule.render(wanted), '');
  if (effects.every((effect) => rule[effect] === undefined))
    throw new PetstoreError('fault', `A fault needs at least one of ${effects.join(', ')}.`);
  const known = operations.map(({ id }) => id);
  if (rule.operation !== undefined && !known.includes(rule.operation))
    throw unknownName('fault', 'operation', rule.operation, known);
  if (rule.delay !== undefined && rule.delay.from > rule.delay.to)
    throw new PetstoreError(
      'fault',
      'The delay must not have a "to" that is less than its "from".',
    );
  return rule;
}

function applyFault(
  active: ActiveFault,
  operation: Operation | undefined,
  contract: Contract,
): AppliedFault {
  const { id, rule } = active;
  const { delay } = rule;
  const wait =
    delay === undefined ? 0 : delay.from + Math.round(draw(active) * (delay.to - delay.from));
  return {
    refusal: rule.status === undefined ? undefined : refuseWith(rule.status, rule, contract),
    alter: (response) => alter(response, rule, wait),
    record: { id, effect: describeFault(rule), breaks: brokenRequirement(rule, operation) },
  };
}

const connectionEffects = {
  reset: 'connection reset',
  'reset-after-headers': 'connection reset after the headers',
  silence: 'no response',
} as const;

/** What it does, in words, for logs. */
function describeFault({ status, delay, connection, body, drip }: FaultRule): string {
  const described = [
    status === undefined ? undefined : `status ${status}`,
    delay && `delay of ${delay.from === delay.to ? '' : `${delay.from} to `}${delay.to} ms`,
    connection && connectionEffects[connection],
    body && `${body} body`,
    drip && `${drip.bytes} bytes every ${drip.milliseconds} ms`,
  ];
  return described.filter((effect) => effect !== undefined).join(', ');
}

function refuseWith(status: number, { retryAfter }: FaultRule, { rateLimit }: Contract): Refusal {
  const isOverLimit = status === rateLimit?.status;
  const seconds = retryAfter ?? (isOverLimit ? 1 : undefined);
  return refuse(
    isOverLimit ? 'rate_limited' : 'injected_fault',
    `Injected fault: status ${status}.`,
    { status, ...(seconds !== undefined && { facts: { retryAfter: seconds } }) },
  );
}

/** The requirement that a response with the fault breaks; undefined if it is only late. */
function brokenRequirement(
  { status, connection, body }: FaultRule,
  operation: Operation | undefined,
): string | undefined {
  if (connection !== undefined) return 'Every request gets a response.';
  if (body !== undefined) return 'The body is JSON that matches the documented schema.';
  if (status === undefined || operation === undefined) return undefined;
  return documentedResponse(operation, status) === undefined
    ? `${operation.id} does not document status ${status}.`
    : undefined;
}

function alter(
  response: MockResponse,
  { connection, body, drip }: FaultRule,
  wait: number,
): MockResponse {
  const half = response.body.length / 2;
  const isMalformed = body === 'malformed';
  const isLate = connection === 'reset-after-headers';
  const isTruncated = body === 'truncated';
  return {
    ...response,
    body: isMalformed ? `${response.body.slice(0, Math.ceil(half))}{"` : response.body,
    delivery: {
      delay: (response.delivery?.delay ?? 0) + wait,
      bytes: isLate ? 0 : isTruncated ? Math.floor(half) : undefined,
      end: isLate ? 'reset' : (connection ?? (isTruncated ? 'reset' : 'whole')),
      drip,
      content: isMalformed ? undefined : response.delivery?.content,
    },
  };
}
