import { expect, test } from 'vitest';
import { petstore as contract } from '../../test/contract/petstore.ts';
import type { Reason } from '../judge/reason/reason.ts';
import type { Probe } from '../probes/probe.ts';
import type { Exchange } from '../transport/exchange.ts';
import { countTested } from './inconclusive.ts';

const probe = (id: string, phase: Probe['phase'], requests: number): Probe => ({
  id,
  phase,
  rank: 1,
  requests,
  writes: false,
  proves: [],
  run: () => Promise.resolve(),
});

const answered = (by: string, status = 200): Exchange => ({
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
  outcome: { kind: 'answered', response: { status, headers: [], body: '', utf8: true } },
  sentAt: 0,
  endedAt: 0,
  group: undefined,
});

const turnedAway = (by: string): Exchange => answered(by, 429);

/** A probe sends as many requests as it takes as a rule. */
const sentBy = ({ id, requests }: Probe): readonly Exchange[] =>
  Array.from({ length: requests }, () => answered(id));

const counted = { endedEarly: undefined, unsent: new Map<Probe, Reason>() };

test('a request refused when the limit is exceeded counts as tested, and no other refusal does', () => {
  const [drive, read] = [probe('drive', 'exhaust', 7), probe('read', 'get', 3)];
  const exchanges = [...sentBy(drive), turnedAway('drive'), ...sentBy(read)];
  const plan = { probes: [drive, read], omitted: 0 };
  expect(countTested(contract, plan, counted, exchanges)).toMatchObject({
    planned: 10,
    tested: 10,
  });
  expect(
    countTested(contract, plan, counted, [...sentBy(drive), turnedAway('read')]),
  ).toMatchObject({
    planned: 10,
    tested: 7,
    cause: 'rate limit: GET /pets got a 429 every time',
  });
});

test('a probe with nothing to send counts as planned only if others were hindered', () => {
  const [cut, idle, read] = [probe('a', 'get', 1), probe('b', 'get', 2), probe('c', 'get', 4)];
  const unsent = new Map<Probe, Reason>([[idle, { kind: 'nothing-to-send', text: 'no item' }]]);
  const plan = { probes: [cut, idle, read], omitted: 0 };
  const sent = [...sentBy(cut), ...sentBy(read)];
  expect(countTested(contract, plan, { ...counted, unsent }, sent)).toMatchObject({
    planned: 5,
    tested: 5,
  });
  const endedEarly = { kind: 'ended-early', end: 'wait', sent: 0, text: 'a wait' } as const;
  const hindered = { endedEarly, unsent: new Map([...unsent, [cut, endedEarly] as const]) };
  expect(countTested(contract, plan, hindered, sentBy(read))).toMatchObject({
    planned: 7,
    tested: 4,
    cause: 'a wait',
  });
});

test('what a probe did not need is neither planned nor tested', () => {
  const [write, read] = [probe('a', 'get', 4), probe('b', 'get', 2)];
  const exchanges = [answered('a'), ...sentBy(read), answered('b')];
  expect(countTested(contract, { probes: [write, read], omitted: 0 }, counted, exchanges)).toEqual({
    planned: 3,
    tested: 3,
    omitted: 0,
    required: 90,
    read: 100,
    cause: undefined,
  });
});
