import { describe, expect, test } from 'vitest';
import {
  type Report,
  type RunOptions,
  commonChoices,
  compareReports,
} from '../../../conformance/index.ts';
import { hasCode } from '../../../contract/error/petstore-error.ts';
import { type Variant, mutants, variants } from '../../../selftest/index.ts';
import { seedPets } from '../../../selftest/service/service.ts';
import { createMock } from '../../../mock/index.ts';
import { createMockJudge, differingIds } from '../../../test/cli/like-mock.ts';
import { openService } from '../../../test/cli/target.ts';
import { petstore as contract } from '../../../test/contract/petstore.ts';

/** Choices that no run distinguishes from the document's default, by question. */
const unshownChoices: Readonly<Record<string, readonly string[]>> = {
  'anonymous-callers': ['together'],
  'ban-length': ['none', 'hour'],
  'counted-requests': ['all'],
  events: ['sent'],
  'experimental-operations': ['marked'],
  'key-issuance': ['scoped'],
  paging: ['query-parameters'],
  'plan-assignment': ['shared'],
  'status-transitions': ['elsewhere'],
};

/**
 * Two targets, one question. That a mock with the choices of a valid variant responds alike
 * is tested where the variants are tried, in selftest/variants.slow.test.ts.
 */
const driven: RunOptions = { plan: 'Free', exhaust: true, timeout: 2000 };

const judgeService = async (
  behaviour: ReturnType<Variant['behaviour']>,
  options: RunOptions = driven,
): Promise<Report> => {
  await using service = await openService(contract, behaviour, 'service-free');
  return await service.run(options);
};

const judgeMock = await createMockJudge(contract);

/** The report of a mock with these choices, the same for all who ask. */
const mockReport = (
  choices: Readonly<Record<string, string>>,
  options: RunOptions = driven,
): Promise<Report> => judgeMock(choices, options);

const failedIds = ({ verdicts }: Report): readonly string[] =>
  verdicts.filter(({ kind }) => kind === 'failed').map(({ requirement }) => requirement.id);

describe('a mock with another choice conforms, and differs in that question alone', () => {
  const long: RunOptions = { ...driven, requests: 240 };
  const canPlay = (choices: Readonly<Record<string, string>>): boolean => {
    try {
      return createMock(contract, { choices }).keys.length > 0;
    } catch (error) {
      if (hasCode(error, 'choice')) return false;
      throw error;
    }
  };
  const others = contract.openQuestions.flatMap(({ id: question, choices, default: preset }) =>
    choices
      .filter(({ id }) => id !== preset && canPlay({ [question]: id }))
      .map(({ id }) => ({ question, choice: id })),
  );
  const isShown = ({ question, choice }: (typeof others)[number]): boolean =>
    unshownChoices[question]?.includes(choice) !== true;

  test.for(others.filter(isShown))('$question=$choice', async ({ question, choice }) => {
    const other = await mockReport({ [question]: choice }, long);
    expect(failedIds(other)).toEqual([]);
    const comparison = compareReports(contract, await mockReport({}, long), other);
    expect(differingIds(comparison)).toEqual([question]);
    expect(commonChoices(comparison.choices[0]?.observations.b ?? [])).toContain(choice);
  });

  test.for(others.filter((each) => !isShown(each)))(
    'except $question=$choice, which no run shows',
    async ({ question, choice }) => {
      const other = await mockReport({ [question]: choice });
      expect(failedIds(other)).toEqual([]);
      const isKey = question === 'key-issuance';
      expect(differingIds(compareReports(contract, await mockReport({}), other))).toEqual(
        isKey ? ['createPet: status code'] : [],
      );
    },
  );
});

describe('a mutant is reported, on its side only', () => {
  const sound = {
    idle: judgeService({}, { ...driven, exhaust: false, exclusive: true }),
    driven: judgeService({}, { ...driven, exclusive: true }),
  };
  const sample = mutants.filter(({ needs }, index) => needs !== 'more' && index % 17 === 0);

  test.for(sample.map((mutant) => ({ id: mutant.id, mutant })))('$id', async ({ mutant }) => {
    const exhaust = mutant.needs === 'exhaust';
    const options = { ...driven, exhaust, exclusive: true };
    const without = await (exhaust ? sound.driven : sound.idle);
    const faulty = await judgeService(mutant.behaviour(), options);
    const failed = compareReports(contract, without, faulty).failures.map(
      ({ requirement, verdicts }) => ({
        id: requirement.id,
        isLeft: verdicts.a.kind === 'failed',
        isRight: verdicts.b.kind === 'failed',
      }),
    );
    expect(failed).toContainEqual({ id: mutant.breaks[0], isLeft: false, isRight: true });
    expect(failed.filter(({ id, isLeft }) => isLeft || !mutant.breaks.includes(id))).toEqual([]);
    const turned = compareReports(contract, faulty, without).failures;
    expect(
      turned.map(({ requirement, verdicts }) => ({
        id: requirement.id,
        isLeft: verdicts.a.kind === 'failed',
        isRight: verdicts.b.kind === 'failed',
      })),
    ).toEqual(failed.map(({ id }) => ({ id, isLeft: true, isRight: false })));
    expect(
      differingIds(
        compareReports(contract, faulty, await judgeService(mutant.behaviour(), options)),
      ),
    ).toEqual([]);
  });
});

describe('what servers need not share is not a difference', () => {
  const other = {
    seed: () =>
      seedPets(8).map((pet) => ({
        ...pet,
        id: pet.id + 1000n,
        categoryId: 77n,
        name: `Other ${pet.name}`,
      })),
  };

  test('other items, identifiers, categories and limits of conforming servers', async () => {
    await using busy = await openService(contract, other, 'service-business');
    expect(
      differingIds(
        compareReports(
          contract,
          await judgeService({}, { requests: 60 }),
          await busy.run({ requests: 60 }),
        ),
      ),
    ).toEqual([]);
  });

  test.for(
    [
      'created-id-null-without-status',
      'created-in-data',
      'list-text-bom',
      'name-html-escaped-list',
      'refused-in-error',
      'status-available-list',
      'category-id-beyond-double-refused',
    ].flatMap((id) => mutants.filter((each) => each.id === id)),
  )(
    'other items, identifiers and categories of servers with the fault $id',
    async ({ behaviour }) => {
      const options = { plan: 'Free' };
      expect(
        differingIds(
          compareReports(
            contract,
            await judgeService(behaviour(), options),
            await judgeService({ ...other, ...behaviour() }, options),
          ),
        ),
      ).toEqual([]);
    },
  );
});

describe('servers that differ in data and delivery alone do not differ', () => {
  const rows = variants.filter(({ id }) => /^(delivery|header|identifier|neighbour)-/.test(id));
  const sound = judgeService({}, { plan: 'Free', timeout: 2000 });

  test('there are such variants', () => {
    expect(rows.length).toBeGreaterThan(15);
  });

  test.for(rows.map((variant) => ({ id: variant.id, variant })))('$id', async ({ variant }) => {
    const report = await judgeService(variant.behaviour(), { plan: 'Free', timeout: 2000 });
    const { failures, responses } = compareReports(contract, await sound, report);
    expect([...failures, ...responses].map(({ requirement }) => requirement.id)).toEqual([]);
  });
});

test('lists that leave a member out differ from lists that show it', async () => {
  const short = variants.find(({ id }) => id === 'member-short-in-list');
  const { outcome, responses } = compareReports(
    contract,
    await judgeService({}, { plan: 'Free' }),
    await judgeService(short?.behaviour() ?? {}, { plan: 'Free' }),
  );
  expect(outcome).toBe('different');
  expect(responses).toContainEqual(
    expect.objectContaining({ member: 'status', shown: { a: 'as sent', b: 'left out' } }),
  );
});

describe('both break a requirement', () => {
  const judgeFault = (id: string): Promise<Report> =>
    judgeService(mutants.find((each) => each.id === id)?.behaviour() ?? {}, { plan: 'Free' });

  test.for([
    ['created-text-cut-at-nul', 'created-bytes-latin1', 'createPet/response.201.body'],
    ['name-html-escaped-list', 'name-in-capitals-list', 'listPets/state.read.name'],
    [
      'category-id-beyond-double-refused',
      'category-id-zero-500',
      'createPet/request.body.categoryId.taken',
    ],
  ] as const)('in different ways: %s and %s', async ([a, b, requirement]) => {
    const { failures } = compareReports(contract, await judgeFault(a), await judgeFault(b));
    expect(failures.find((each) => each.requirement.id === requirement)?.verdicts).toMatchObject({
      a: { kind: 'failed' },
      b: { kind: 'failed' },
    });
  });
});
