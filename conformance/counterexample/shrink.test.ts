import { describe, expect, test } from 'vitest';
import { isJsonObject, parseJson, renderJson, type JsonObject } from '../../contract/json/value.ts';
import type { Exchange } from '../transport/exchange.ts';
import { Refusal, type ServiceBehaviour } from '../../selftest/service/service.ts';
import { replayCounterexample } from '../run/replay.ts';
import { parseReplayId } from './counterexample.ts';
import { findFailure, reduceLog, type FailureSearch } from './reduce.ts';
import { createCarrier } from '../transport/carrier.ts';
import { Session } from '../transport/session.ts';
import { listShortcuts, maxSmallerBodies, shrinkable, shrinkBody, type Shrunk } from './shrink.ts';
import { answered, createFakeSender, quota } from '../../test/conformance/fake-sender.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { openService } from '../../test/cli/target.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const create = contract.operations.find(({ id }) => id === 'createPet');
const seek = (requirement: string): FailureSearch => ({
  contract,
  requirement,
  plan: undefined,
  shown: new Map(),
});
const tag = 'Pcabcd';

/** A session with a server that answers additions, changed by `spoil`. */
function openSession(spoil: (name: string) => string, budget = 1000): Session {
  const sender = createFakeSender(({ body }, nth) => {
    const sent = parseJson(body ?? '{}');
    const pet: JsonObject = isJsonObject(sent) ? sent : {};
    const name = typeof pet['name'] === 'string' ? pet['name'] : '';
    return answered(201, { ...pet, id: nth + 1, name: spoil(name) }, quota(60, 50, 1_900_000_000));
  });
  return new Session(
    contract,
    createCarrier(
      { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key-of-test' },
      { clock: createStillClock(), sender },
    ),
    { baseUrl: 'http://127.0.0.1:1/v1', budget, longestWait: 0 },
  );
}

async function add(session: Session, body: JsonObject): Promise<readonly Exchange[]> {
  if (create === undefined) throw new Error('no create');
  return [
    await session.send({
      operation: create,
      body: renderJson(body),
      intent: { kind: 'valid', exercises: [], mayRefuse: ['name-limits'] },
    }),
  ];
}

async function shrink(
  spoil: (name: string) => string,
  body: JsonObject,
  share: number,
): Promise<{ found: Shrunk | undefined; sent: JsonObject | undefined; requests: number }> {
  const session = openSession(spoil);
  const first = await add(session, body);
  let serial = 1;
  const found = await shrinkBody(seek('createPet/state.echo.name'), first, session, {
    share,
    tag,
    nextTag: () => `${tag}${String.fromCodePoint(97 + (serial += 1)).padStart(4, 'a')}`,
  });
  const text = found?.exchanges.at(-1)?.request.body;
  const sent = text === undefined ? undefined : parseJson(text);
  return {
    found,
    sent: isJsonObject(sent) ? sent : undefined,
    requests: session.exchanges.length - 1,
  };
}

const many = `  ${tag}aaaa Ünï e\u0301 狗 שלום 🐾 "q" 'a' \\n %20 + &amp; <b>  `;

describe('a smaller body', () => {
  test('shrinks to the one failing character, next to the tag', async () => {
    const { sent } = await shrink(
      (name) => name.replaceAll('狗', '?'),
      { name: many, categoryId: 1, status: 'sold' },
      40,
    );
    expect(sent).toEqual({ name: expect.stringMatching(/^Pcabcd[a-z]{4}狗$/), categoryId: 0 });
  });

  test('tries members that came back differently first, if requests are few', async () => {
    const { sent, requests } = await shrink(
      (name) => name.replaceAll('狗', '?'),
      { name: many, categoryId: 1, status: 'sold' },
      3,
    );
    expect(sent?.['name']).toMatch(/^Pcabcd[a-z]{4}狗$/);
    expect(requests).toBeLessThanOrEqual(3);
  });

  test.each([0, 1, 2, 5, 9])('never sends more than its share of %i requests', async (share) => {
    const { requests } = await shrink(
      (name) => name.trim(),
      { name: many, categoryId: 1, status: 'sold' },
      share,
    );
    expect(requests).toBeLessThanOrEqual(share);
  });

  test.each([
    { size: 60, isLooked: true },
    { size: 99_000, isLooked: true },
    { size: maxSmallerBodies, isLooked: false },
  ])('a name of $size characters is examined: $isLooked', async ({ size, isLooked }) => {
    const name = `${tag}aaaa 狗${'x'.repeat(size)}`;
    const cut = (each: string): string => (each.length > 50 ? each.slice(0, -1) : each);
    const { found, requests } = await shrink(cut, { name }, 9);
    // First a name of one more character than the tag.
    expect({ isLooked: found !== undefined, isSent: requests > 1 }).toEqual({
      isLooked,
      isSent: isLooked,
    });
  });

  test('is judged: a candidate that gets a correct response does not count', async () => {
    const { found } = await shrink((name) => name, { name: many, categoryId: 1 }, 20);
    expect(found).toBeUndefined();
  });

  test('is the same in every run', async () => {
    const body = { name: many, categoryId: 77, status: 'sold' };
    const [one, other] = [
      await shrink((name) => name.slice(0, 30), body, 25),
      await shrink((name) => name.slice(0, 30), body, 25),
    ];
    expect(one.sent).toEqual(other.sent);
    expect(one.requests).toBe(other.requests);
  });
});

test('keeps the tag in every candidate', () => {
  const body = { name: many, categoryId: 9223372036854775807n, status: 'sold' };
  const required = new Set(['name', 'categoryId']);
  const received = { name: many.replace('狗', '?') };
  const first = [...listShortcuts(body, { keep: tag, member: 'name', received, required })];
  expect(first).toContainEqual({ ...body, name: `${tag}狗` });
  const candidates = [...shrinkable(tag).shrink(body, undefined)].map(({ value }) => value);
  expect(candidates.length).toBeGreaterThan(50);
  const names = [...first, ...candidates.filter(isJsonObject)].flatMap(({ name }) => name ?? []);
  expect(names.filter((name) => typeof name !== 'string' || !name.includes(tag))).toEqual([]);
});

describe('in a run', () => {
  test('reports the smallest body, for a few extra requests', async () => {
    await using place = await openService(contract, {
      acceptNewPet: (value) => ({ ...value, name: value.name.replaceAll('狗', '?'), rest: {} }),
    });
    const report = await place.run({ requests: 60 });
    expect(report.exchanges.length).toBe(report.run.budget);
    const verdict = report.verdicts.find(
      ({ requirement }) => requirement.id === 'createPet/state.echo.name',
    );
    const [first] = verdict?.kind === 'failed' ? verdict.failures : [];
    expect(report.exchanges[first?.exchange ?? -1]?.request.body).toMatch(
      /^\{"name":"Pc[a-z]{8}狗","categoryId":\d+\}$/,
    );
    expect(first?.shrunkFrom).toBeDefined();
    expect(
      report.exchanges.filter(({ probe }) => probe.startsWith('shrink: ')).length,
    ).toBeLessThanOrEqual(6);
  });

  test('sends nothing for it with a share of 0', async () => {
    await using place = await openService(contract, {
      acceptNewPet: (value) => ({ ...value, name: value.name.replaceAll('狗', '?'), rest: {} }),
    });
    const report = await place.run({ requests: 60, shrink: 0 });
    expect(report.outcome).toBe('failed');
    expect(report.exchanges.filter(({ probe }) => probe.startsWith('shrink: '))).toEqual([]);
  });
});

describe('a sequence', () => {
  /** Loses what is added right after two other additions. */
  const forgetful = (): Partial<ServiceBehaviour> => {
    let row = 0;
    return {
      store: (pet, { inventory }) => {
        row += 1;
        if (row < 3) inventory.pets.set(pet.id, pet);
      },
      find: (id, { inventory }) => {
        row = 0;
        return inventory.pets.get(BigInt(id)) ?? new Refusal(404, 'not_found', 'No.');
      },
    };
  };

  const three = ['createPet', 'createPet', 'createPet'];
  // The list shows that no response has the item.
  const reads = ['listPets', 'getPet'];

  test.each([
    { shrink: 200, operations: [...three, ...reads] },
    { shrink: 0, operations: ['createPet', ...reads] },
  ])('of at most $shrink requests is tried until it fails on its own', async (each) => {
    await using place = await openService(contract, forgetful());
    const report = await place.run({ requests: 1, fuzz: 48, shrink: each.shrink });
    const verdict = report.verdicts.find(
      ({ requirement: { id } }) => id === 'createPet/state.stored',
    );
    const [first] = verdict?.kind === 'failed' ? verdict.failures : [];
    const { steps } = parseReplayId(first?.replay ?? '');
    expect(steps.map(({ operation }) => operation)).toEqual(each.operations);
    await using fresh = await openService(contract, forgetful());
    const again = await replayCounterexample(
      contract,
      fresh.target,
      parseReplayId(first?.replay ?? ''),
      {
        clock: fresh.clock,
      },
    );
    expect(again.verdict.kind).toBe(each.shrink === 0 ? 'passed' : 'failed');
  });
});

test('a log is reduced to the exchanges that show a failure, without sending requests', async () => {
  await using place = await openService(contract, {
    store: (pet, { inventory }) => void (pet.name.length < 300 && inventory.pets.set(pet.id, pet)),
  });
  const report = await place.run({ shrink: 0 });
  const lost = seek('listPets/state.listed');
  const failure = findFailure(lost, report.exchanges);
  if (failure === undefined) throw new Error('Nothing was lost.');
  const part = reduceLog(lost, report.exchanges, failure, true);
  expect(part?.map(({ request }) => request.operation)).toEqual(['createPet', 'listPets']);
});
