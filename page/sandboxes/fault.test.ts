import { expect, test } from 'vitest';
import type { FaultRule } from '../../mock/control/client.ts';
import { composeControlDocument } from '../../mock/control/declaration/document.ts';
import { listRunFields } from '../conformance/judge-form.ts';
import { composeDraft, listFacts } from '../form/draft.ts';
import type { Field } from '../form/field.ts';
import { listQuotaFields } from './limits.ts';
import { completeFault, listFaultFields } from './fault.ts';
import { describeUse } from './rule-panel.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly string[];
}

const { components }: { components: { schemas: Readonly<Record<string, Schema>> } } = JSON.parse(
  JSON.stringify(composeControlDocument()),
);

/** The members of a schema that have no members themselves, by JSON pointers into a value. */
function leavesOf({ properties = {} }: Schema, at = ''): readonly (readonly [string, Schema])[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    schema.properties === undefined
      ? [[`${at}/${name}`, schema] as const]
      : leavesOf(schema, `${at}/${name}`),
  );
}

/** What a field offers of a member: its values, where the mock accepts some only. */
function offerOf(fields: readonly Field[], name: string): unknown {
  const { kind, options } = fields.find((one) => one.name === name) ?? {};
  const isChoice = kind === 'choice' && name !== '/operation' && name !== '/plan';
  return {
    isThere: kind !== undefined,
    values: isChoice ? options?.flatMap(([value]) => (value === '' ? [] : [value])) : undefined,
  };
}

const listPets = {
  id: 'listPets',
  method: 'GET',
  path: '/pets',
  summary: '',
  pointer: '#/paths/~1pets/get',
  deprecated: false,
  credentials: [],
};
const faultFields = listFaultFields({ operations: [listPets] });
const runFields = listRunFields({ mock: { keys: [] }, sandbox: 'main' }, {});

test.for([
  ['faults', faultFields, 'FaultRule', []],
  ['runs', runFields, 'RunOrder', ['/sandbox']],
] as const)(
  'the form of %s offers everything that the mock accepts',
  ([, fields, name, others]) => {
    const leaves = leavesOf(components.schemas[name] ?? {});
    expect(leaves.length).toBeGreaterThan(5);
    for (const [pointer, schema] of leaves) {
      if (others.some((other) => other === pointer)) continue;
      const wanted = { isThere: true, values: schema.enum };
      expect([pointer, offerOf(fields, pointer)]).toEqual([pointer, wanted]);
    }
  },
);

test('the form of a plan offers everything that the mock accepts', () => {
  const windows = [{ name: 'minute', limit: 60, used: 0, resetAt: '' }];
  const names = listQuotaFields({ plan: 'Free', key: 'a', windows }).map(({ name }) => name);
  const members = Object.keys(components.schemas['QuotaChange']?.properties ?? {});
  for (const member of ['limits', 'used', 'resetSeconds']) {
    expect(members).toContain(member);
    expect(names).toContain(`/${member}/minute`);
  }
  expect(names).toContain('/banSeconds');
});

test.for<[Record<string, string>, FaultRule, readonly string[]]>([
  [
    { '/operation': 'listPets', '/status': '503', '/retryAfter': '2', '/count': '3' },
    { operation: 'listPets', status: 503, retryAfter: 2, count: 3 },
    [
      'Operation: listPets',
      'Error status: 503',
      'Number of requests: 3',
      'Retry-After in seconds: 2',
    ],
  ],
  [
    { '/delay/to': '200' },
    { delay: { from: 200, to: 200 } },
    ['Operation: Every operation', 'Delay in ms: 200', 'Shortest delay in ms: 200'],
  ],
  [
    { '/delay/from': '5', '/delay/to': '10', '/probability': '0.125', '/seed': '7' },
    { delay: { from: 5, to: 10 }, probability: 0.125, seed: 7 },
    [
      'Operation: Every operation',
      'Delay in ms: 10',
      'Shortest delay in ms: 5',
      'Probability: 0.125',
      'Random seed: 7',
    ],
  ],
  [
    { '/connection': 'reset-after-headers', '/body': '' },
    { connection: 'reset-after-headers' },
    ['Operation: Every operation', 'Connection: Reset it after the response headers'],
  ],
  [
    { '/body': 'malformed', '/drip/bytes': '10', '/drip/milliseconds': '50' },
    { body: 'malformed', drip: { bytes: 10, milliseconds: 50 } },
    [
      'Operation: Every operation',
      'Response body: Not valid JSON',
      'Size of body pieces in bytes: 10',
      'Pause before each piece in ms: 50',
    ],
  ],
])('%j is listed as a fault', ([texts, rule, facts]) => {
  const composed = composeDraft(texts, faultFields);
  const body: FaultRule = 'body' in composed ? composed.body : {};
  expect(completeFault(body)).toEqual(rule);
  const listed = listFacts(rule, faultFields).map(([label, text]) => `${label}: ${text}`);
  expect(listed).toEqual(facts);
});

test('uses are counted', () => {
  expect(describeUse(0, undefined)).toBe('not yet');
  expect(describeUse(1, undefined)).toBe('1 time');
  expect(describeUse(1, 3)).toBe('1 of 3');
  expect(describeUse(3, 3)).toBe('used up (3 of 3)');
});
