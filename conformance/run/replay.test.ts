import { listRequirements } from '../family/requirements.ts';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../contract/json/value.ts';
import { isRecord, Refusal, type ServiceBehaviour } from '../../selftest/service/service.ts';
import {
  parseReplayId,
  readCounterexample,
  renderReplayId,
} from '../counterexample/counterexample.ts';
import { answered, createFakeSender } from '../../test/conformance/fake-sender.ts';
import { validIntent } from '../transport/exchange.ts';
import { replayCounterexample } from './replay.ts';
import type { Report } from './report.ts';
import { openMock, openService } from '../../test/cli/target.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

/** The ids of the first failure of each requirement. */
function replaysOf(report: Report): ReadonlyMap<string, string> {
  return new Map(
    report.verdicts.flatMap((verdict) =>
      verdict.kind === 'failed' && verdict.failures[0]?.replay
        ? [[verdict.requirement.id, verdict.failures[0].replay] as const]
        : [],
    ),
  );
}

const faults: readonly (readonly [
  name: string,
  requirement: string,
  fault: () => Partial<ServiceBehaviour>,
  steps: readonly string[],
])[] = [
  [
    'a text that is cut',
    'createPet/state.echo.name',
    () => ({ acceptNewPet: (value) => ({ ...value, name: value.name.slice(0, 50), rest: {} }) }),
    ['createPet'],
  ],
  [
    'a number through a double',
    'createPet/state.echo.categoryId',
    () => ({
      acceptNewPet: (value) => ({
        ...value,
        categoryId: BigInt.asIntN(64, BigInt(Number(value.categoryId))),
        rest: {},
      }),
    }),
    ['createPet'],
  ],
  [
    'a wrong type that is taken',
    'createPet/request.body.name.type',
    () => ({ checkName: (value) => (value === undefined ? 'name is required.' : undefined) }),
    ['createPet'],
  ],
  [
    'a read that shows another category',
    'getPet/state.read.categoryId',
    () => ({
      presentItem: (pet) => ({
        id: pet.id,
        name: pet.name,
        categoryId: pet.categoryId + 1n,
        status: 'sold',
      }),
    }),
    ['createPet', 'getPet'],
  ],
  [
    'a refused body that is stored',
    'createPet/state.not-written.400',
    () => ({
      createPet: async (call, all) => {
        const body = all.parseBody(call.body);
        const sent = body instanceof Refusal ? undefined : body;
        const name = isRecord(sent) ? sent['name'] : undefined;
        const id = call.inventory.nextId;
        const checked = all.validateNewPet(sent ?? {}, all);
        if (checked instanceof Refusal && typeof name === 'string')
          call.inventory.pets.set(id, { id, name, categoryId: 1n, status: 'sold', rest: {} });
        call.inventory.nextId += 1n;
        if (checked instanceof Refusal)
          return { status: 400, body: all.renderError(checked, call), headers: {} };
        const pet = { id, ...checked, rest: {} };
        call.inventory.pets.set(id, pet);
        return { status: 201, body: all.presentCreated(pet, call), headers: {} };
      },
    }),
    ['createPet', 'listPets'],
  ],
  [
    'a read of nothing that succeeds',
    'getPet/status.404',
    () => ({
      find: (id, { inventory }) =>
        inventory.pets.get(BigInt(id)) ?? {
          id: 1n,
          name: 'Rex',
          categoryId: 1n,
          status: 'sold',
          rest: {},
        },
    }),
    ['getPet'],
  ],
];

describe('an id repeats one counterexample', () => {
  test.each(faults)('%s', async (_name, requirement, fault, operations) => {
    await using faulty = await openService(contract, fault());
    const id = replaysOf(await faulty.run({ requests: 100 })).get(requirement) ?? '';
    expect(id).toMatch(/^r1-[\w-]+$/);
    const counterexample = parseReplayId(id);
    expect(counterexample.steps.map(({ operation }) => operation)).toEqual(operations);

    const again = await replayCounterexample(contract, faulty.target, counterexample, {
      clock: faulty.clock,
    });
    expect(again.verdict).toMatchObject({ kind: 'failed', requirement: { id: requirement } });
    expect(again.exchanges).toHaveLength(operations.length);

    await using fresh = await openService(contract, fault());
    expect(
      (await replayCounterexample(contract, fresh.target, counterexample, { clock: fresh.clock }))
        .verdict.kind,
    ).toBe('failed');
    for (const valid of [await openMock(contract), await openService(contract)]) {
      await using place = valid;
      expect(
        (await replayCounterexample(contract, place.target, counterexample, { clock: place.clock }))
          .verdict.kind,
      ).toBe('passed');
    }
  });
});

test('an id holds no key', async () => {
  await using faulty = await openService(contract, {
    authenticate: () => 'service-business',
    acceptNewPet: (value) => ({ ...value, name: value.name.replaceAll('狗', '?'), rest: {} }),
  });
  const ids = [...replaysOf(await faulty.run({ requests: 100 })).values()];
  expect(ids.length).toBeGreaterThan(3);
  for (const id of ids) expect(JSON.stringify(parseReplayId(id))).not.toContain('service-business');
});

test('saved counterexamples are replayed right after the first reads', async () => {
  const fault = (): Partial<ServiceBehaviour> => ({
    acceptNewPet: (value) => ({ ...value, name: value.name.replaceAll('狗', '?'), rest: {} }),
  });
  await using faulty = await openService(contract, fault());
  const saved = [...replaysOf(await faulty.run()).values()].map(parseReplayId);
  const report = await faulty.run({ saved });
  expect(report.exchanges[1]?.probe).toBe('saved 1: createPet/state.echo.name');
  const verdict = report.verdicts.find(
    ({ requirement }) => requirement.id === 'createPet/state.echo.name',
  );
  expect(
    verdict?.kind === 'failed' &&
      verdict.failures.some(({ exchange, shrunkFrom }) => (shrunkFrom?.exchange ?? exchange) === 1),
  ).toBe(true);
  await using valid = await openService(contract);
  expect((await valid.run({ saved })).outcome).toBe('conforms');
});

describe('an invalid id', () => {
  const whole = renderReplayId({
    requirement: 'createPet/status.201',
    tag: 'pcabcdef01',
    steps: [
      {
        operation: 'createPet',
        intent: { kind: 'valid', exercises: [], mayRefuse: [] },
        body: '{}',
      },
    ],
  });

  test('a complete id reads back as it was written', () => {
    expect(renderReplayId(parseReplayId(whole))).toBe(whole);
  });

  test.each([
    ['', /starts with r1-/],
    ['hello', /starts with r1-/],
    ['r1-', /damaged/],
    [`${whole}=`, /characters/],
    [whole.slice(0, 40), /damaged/],
    ['r1-AAAA', /damaged/],
  ])('%s', (id, message) => {
    expect(() => parseReplayId(id)).toThrow(expect.objectContaining({ code: 'replay' }));
    expect(() => parseReplayId(id)).toThrow(message);
  });

  test.each([
    'null',
    '{}',
    '{"requirement":"a","tag":"b","steps":[]}',
    '{"requirement":"a","tag":"b","steps":[1]}',
    '{"requirement":"a","tag":"b","steps":[{"operation":"c","intent":{"kind":"odd"}}]}',
    '{"requirement":"a","tag":"b","steps":[{"operation":"c","intent":{"kind":"open","question":"q","way":"w"},"credential":"stolen"}]}',
  ])('%s', (text) => {
    expect(() => readCounterexample(parseJson(text))).toThrow(
      expect.objectContaining({ code: 'replay' }),
    );
  });

  test('a requirement or operation of another contract', async () => {
    const target = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key' };
    const step = {
      operation: 'makePet',
      intent: { kind: 'valid', exercises: [], mayRefuse: [] },
    } as const;
    const replay = (requirement: string) =>
      replayCounterexample(contract, target, { requirement, tag: 'x', steps: [step] });
    await expect(replay('makePet/status.201')).rejects.toThrow(/no requirement makePet/);
    await expect(replay('createPet/status.201')).rejects.toThrow(/does not have/);
  });

  test('an unreachable server gets no verdict', async () => {
    await expect(
      replayCounterexample(
        contract,
        { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key' },
        parseReplayId(whole),
      ),
    ).rejects.toThrow(expect.objectContaining({ code: 'inconclusive' }));
  });
});

test.each(['@127.0.0.1:1/', '/../v2/pets', ''])(
  'a counterexample whose target is %j is not sent, because it would leave the origin',
  async (target) => {
    const [operation] = contract.operations;
    const sender = createFakeSender(() => answered(200, []));
    const counterexample = {
      requirement: listRequirements(contract)[0]?.id ?? '',
      tag: '',
      steps: [{ operation: operation?.id ?? '', intent: validIntent(), target }],
    };
    const place = { baseUrl: 'http://127.0.0.1:1', apiKey: 'key-of-test' };
    await expect(
      replayCounterexample(contract, place, counterexample, { sender }),
    ).rejects.toMatchObject({ code: 'replay', message: expect.stringContaining('cannot be sent') });
    expect(sender.requests).toEqual([]);
  },
);
