import type { Contract } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { createRandom } from '../../../contract/sample/random.ts';
import { documentedResponse } from '../../../contract/openapi/response.ts';
import { unknownName } from '../../../contract/error/unknown-name.ts';
import type { MockResponse } from '../../http/message.ts';
import type { Call } from '../../operation/response/outcome.ts';
import { type Refusal, refuse } from '../../operation/response/refusal.ts';
import type { FaultEffect, RulePlan, Sandbox } from '../../sandbox/sandbox.ts';
import { type Fault, type FaultRule, faultRule } from '../declaration/schemas.ts';
import { type ActiveRule, Rules, ruleKind } from '../rule/rules.ts';

const kind = ruleKind('fault', faultRule);

const effects = ['status', 'delay', 'connection', 'body', 'drip'] as const;

/** The faults of a sandbox. */
export function faultsOf(sandbox: Sandbox): Faults {
  if (sandbox.faults instanceof Faults) return sandbox.faults;
  const faults = new Faults(sandbox, kind);
  sandbox.faults = faults;
  return faults;
}

/** The faults of one sandbox. Only the first that matches a request is applied. */
export class Faults extends Rules<FaultRule, Fault> implements RulePlan<FaultEffect> {
  protected show({ id, rule, applied }: ActiveRule<FaultRule>): Fault {
    return { id, ...rule, applied };
  }

  protected check(rule: FaultRule): void {
    const { operation, delay } = rule;
    if (effects.every((effect) => rule[effect] === undefined))
      throw new PetstoreError('fault', `A fault needs at least one of ${effects.join(', ')}.`);
    const known = this.sandbox.service.contract.operations.map(({ id }) => id);
    if (operation !== undefined && !known.includes(operation))
      throw unknownName('fault', 'operation', operation, known);
    if (delay !== undefined && delay.from > delay.to)
      throw new PetstoreError(
        'fault',
        'The delay must not have a "to" that is less than its "from".',
      );
  }

  next(_call: Call, operation: Operation | undefined): FaultEffect | undefined {
    for (const kept of this.active) {
      const { rule, applied, draws = 0 } = kept;
      const { operation: wanted, count = Number.POSITIVE_INFINITY, probability = 1, delay } = rule;
      if (applied >= count || (wanted !== undefined && wanted !== operation?.id)) continue;
      // The next numbers of the series of the fault: whether it applies, and for how long.
      const random = createRandom(rule.seed ?? 1, draws);
      kept.draws = draws + 1;
      if (random() >= probability) continue;
      const wait = delay && delay.from + Math.round(random() * (delay.to - delay.from));
      if (delay !== undefined) kept.draws += 1;
      kept.applied += 1;
      const { contract } = this.sandbox.service;
      return {
        outcome: rule.status === undefined ? undefined : refuseWith(rule.status, rule, contract),
        alter: (response) => alter(response, rule, wait ?? 0),
        record: {
          id: kept.id,
          effect: describeFault(rule),
          breaks: brokenRequirement(rule, operation),
        },
      };
    }
    return undefined;
  }
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
