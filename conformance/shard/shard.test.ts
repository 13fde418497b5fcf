import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { books } from '../../test/contract/books.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { openMock } from '../../test/cli/target.ts';
import { listFuzzProbes } from '../fuzz/fuzz.ts';
import { createRandom } from '../generate/random.ts';
import { createTags } from '../generate/tag.ts';
import type { Report } from '../run/report.ts';
import { dealParts } from './shard.ts';
import { parseShard } from './shard.ts';

const sizes = { fuzz: fc.nat({ max: 4000 }), count: fc.integer({ min: 1, max: 40 }) };

describe('the fuzzing of shards', () => {
  test.each([
    ['pets', petstore],
    ['books', books],
  ])('gives each part to exactly one shard: %s', (_, contract) => {
    const context = { contract, plan: undefined, random: createRandom(1), nearMisses: undefined };
    const listed = (...given: [number, boolean, { index: number; count: number }?]) => {
      const [fuzz, readOnly, shard] = given;
      const probes = listFuzzProbes(context, fuzz, readOnly, shard && { ...shard, suite: '' });
      return probes.map(({ id, requests }) => `${id} ${requests}`);
    };
    fc.assert(
      fc.property(sizes.fuzz, sizes.count, fc.boolean(), (fuzz, count, readOnly) => {
        const shards = Array.from({ length: count }, (__, index) =>
          listed(fuzz, readOnly, { index: index + 1, count }),
        );
        expect(shards.flat().toSorted()).toEqual(listed(fuzz, readOnly).toSorted());
        expect(new Set(shards.flat()).size).toBe(shards.flat().length);
      }),
      { numRuns: 60 },
    );
  });

  test('is spread evenly by kind and by requests', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            kind: fc.constantFrom('a', 'b', 'c'),
            requests: fc.integer({ min: 1, max: 24 }),
          }),
          { maxLength: 200 },
        ),
        sizes.count,
        (parts, count) => {
          const hands = dealParts(parts, count);
          expect(hands).toHaveLength(count);
          for (const kind of ['a', 'b', 'c']) {
            const held = hands.map((hand) => hand.filter((part) => part.kind === kind).length);
            expect(Math.max(...held) - Math.min(...held)).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });

  test('is the same as in a run without shards', async () => {
    const probesOf = ({ exchanges }: Report) =>
      new Set(exchanges.map(({ probe }) => probe).filter((probe) => probe.includes('/fuzz ')));
    const run = async (shard?: { index: number; count: number }) => {
      await using place = await openMock(petstore);
      return await place.run({ fuzz: 400, ...(shard && { shard: { ...shard, suite: '' } }) });
    };
    const whole = await run();
    const reports = [];
    for (const index of [1, 2, 3]) reports.push(await run({ index, count: 3 }));
    const sent = reports.map(probesOf);
    expect(sent.flatMap((probes) => [...probes]).toSorted()).toEqual(
      [...probesOf(whole)].toSorted(),
    );
    expect(reports.reduce((sum, { run: { shard } }) => sum + (shard?.share ?? 0), 0)).toBe(400);
    const plan = ({ exchanges }: Report) =>
      exchanges.filter(({ probe }) => !probe.includes('/fuzz ')).map(({ probe }) => probe);
    for (const report of reports) expect(plan(report)).toEqual(plan(whole));
  });
});

test('shards that start together have different tags', () => {
  const tags = Array.from(
    { length: 1001 },
    (_, shard) => createTags(1, 1_790_000_000_000, shard).tag,
  );
  expect(new Set(tags).size).toBe(1001);
});

test('a shard without a part is refused', async () => {
  await using place = await openMock(petstore);
  await expect(place.run({ fuzz: 40, shard: { index: 3, count: 3, suite: '' } })).rejects.toThrow(
    'There is nothing to send for shard 3 of 3',
  );
});

test.each(['0/8', '9/8', '3', '3/', '1/1001', 'a/b', '1/2/3', '-1/2', '1.5/2'])(
  '%s is not a shard',
  (text) => {
    expect(() => parseShard(text)).toThrow(`not "${text}"`);
  },
);
