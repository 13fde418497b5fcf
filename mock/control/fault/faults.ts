import {
  type Contract,
  type Operation,
  PetstoreError,
  unknownName,
  type Random,
  createRandom,
  documentedResponse,
} from '../../../contract/index.ts';
import type { Delivery, MockResponse } from '../../http/message.ts';
import type { FaultPlan, AppliedFault } from '../../sandbox/fault-plan.ts';
import { type Refusal, refuse } from '../../operation/response/refusal.ts';
import { type Fault, type FaultRule, describeFault } from './fault.ts';

/** Injected faults of a sandbox. */
export const mostFaults = 1000;

/** A fault with what it remembers. */
interface ActiveFault {
  readonly id: string;
  readonly rule: FaultRule;
  readonly random: Random;
  applied: number;
  /** Numbers that were drawn for it. */
  draws: number;
}

/** Faults as they are, as a value that can be put back. */
export interface KeptFaults {
  /** How many were added, to tell the ids of others. */
  readonly count: number;
  readonly active: readonly {
    readonly id: string;
    readonly rule: FaultRule;
    readonly applied: number;
    readonly draws: number;
  }[];
}

/** Seconds: a hundred years. */
const mostRetryAfter = 3_153_600_000;

const effects = ['status', 'delay', 'connection', 'body', 'drip'] as const;

/** The faults of one sandbox. The first that fits a request is applied alone. */
export class Faults implements FaultPlan {
  readonly #contract: () => Contract;
  readonly #active = new Map<string, ActiveFault>();
  #count = 0;

  constructor(contract: () => Contract) {
    this.#contract = contract;
  }

  /** Throws `PetstoreError` for a fault without effect or for an unknown operation. */
  add(rule: FaultRule): Fault {
    if (this.#active.size >= mostFaults)
      throw new PetstoreError('fault', `A sandbox has at most ${mostFaults} faults.`);
    this.#check(rule);
    this.#count += 1;
    const active = createActive(`fault-${this.#count}`, rule);
    this.#active.set(active.id, active);
    return show(active);
  }

  /**
   * Gives a fault another rule: its place and its number of uses stay. Undefined if there is none with
   * that id; throws as `add`.
   */
  edit(id: string, rule: FaultRule): Fault | undefined {
    const known = this.#active.get(id);
    if (known === undefined) return undefined;
    this.#check(rule);
    const edited = createActive(id, rule, known);
    this.#active.set(id, edited);
    return show(edited);
  }

  #check(rule: FaultRule): void {
    if (effects.every((effect) => rule[effect] === undefined))
      throw new PetstoreError('fault', `A fault needs at least one of ${effects.join(', ')}.`);
    const known = this.#contract().operations.map(({ id }) => id);
    if (rule.operation !== undefined && !known.includes(rule.operation))
      throw unknownName('fault', 'operation', rule.operation, known);
    if (rule.delay !== undefined && rule.delay.from > rule.delay.to)
      throw new PetstoreError(
        'fault',
        'The delay must not have a "to" that is less than its "from".',
      );
    if (
      rule.retryAfter !== undefined &&
      !(rule.retryAfter >= 0 && rule.retryAfter <= mostRetryAfter)
    )
      throw new PetstoreError(
        'fault',
        `retryAfter must be from 0 to ${mostRetryAfter} seconds, not ${rule.retryAfter}.`,
      );
  }

  get kept(): KeptFaults {
    const active = [...this.#active.values()];
    return {
      count: this.#count,
      active: active.map(({ id, rule, applied, draws }) => ({ id, rule, applied, draws })),
    };
  }

  /** Becomes what was kept. */
  restore({ count, active }: KeptFaults): void {
    this.#count = count;
    this.#active.clear();
    for (const one of active) this.#active.set(one.id, createActive(one.id, one.rule, one));
  }

  /** False if there is none with that id. */
  remove(id: string): boolean {
    return this.#active.delete(id);
  }

  get all(): readonly Fault[] {
    return [...this.#active.values()].map(show);
  }

  next(operation: Operation | undefined): AppliedFault | undefined {
    for (const active of this.#active.values()) {
      const { operation: wanted, count = Number.POSITIVE_INFINITY, probability = 1 } = active.rule;
      const fits = active.applied < count && (wanted === undefined || wanted === operation?.id);
      if (!fits || active.random() >= probability) continue;
      active.applied += 1;
      return applyRule(active, operation, this.#contract());
    }
    return undefined;
  }
}

/** `used`: how often it was applied and drawn for before. */
function createActive(
  id: string,
  rule: FaultRule,
  used: Pick<ActiveFault, 'applied' | 'draws'> = { applied: 0, draws: 0 },
): ActiveFault {
  const random = createRandom(rule.seed ?? 1);
  const active: ActiveFault = {
    id,
    rule,
    applied: used.applied,
    draws: 0,
    random() {
      active.draws += 1;
      return random();
    },
  };
  while (active.draws < used.draws) active.random();
  return active;
}

function show({ id, rule, applied }: ActiveFault): Fault {
  return { id, ...rule, applied };
}

function applyRule(
  { id, rule, random }: ActiveFault,
  operation: Operation | undefined,
  contract: Contract,
): AppliedFault {
  const { delay } = rule;
  const wait =
    delay === undefined ? 0 : delay.from + Math.round(random() * (delay.to - delay.from));
  return {
    refusal: rule.status === undefined ? undefined : refuseWith(rule.status, rule, contract),
    alter: (response) => alter(response, rule, wait),
    record: { id, effect: describeFault(rule), breaks: brokenRequirement(rule, operation) },
  };
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

/** The requirement that a response with the fault breaks; undefined where it is only late. */
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
  const text =
    body === 'malformed'
      ? `${response.body.slice(0, Math.ceil(response.body.length / 2))}{"`
      : response.body;
  const isTruncated = body === 'truncated';
  const delivery: Delivery = {
    delay: (response.delivery?.delay ?? 0) + wait,
    bytes:
      connection === 'reset-after-headers'
        ? 0
        : isTruncated
          ? Math.floor(text.length / 2)
          : undefined,
    end:
      connection === 'reset-after-headers'
        ? 'reset'
        : (connection ?? (isTruncated ? 'reset' : 'whole')),
    drip,
    content: body === 'malformed' ? undefined : response.delivery?.content,
  };
  return { ...response, body: text, delivery };
}
