import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  type Comparison,
  type Report,
  type RunOptions,
  compareReports,
} from '../../../conformance/index.ts';
import { renderJsonReport } from '../../../report/index.ts';
import { isJsonObject, loadContract, parseJson, hasCode } from '../../../contract/index.ts';
import { type Variant, mutants, variants } from '../../../selftest/index.ts';
import { seedPets } from '../../../selftest/service/inventory.ts';
import { createMock } from '../../../mock/index.ts';
import { parseLikeness } from '../mock/like.ts';
import { packageFile } from '../../package/package-root.ts';
import { openMock, openService } from '../../testing/target.ts';
import { unaskedQuestions, unlikeVariants } from '../../testing/unlike-variants.ts';

/**
 * Two targets, one question: the closed loop over every lawful variant, and the other directions.
 */
const contract = await loadContract({ file: packageFile('openapi.yaml') });
const inventory = parseJson(await readFile(packageFile('fixtures/inventory.json'), 'utf8'));
const seed = isJsonObject(inventory) ? inventory : {};
const driven: RunOptions = { plan: 'Free', exhaust: true, timeout: 2000 };
const readOnlyKey = 'free_a-readonly';

const judgeService = async (
  behaviour: ReturnType<Variant['behaviour']>,
  options: RunOptions = driven,
): Promise<Report> => {
  await using service = await openService(contract, behaviour, 'service-free');
  return await service.run(options);
};

const judgeMock = async (
  choices: Readonly<Record<string, string>>,
  options: RunOptions,
): Promise<Report> => {
  await using mock = await openMock(
    contract,
    { seed, choices },
    choices['key-issuance'] === 'scoped' ? readOnlyKey : 'demo-free',
  );
  return await mock.run(options);
};

const judged = new Map<string, Promise<Report>>();

/** The report of a mock with these choices, the same for all who ask. */
const mockReport = (
  choices: Readonly<Record<string, string>>,
  options: RunOptions = driven,
): Promise<Report> => {
  const key = JSON.stringify([choices, options]);
  const report = judged.get(key) ?? judgeMock(choices, options);
  judged.set(key, report);
  return report;
};

/** The ids of what differs, requirements and open questions. */
const told = ({ failures, choices }: Comparison): readonly string[] => [
  ...failures.map(({ requirement }) => requirement.id),
  ...choices.map(({ question }) => question),
];

describe('a mock that was told the choices of a server answers as that server does', () => {
  const unlike = new Map(
    unlikeVariants.flatMap(({ variants: ids, differs }) => ids.map((id) => [id, differs] as const)),
  );

  test.for(variants.map((variant) => ({ id: variant.id, variant })))(
    '$id',
    async ({ id, variant }) => {
      const report = await judgeService(variant.behaviour());
      const { choices } = parseLikeness(contract, 'report.json', renderJsonReport(report));
      const comparison = compareReports(contract, report, await mockReport(choices));
      expect(told(comparison)).toEqual(unlike.get(id) ?? []);
      expect(comparison.compared.questions).toBeGreaterThan(6);
    },
  );

  test('the exceptions are variants that there are', () => {
    const known = new Set(variants.map(({ id }) => id));
    expect([...unlike.keys()].filter((id) => !known.has(id))).toEqual([]);
  });
});

describe('a mock with another choice differs in that question alone', () => {
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
  const isAsked = ({ question, choice }: (typeof others)[number]): boolean =>
    !unaskedQuestions.includes(question) &&
    !(question === 'paging' && choice === 'query-parameters');

  test.for(others.filter(isAsked))('$question=$choice', async ({ question, choice }) => {
    const comparison = compareReports(
      contract,
      await mockReport({}, long),
      await mockReport({ [question]: choice }, long),
    );
    const beside = choice === 'scoped' ? ['*/auth.exact'] : [];
    expect(told(comparison)).toEqual([...beside, question]);
    const shown = comparison.choices[0]?.observations.b.map((each) => each.choice);
    expect(new Set(shown)).toEqual(new Set([choice]));
  });

  test.for(others.filter((each) => !isAsked(each)))(
    'but for $question=$choice, about which nobody asks',
    async ({ question, choice }) => {
      expect(
        told(
          compareReports(contract, await mockReport({}), await mockReport({ [question]: choice })),
        ),
      ).toEqual([]);
    },
  );

  test('every question is asked or named', () => {
    const asked = new Set(others.filter(isAsked).map(({ question }) => question));
    expect([...asked, ...unaskedQuestions].toSorted()).toEqual(
      contract.openQuestions.map(({ id }) => id).toSorted(),
    );
  });
});

describe('a mutant is told, on its side only', () => {
  const sound = { idle: judgeService({}, { ...driven, exhaust: false }), driven: judgeService({}) };
  const sample = mutants.filter(
    ({ needs }, index) => needs !== 'fuzz' && needs !== 'more' && index % 17 === 0,
  );

  test.for(sample.map((mutant) => ({ id: mutant.id, mutant })))('$id', async ({ mutant }) => {
    const exhaust = mutant.needs === 'exhaust';
    const options = { ...driven, exhaust };
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
      told(compareReports(contract, faulty, await judgeService(mutant.behaviour(), options))),
    ).toEqual([]);
  });
});

describe('what servers need not share is no difference', () => {
  const other = {
    seed: () =>
      seedPets(30).map((pet) => ({
        ...pet,
        id: pet.id + 1000n,
        categoryId: 77n,
        name: `Other ${pet.name}`,
      })),
  };

  test('of servers that conform, other items, identifiers, categories and limits', async () => {
    await using busy = await openService(contract, other, 'service-business');
    expect(
      told(
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
      'created-id-string',
      'created-category-link',
      'list-as-text',
      'name-cut-32-list',
      'refused-page',
      'status-next-created',
      'category-id-smallest-refused',
      'single-header-reset-fraction',
    ].flatMap((id) => mutants.filter((each) => each.id === id)),
  )(
    'of servers with the fault $id, other items, identifiers and categories',
    async ({ behaviour }) => {
      const options = { plan: 'Free' };
      expect(
        told(
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

describe('both break a requirement', () => {
  const judgeFault = (id: string): Promise<Report> =>
    judgeService(mutants.find((each) => each.id === id)?.behaviour() ?? {}, { plan: 'Free' });

  test.for([
    ['created-id-string', 'created-id-object', 'createPet/response.201.body.id.type'],
    ['name-cut-32-list', 'name-in-capitals-list', 'listPets/state.read.name'],
  ] as const)('in other ways: %s and %s', async ([a, b, requirement]) => {
    const { failures } = compareReports(contract, await judgeFault(a), await judgeFault(b));
    expect(failures.find((each) => each.requirement.id === requirement)?.verdicts).toMatchObject({
      a: { kind: 'failed' },
      b: { kind: 'failed' },
    });
  });
});
