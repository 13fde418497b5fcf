import { type Field, type Option, choice, more, number } from '../form/field.ts';
import type { Fault, FaultRule, Mock } from '../session/types.ts';
import type { RuleKind } from './rule-panel.ts';

/** What a fault does, as the form and the list say it. */
type Effects<Name extends string> = Readonly<
  Record<Name, readonly [choice: string, sentence: string]>
>;

const connections: Effects<NonNullable<FaultRule['connection']>> = {
  reset: ['Reset it before the response', 'resets the connection before it responds'],
  'reset-after-headers': [
    'Reset it after the response headers',
    'resets the connection after the response headers',
  ],
  silence: ['Keep it open, and never respond', 'never responds'],
};

const bodies: Effects<NonNullable<FaultRule['body']>> = {
  truncated: ['Cut off in the middle', 'cuts the body off in the middle'],
  malformed: ['Not valid JSON', 'sends a body that is not JSON'],
};

export const faultKind: RuleKind<FaultRule, Fault> = {
  noun: 'fault',
  title: 'Faults',
  none: 'No faults. A fault makes requests fail: with an error status, a delay, or a broken connection or body.',
  fields: listFaultFields,
  ruleOf: ({ id: _id, applied: _applied, ...rule }) => rule,
  describe: describeFault,
  mostUses: ({ count }) => count,
  limitUses: (rule, count) => ({ ...rule, count }),
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
    choice('/connection', 'Connection', choices(connections)),
    choice('/body', 'Response body', choices(bodies)),
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

function choices(table: Effects<string>): readonly Option[] {
  return [['', 'As usual'], ...Object.entries(table).map(([id, [label]]) => [id, label] as const)];
}

/** One bound of a delay is both. Throws where a fault does nothing. */
export function completeFault(rule: FaultRule): FaultRule {
  const effects = [rule.status, rule.delay, rule.connection, rule.body, rule.drip];
  if (effects.every((effect) => effect === undefined))
    throw new Error('Choose an error status, a delay, a connection or a response body.');
  if (rule.delay === undefined) return rule;
  const { from, to }: Partial<typeof rule.delay> = rule.delay;
  return { ...rule, delay: { from: from ?? to ?? 0, to: to ?? from ?? 0 } };
}

/** What a fault does, as a sentence: `listPets responds with 503 and Retry-After 2.` */
export function describeFault(rule: FaultRule): string {
  const { operation = 'Every operation', probability = 1, status, retryAfter, delay, drip } = rule;
  const retry = retryAfter === undefined ? '' : ` and Retry-After ${retryAfter}`;
  const effects = [
    status && `responds with ${status}${retry}`,
    delay && `waits ${delay.from === delay.to ? '' : `${delay.from} to `}${delay.to} ms`,
    rule.connection && connections[rule.connection][1],
    rule.body && bodies[rule.body][1],
    drip && `sends ${drip.bytes} bytes every ${drip.milliseconds} ms`,
  ].filter(Boolean);
  const percent = Number((probability * 100).toPrecision(3));
  return `${operation} ${effects.join(', ')}${probability === 1 ? '' : `, for ${percent} % of requests`}.`;
}
