import { describe, expect, test } from 'vitest';
import type { Failure, RunReport } from '../../conformance/index.ts';
import { statusOf } from '../../conformance/transport/exchange.ts';
import { mutants, type Mutant } from '../../selftest/index.ts';
import { judgeParts } from '../../test/report/causes.ts';
import type { CauseFinding } from './causes.ts';

const plain = mutants.filter(({ needs, hangs }) => needs === undefined && hangs === undefined);

/** Each is so far from the other in the list that the pairs are of all families; some of each stride. */
const strides = [
  { factor: 7, offset: 311, first: 0 },
  { factor: 13, offset: 53, first: 3 },
  { factor: 29, offset: 150, first: 4 },
];
const pairs = strides.flatMap(({ factor, offset, first }) =>
  plain
    .map((one, index): readonly [Mutant, Mutant] => [
      one,
      plain[(index * factor + offset) % plain.length] ?? one,
    ])
    .filter(([one, other], index) => index % 5 === first && isDisjoint(one, other)),
);

/** Two changes of one member look alike. */
function isDisjoint(one: Mutant, other: Mutant): boolean {
  if ([one, other].every(({ breaks }) => breaks.some((id) => id.endsWith('.name')))) return false;
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
      const shared = causes.filter(({ findings }) => {
        const [of, ofOther] = [
          showing(findings, first, (failure) => crashes(one) || !isCrash(report, failure)),
          showing(findings, second, (failure) => crashes(other) || !isCrash(report, failure)),
        ];
        return of.size > 0 && ofOther.size > 0 && of.isDisjointFrom(ofOther);
      });
      expect(shared.map(({ sentence }) => sentence)).toEqual([]);
      expect(causes.length).toBeGreaterThanOrEqual(isBoth ? 2 : 1);
    },
  );
});

/** What one mutant breaks and the other does not; what one refuses may crash by the other. */
function ownOf(one: Mutant, other: Mutant): ReadonlySet<string> {
  const own = one.breaks.filter((id) => !isOfCrash(id));
  return new Set(own).difference(new Set(other.breaks));
}

/** The exchanges in which a cause has failures of one fault. */
function showing(
  findings: readonly CauseFinding[],
  own: ReadonlySet<string>,
  isOwn: (failure: Failure) => boolean,
): ReadonlySet<number> {
  const some = findings.filter(({ requirement: { id } }) => own.has(id));
  return new Set(
    some.flatMap(({ failures }) => failures.filter(isOwn)).map((each) => each.exchange),
  );
}

const isOfCrash = (id: string): boolean => id.endsWith('/robustness.no-server-error');

const crashes = ({ breaks }: Mutant): boolean => breaks.some(isOfCrash);

/** What both faults would break in one request is a failure of the one that crashes. */
function isCrash({ exchanges }: RunReport, { exchange }: Failure): boolean {
  const found = exchanges.find(({ index }) => index === exchange);
  return found !== undefined && (statusOf(found) ?? 0) >= 500;
}
