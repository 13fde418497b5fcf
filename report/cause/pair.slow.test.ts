import { describe, expect, test } from 'vitest';
import { mutants, type Mutant } from '../../selftest/index.ts';
import { idsOf, judgeParts } from '../../test/report/causes.ts';

const plain = mutants.filter(({ needs, hangs }) => needs === undefined && hangs === undefined);

/** Each is so far from the other in the list that the pairs are of all families; some of each stride. */
const strides = [
  { factor: 7, offset: 311, first: 0 },
  { factor: 13, offset: 53, first: 3 },
  { factor: 29, offset: 150, first: 5 },
];
const pairs = strides.flatMap(({ factor, offset, first }) =>
  plain
    .map((one, index): readonly [Mutant, Mutant] => [
      one,
      plain[(index * factor + offset) % plain.length] ?? one,
    ])
    .filter(([one, other], index) => index % 6 === first && isDisjoint(one, other)),
);

function isDisjoint(one: Mutant, other: Mutant): boolean {
  const parts = new Set(Object.keys(one.behaviour()));
  return Object.keys(other.behaviour()).every((part) => !parts.has(part));
}

describe('two faults in one service', () => {
  test('are tried in many pairs', () => {
    expect(pairs.length).toBeGreaterThan(40);
  });

  test.for(pairs.map(([one, other]) => ({ id: `${one.id} and ${other.id}`, one, other })))(
    '$id are not described as one',
    async ({ one, other }) => {
      const { report, causes } = await judgeParts(() => ({
        ...one.behaviour(),
        ...other.behaviour(),
      }));
      const failed = report.verdicts.flatMap(({ kind, requirement: { id } }) =>
        kind === 'failed' ? [id] : [],
      );
      const [first, second] = [ownOf(one, other), ownOf(other, one)];
      const isBoth = [first, second].every((own) => failed.some((id) => own.has(id)));
      const shared = causes.filter((cause) =>
        [first, second].every((own) => idsOf(cause).some((id) => own.has(id))),
      );
      expect(shared.map(({ sentence }) => sentence)).toEqual([]);
      expect(causes.length).toBeGreaterThanOrEqual(isBoth ? 2 : 1);
    },
  );
});

/** What one mutant breaks and the other does not; what one refuses may crash by the other. */
function ownOf(one: Mutant, other: Mutant): ReadonlySet<string> {
  const own = one.breaks.filter((id) => !id.endsWith('/robustness.no-server-error'));
  return new Set(own).difference(new Set(other.breaks));
}
