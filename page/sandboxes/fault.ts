import { type Field, type Option, more, number } from '../form/field.ts';
import type { Fault, FaultRule, Mock } from '../session/types.ts';
import type { RuleKind } from './rule-panel.ts';

type Connection = NonNullable<FaultRule['connection']>;
type BrokenBody = NonNullable<FaultRule['body']>;

/** What happens to the connection: as the form and the list say it. */
const connections: Readonly<Record<Connection, readonly [choice: string, sentence: string]>> = {
  reset: ['Reset it before the response', 'resets the connection before it responds'],
  'reset-after-headers': [
    'Reset it after the response headers',
    'resets the connection after the response headers',
  ],
  silence: ['Keep it open, and never respond', 'never responds'],
};

const bodies: Readonly<Record<BrokenBody, readonly [choice: string, sentence: string]>> = {
  truncated: ['Cut off in the middle', 'cuts the body off in the middle'],
  malformed: ['Not valid JSON', 'sends a body that is not JSON'],
};

/** The injected faults of a sandbox. */
export const faultKind: RuleKind<FaultRule, Fault> = {
  part: 'faults',
  noun: 'fault',
  title: 'Faults',
  none: 'No faults. A fault makes requests fail: with an error status, a delay, or a broken connection or body.',
  fields: listFaultFields,
  ruleOf: ({ id: _id, applied: _applied, ...rule }) => rule,
  describe: describeFault,
  describeUse: describeFaultUse,
  list: async ({ control, sandbox }) => await control.call('listFaults', { sandbox }),
  add: async ({ control, sandbox }, rule) =>
    await control.call('addFault', { sandbox, body: completeFault(rule) }),
  edit: async ({ control, sandbox }, fault, rule) =>
    await control.call('editFault', { sandbox, fault, body: completeFault(rule) }),
  remove: async ({ control, sandbox }, fault) =>
    await control.call('removeFault', { sandbox, fault }),
  clear: async ({ control, sandbox }) => await control.call('clearFaults', { sandbox }),
};

/** A field for every member of a fault. */
export function listFaultFields({ operations }: Pick<Mock, 'operations'>): readonly Field[] {
  const options = operationOptions(operations);
  return [
    { name: '/operation', label: 'Operation', kind: 'choice', options },
    {
      ...number('/status', 'Error status', 'none'),
      hint: 'Such as 503. Sent in place of the response; the operation does nothing.',
    },
    number('/count', 'Number of requests', 'all'),
    number('/delay/to', 'Delay in ms', 'none'),
    { name: '/connection', label: 'Connection', kind: 'choice', options: choices(connections) },
    { name: '/body', label: 'Response body', kind: 'choice', options: choices(bodies) },
    {
      ...more(number('/retryAfter', 'Retry-After in seconds', 'as usual')),
      hint: 'Sent with the error status.',
    },
    {
      ...more(number('/delay/from', 'Shortest delay in ms', 'the delay')),
      hint: 'Set it for a random delay.',
    },
    more(number('/drip/bytes', 'Size of body pieces in bytes', 'all')),
    more(number('/drip/milliseconds', 'Pause before each piece in ms', 'none')),
    {
      ...more(number('/probability', 'Probability', '1')),
      hint: '0.1: about one in ten requests.',
    },
    {
      ...more(number('/seed', 'Random seed', '1')),
      hint: 'The same seed picks the same requests.',
    },
  ];
}

/** Every operation, or one of them. */
export function operationOptions(operations: Mock['operations']): readonly Option[] {
  return [['', 'Every operation'], ...operations.map(({ id }) => [id, id] as const)];
}

function choices(
  table: Readonly<Record<string, readonly [choice: string, sentence: string]>>,
): readonly Option[] {
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
  const { operation = 'Every operation', probability = 1, delay, drip } = rule;
  const effects: string[] = [];
  if (rule.status !== undefined)
    effects.push(
      `responds with ${rule.status}${rule.retryAfter === undefined ? '' : ` and Retry-After ${rule.retryAfter}`}`,
    );
  if (delay !== undefined)
    effects.push(`waits ${delay.from === delay.to ? '' : `${delay.from} to `}${delay.to} ms`);
  if (rule.connection !== undefined) effects.push(connections[rule.connection][1]);
  if (rule.body !== undefined) effects.push(bodies[rule.body][1]);
  if (drip !== undefined) effects.push(`sends ${drip.bytes} bytes every ${drip.milliseconds} ms`);
  const share =
    probability === 1 ? '' : `, for ${Number((probability * 100).toPrecision(3))} % of requests`;
  return `${operation} ${effects.join(', ')}${share}.`;
}

/** How often it was applied, and how often it will be. */
export function describeFaultUse({ applied, count }: Fault): string {
  if (count !== undefined)
    return applied >= count ? `used up (${applied} of ${count})` : `${applied} of ${count} used`;
  return applied === 0 ? 'not used yet' : `used ${applied} ${applied === 1 ? 'time' : 'times'}`;
}
