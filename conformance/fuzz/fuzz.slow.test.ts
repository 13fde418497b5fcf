import { describe, expect, test } from 'vitest';
import { parseJson } from '../../contract/json/value.ts';
import { plain, type ServiceBehaviour } from '../../selftest/service/service.ts';
import { isFailure, type Report } from '../run/report.ts';
import { openMock, openService } from '../../test/cli/target.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { books } from '../../test/contract/books.ts';

function invalid(report: Report): readonly string[] {
  return report.verdicts.filter(isFailure).map(({ requirement }) => requirement.id);
}

function fuzzExchanges(report: Report): Report['exchanges'] {
  return report.exchanges.filter(({ probe }) => probe.includes('/fuzz '));
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

describe('nothing is found in a correct server', () => {
  test.each(seeds)('the mock, seed %i', async (seed) => {
    await using place = await openMock(petstore);
    const report = await place.run({ seed, fuzz: 130 });
    expect(invalid(report)).toEqual([]);
    expect(fuzzExchanges(report)).toHaveLength(130);
  });

  test.each(seeds)('an independent service, seed %i', async (seed) => {
    await using place = await openService(petstore);
    expect(invalid(await place.run({ seed, fuzz: 130 }))).toEqual([]);
  });

  test.each(seeds)('a document with replacements, updates and removals, seed %i', async (seed) => {
    await using place = await openMock(books);
    const report = await place.run({ seed, requests: 1, fuzz: 260 });
    expect(invalid(report)).toEqual([]);
    const used = new Set(fuzzExchanges(report).map(({ request }) => request.operation));
    expect(used).toEqual(
      new Set(['addBook', 'listBooks', 'readBook', 'replaceBook', 'changeBook', 'removeBook']),
    );
  });

  test('a service with concurrent users', async () => {
    const others: Partial<ServiceBehaviour> = {
      arrive: ({ inventory, ordinal }) => {
        if (ordinal % 3 > 0) return;
        inventory.pets.set(inventory.nextId, {
          id: inventory.nextId,
          name: `Other ${ordinal}`,
          categoryId: 2n,
          status: 'sold',
          rest: {},
        });
        inventory.nextId += 1n;
      },
    };
    await using place = await openService(petstore, others);
    expect(invalid(await place.run({ fuzz: 260 }))).toEqual([]);
  });
});

describe('rare faults are found', () => {
  const faults: readonly (readonly [
    name: string,
    fault: () => Partial<ServiceBehaviour>,
    requirement: RegExp,
  ])[] = [
    [
      'one category in a hundred is stored as another',
      () => ({
        store: (pet, { inventory }) =>
          void inventory.pets.set(
            pet.id,
            pet.categoryId % 97n === 13n ? { ...pet, categoryId: pet.categoryId + 1n } : pet,
          ),
      }),
      /state\.read\.categoryId$/,
    ],
    [
      'one category in two hundred is answered as another',
      () => ({
        acceptNewPet: (value) => ({
          ...value,
          categoryId: value.categoryId % 199n === 7n ? value.categoryId + 1n : value.categoryId,
          rest: {},
        }),
      }),
      /^createPet\/state\.echo\.categoryId$/,
    ],
    [
      'characters of one block are lost',
      () => ({
        acceptNewPet: (value) => ({
          ...value,
          name: value.name.replaceAll(/[\u1000-\u109f]/g, ''),
          rest: {},
        }),
      }),
      /^createPet\/state\.echo\.name$/,
    ],
    [
      'the hundredth addition is not stored',
      () => ({
        store: (pet, { inventory }) =>
          void (pet.id % 100n === 0n || inventory.pets.set(pet.id, pet)),
      }),
      /state\.(readable|listed)$|concurrency\.stored$/,
    ],
    [
      'one response in fifty fails',
      () => ({
        listPets: async (call, all) =>
          call.ordinal % 50 < 2
            ? { status: 500, body: { code: 'x', message: 'x', status: 500n }, headers: {} }
            : await plain.listPets(call, all),
      }),
      /^listPets\//,
    ],
  ];
  test.each(faults)('%s', async (_name, fault, requirement) => {
    await using place = await openService(petstore, fault());
    const report = await place.run({ fuzz: 1200, shrink: 0 });
    expect(invalid(report).join('\n')).toMatch(new RegExp(requirement, 'm'));
  });
});

describe('a fuzzing run keeps to its plan', () => {
  test('the same seed and clock send the same bytes', async () => {
    const bodies = async (): Promise<readonly (string | undefined)[]> => {
      await using place = await openMock(petstore);
      return (await place.run({ fuzz: 120 })).exchanges.map(
        ({ request }) => `${request.target} ${request.body ?? ''}`,
      );
    };
    expect(await bodies()).toEqual(await bodies());
  });

  test('every body meant to be refused breaks the contract, and every other one fits', async () => {
    await using place = await openMock(petstore);
    const node = petstore.operations.find(({ id }) => id === 'createPet')?.requestBody?.content[0]
      ?.schema;
    const sent = fuzzExchanges(await place.run({ fuzz: 300 })).filter(
      ({ request }) => request.body !== undefined,
    );
    const places = (body: string): number =>
      new Set(node?.validate(parseJson(body)).map(({ at }) => at)).size;
    expect(
      sent.filter(
        ({ intent, request }) => places(request.body ?? '') !== (intent.kind === 'invalid' ? 1 : 0),
      ),
    ).toEqual([]);
    expect(sent.some(({ intent }) => intent.kind === 'invalid')).toBe(true);
  });

  test('sends only reads if it may not write', async () => {
    await using place = await openMock(petstore);
    const report = await place.run({ fuzz: 60, readOnly: true });
    expect(fuzzExchanges(report)).toHaveLength(60);
    expect(report.exchanges.every(({ request }) => request.method === 'GET')).toBe(true);
  });

  test('no unplanned 429 with a small limit', async () => {
    await using place = await openService(petstore);
    const report = await place.run({ fuzz: 300 });
    expect(
      report.exchanges.filter(
        ({ outcome }) => outcome.kind === 'answered' && outcome.response.status === 429,
      ),
    ).toEqual([]);
  });
});
