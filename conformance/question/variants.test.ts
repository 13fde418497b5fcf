import { describe, expect, test } from 'vitest';
import { createService, variants } from '../../selftest/index.ts';
import { listen } from '../../selftest/service/listener.ts';
import { type Pet, seedPets, type ServiceBehaviour } from '../../selftest/service/service.ts';
import { commonChoices, runConformance, type Report } from '../index.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

async function judge(behaviour: Partial<ServiceBehaviour>, exhaust = false): Promise<Report> {
  const clock = createStillClock();
  const service = await listen(createService(behaviour, clock));
  try {
    return await runConformance(
      contract,
      { baseUrl: service.baseUrl, apiKey: 'service-free' },
      { plan: 'Free', requests: 60, longestWait: 90_000_000, clock, exhaust },
    );
  } finally {
    await service.close();
  }
}

const judgeVariant = (id: string, exhaust = false): Promise<Report> =>
  judge(variants.find((each) => each.id === id)?.behaviour() ?? {}, exhaust);

const orElse = (choices: readonly string[]): readonly string[] =>
  choices.length === 0 ? ['else'] : choices;

/** The choices that fit; `else` for none. */
function choicesOf(report: Report, question: string): readonly string[] {
  const verdict = report.verdicts.find(
    ({ requirement }) => requirement.id === `*/open.${question}`,
  );
  return verdict?.kind === 'open' ? orElse(commonChoices(verdict.observations)) : [];
}

describe('a refusal is attributed to the one question that explains it', () => {
  test.each([
    ['name-at-most-50', { 'name-limits': ['else'], 'category-existence': ['any'] }],
    ['name-at-most-255', { 'name-limits': ['at-most-255'], 'category-existence': ['any'] }],
    ['name-printable', { 'name-limits': ['printable'], 'category-existence': ['any'] }],
    ['category-must-exist', { 'name-limits': ['none'], 'category-existence': ['must-exist'] }],
    ['category-one-exists', { 'name-limits': ['none'], 'category-existence': ['must-exist'] }],
  ])('%s', async (id, expected) => {
    const report = await judgeVariant(id);
    expect(
      Object.fromEntries(
        Object.keys(expected).map((question) => [question, choicesOf(report, question)]),
      ),
    ).toEqual(expected);
  });

  test('records that a list showed do not prove that any id is accepted', async () => {
    const known = [
      1n,
      0n,
      9_007_199_254_740_993n,
      9_223_372_036_854_775_807n,
      -9_223_372_036_854_775_808n,
    ];
    const seed = (): readonly Pet[] =>
      known.map((categoryId, index) => ({
        id: BigInt(index + 1),
        name: 'Old',
        categoryId,
        status: 'sold',
        rest: {},
      }));
    const checkCategoryId: ServiceBehaviour['checkCategoryId'] = (value) =>
      typeof value === 'bigint' && known.includes(value)
        ? undefined
        : 'categoryId names no category.';
    expect(choicesOf(await judge({ seed, checkCategoryId }), 'category-existence')).not.toContain(
      'any',
    );
  });

  test('a key without the right to add proves nothing about additions', async () => {
    const report = await judgeVariant('key-may-only-read');
    expect(
      ['key-issuance', 'malformed-body', 'name-limits', 'client-id'].map((question) =>
        choicesOf(report, question),
      ),
    ).toEqual([['scoped'], [], [], []]);
  });

  test('a key that every operation accepts proves nothing about other keys', async () => {
    expect(choicesOf(await judge({}), 'key-issuance')).toEqual([]);
  });
});

describe('a choice means what the document says', () => {
  test.each([
    ['query-refused-422', 'invalid-limit', ['else']],
    ['query-refused-422', 'unknown-status', ['else']],
    ['error-status-phrase', 'error-codes', ['status-phrase']],
    ['query-status-ignored', 'error-codes', ['reason']],
    ['status-default-varies', 'status-default', ['else']],
  ])('%s: %s', async (id, question, expected) => {
    expect(choicesOf(await judgeVariant(id), question)).toEqual(expected);
  });

  test.each([
    ['text', ['text']],
    ['html', ['else']],
    ['empty', ['empty']],
  ])('a 429 with a body of kind %s', async (kind, expected) => {
    expect(choicesOf(await judgeVariant(`retry-body-${kind}`, true), 'rate-limit-body')).toEqual(
      expected,
    );
  });

  test.each([
    [4, ['clamped', 'ignored']],
    [60, ['clamped']],
    [150, ['clamped']],
  ])(
    'clamping a limit above the maximum is shown by a list of %d, as far as possible',
    async (pets, expected) => {
      const clamped = variants.find(({ id }) => id === 'query-limit-clamped')?.behaviour() ?? {};
      expect(
        choicesOf(await judge({ ...clamped, seed: () => seedPets(pets) }), 'invalid-limit'),
      ).toEqual(expected);
      const ignored = variants.find(({ id }) => id === 'query-limit-ignored')?.behaviour() ?? {};
      expect(
        choicesOf(await judge({ ...ignored, seed: () => seedPets(pets) }), 'invalid-limit'),
      ).toEqual(pets === 4 ? expected : ['ignored']);
    },
  );
});
