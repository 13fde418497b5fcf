import { expect, test } from 'vitest';
import { petstore as contract } from '../../contract/testing/petstore.ts';
import { createProbe, type Probe } from '../probes/probe.ts';
import type { Exchange } from '../transport/exchange.ts';
import { countTested } from './tested.ts';

const probe = (id: string, phase: Probe['phase'], requests: number): Probe =>
  createProbe({ id, phase, requests, proves: [], run: () => Promise.resolve() });

const turnedAway = (by: string): Exchange => ({
  index: 0,
  probe: by,
  intent: { kind: 'valid', exercises: [], mayRefuse: [] },
  request: {
    operation: 'listPets',
    method: 'GET',
    target: '/pets',
    headers: [],
    credential: 'valid',
    body: undefined,
  },
  outcome: { kind: 'answered', response: { status: 429, headers: [], body: '', utf8: true } },
  sentAt: 0,
  endedAt: 0,
  group: undefined,
});

const counted = { endedEarly: undefined, unfinished: new Set<Probe>(), undrawn: [] };

test('what is refused at the end of the drive to the limit was tested, and nothing else so', () => {
  const [drive, read] = [probe('drive', 'exhaust', 7), probe('read', 'get', 3)];
  const exchanges = [turnedAway('drive')];
  const plan = { probes: [drive, read], left: [] };
  expect(countTested(contract, plan, counted, exchanges)).toMatchObject({
    planned: 10,
    tested: 10,
  });
  expect(countTested(contract, plan, counted, [turnedAway('read')])).toMatchObject({
    planned: 10,
    tested: 7,
    cause: 'rate limit: GET /pets was turned away whenever it was sent',
  });
});

test('a probe that had nothing to send was planned where others were hindered, and else not', () => {
  const [cut, idle, read] = [probe('a', 'get', 1), probe('b', 'get', 2), probe('c', 'get', 4)];
  const undrawn = [{ probe: idle, reason: 'no item' }];
  const plan = { probes: [cut, idle, read], left: undrawn };
  expect(countTested(contract, plan, { ...counted, undrawn }, [])).toMatchObject({
    planned: 5,
    tested: 5,
  });
  const hindered = { endedEarly: 'a wait', unfinished: new Set([cut]), undrawn };
  expect(countTested(contract, plan, hindered, [])).toMatchObject({
    planned: 7,
    tested: 4,
    cause: 'a wait',
  });
});
