import type { Fault, FaultRule, Mock } from '../../mock/control/client.ts';
import { type Field, type Option, choice, more, number } from '../form/field.ts';
import type { RuleKind } from './rule-panel.ts';

export const faultKind: RuleKind<FaultRule, Fault> = {
  noun: 'fault',
  title: 'Faults',
  none: 'No faults. A fault disturbs requests: an error status, a delay, or a broken connection or body.',
  fields: listFaultFields,
  ruleOf: ({ id: _id, applied: _applied, ...rule }) => rule,
  uses: 'count',
  list: ({ call }) => call('listFaults'),
  add: ({ call }, rule) => call('addFault', { body: completeFault(rule) }),
  edit: ({ call }, fault, rule) => call('editFault', { fault, body: completeFault(rule) }),
  remove: ({ call }, fault) => call('removeFault', { fault }),
  clear: ({ call }) => call('clearFaults'),
};

/** A field for every member of a fault. */
export function listFaultFields({ operations }: Pick<Mock, 'operations'>): readonly Field[] {
  const error = 'Such as 503. Sent in place of the response; the operation does nothing.';
  const share = '0.1: about one in ten requests.';
  const seed = 'The same seed picks the same requests.';
  return [
    choice('/operation', 'Operation', operationOptions(operations)),
    number('/status', 'Error status', 'none', error),
    number('/count', 'Number of requests', 'all'),
    number('/delay/to', 'Delay in ms', 'none'),
    choice('/connection', 'Connection', [
      ['', 'As usual'],
      ['reset', 'Reset it before the response'],
      ['reset-after-headers', 'Reset it after the response headers'],
      ['silence', 'Keep it open, and never respond'],
    ]),
    choice('/body', 'Response body', [
      ['', 'As usual'],
      ['truncated', 'Cut off in the middle'],
      ['malformed', 'Not valid JSON'],
    ]),
    ...more(
      number('/retryAfter', 'Retry-After in seconds', 'as usual', 'Sent with the error status.'),
      number('/delay/from', 'Shortest delay in ms', 'the delay', 'Set it for a random delay.'),
      number('/drip/bytes', 'Size of body pieces in bytes', 'all'),
      number('/drip/milliseconds', 'Pause before each piece in ms', 'none'),
      number('/probability', 'Probability', '1', share),
      number('/seed', 'Random seed', '1', seed),
    ),
  ];
}

export function operationOptions(operations: Mock['operations']): readonly Option[] {
  return [['', 'Every operation'], ...operations.map(({ id }) => [id, id] as const)];
}

/** A single bound of a delay is used for both. Throws if a fault does nothing. */
export function completeFault(rule: FaultRule): FaultRule {
  const effects = [rule.status, rule.delay, rule.connection, rule.body, rule.drip];
  if (effects.every((effect) => effect === undefined))
    throw new Error('Choose an error status, a delay, a connection or a response body.');
  if (rule.delay === undefined) return rule;
  const { from, to }: Partial<typeof rule.delay> = rule.delay;
  return { ...rule, delay: { from: from ?? to ?? 0, to: to ?? from ?? 0 } };
}
