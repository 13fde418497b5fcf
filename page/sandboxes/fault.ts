import { type Field, type Option, more, whole } from '../form/field.ts';
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
  check: checkFault,
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

/** A field for every member of a fault, with the bounds of the mock. */
export function listFaultFields({ operations }: Pick<Mock, 'operations'>): readonly Field[] {
  const options = operationOptions(operations);
  return [
    { name: '/operation', label: 'Operation', kind: 'choice', options },
    {
      ...whole('/status', 'Error status', '503', 400, 599),
      hint: 'Sent in place of the response; the operation does nothing.',
    },
    whole('/count', 'Number of requests', 'all', 1),
    whole('/delay/to', 'Delay in ms', 'none', 0, 600_000),
    { name: '/connection', label: 'Connection', kind: 'choice', options: choices(connections) },
    { name: '/body', label: 'Response body', kind: 'choice', options: choices(bodies) },
    {
      ...more(whole('/retryAfter', 'Retry-After in seconds', 'as usual', 0, 3_153_600_000)),
      hint: 'Sent with the error status.',
    },
    {
      ...more(whole('/delay/from', 'Shortest delay in ms', 'the delay', 0, 600_000)),
      hint: 'Set it for a random delay.',
    },
    more(whole('/drip/bytes', 'Size of body pieces in bytes', 'all', 1)),
    more(whole('/drip/milliseconds', 'Pause before each piece in ms', 'none', 0, 60_000)),
    {
      ...more(whole('/probability', 'Percentage of requests', '100', 0.000_1, 100)),
      kind: 'percent',
    },
    {
      ...more(whole('/seed', 'Random seed', '1')),
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

/** What members demand of each other. */
export function checkFault(rule: FaultRule): Readonly<Record<string, string>> {
  const { status, retryAfter, delay, connection, body, drip } = rule;
  if ([status, delay, connection, body, drip].every((effect) => effect === undefined))
    return { '/status': 'Choose what goes wrong: a status, a delay, the connection or the body.' };
  if (retryAfter !== undefined && status === undefined)
    return { '/status': 'Enter the status that Retry-After is sent with.' };
  if (delay !== undefined && delay.to < delay.from)
    return { '/delay/to': 'The delay is below the shortest delay.' };
  if (drip !== undefined && drip.bytes === undefined)
    return { '/drip/bytes': 'Enter the size of the pieces.' };
  if (drip !== undefined && drip.milliseconds === undefined)
    return { '/drip/milliseconds': 'Enter the pause before each piece.' };
  return {};
}

/** One bound of a delay is both. */
export function completeFault(rule: FaultRule): FaultRule {
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
  if (count !== undefined) return `${applied} of ${count} used${applied >= count ? ' up' : ''}`;
  return applied === 0 ? 'not used yet' : `used ${applied} ${applied === 1 ? 'time' : 'times'}`;
}
