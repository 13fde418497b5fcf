import { expect, test } from 'vitest';
import type { Parts } from '../../selftest/service/behaviour.ts';
import { headerOf } from '../../conformance/index.ts';
import { judgeParts } from '../../test/report/causes.ts';

/** A service whose Remaining is one value, but for every `nth` response. */
function showing(value: string, nth: number): () => Parts {
  return () => {
    let count = 0;
    return {
      finish: (wire) => {
        count += 1;
        return count % nth === 0
          ? wire
          : { ...wire, headers: { ...wire.headers, 'X-RateLimit-Remaining': value } };
      },
    };
  };
}

const name = 'X-RateLimit-Remaining';

test.each([
  ['42', 1000],
  ['42', 30],
  ['42', 7],
  ['42', 2],
  ['1', 9],
])(
  '%s in all but every %dth response: a count is of all that show the value',
  async (value, nth) => {
    const { report, causes } = await judgeParts(showing(value, nth));
    const values = report.exchanges.flatMap(({ outcome }) =>
      outcome.kind === 'answered' ? (headerOf(outcome.response, name) ?? []) : [],
    );
    const own = causes.filter(({ fact: { kind } }) => kind === 'quota-header');
    expect(own).not.toEqual([]);
    const wrong = own.filter(({ fact, exchanges, sentence }) => {
      if (fact.outcome.kind !== 'header-value')
        return !sentence.startsWith(`${name} is wrong, such as`);
      const { value: said } = fact.outcome;
      const count = values.filter((each) => each === said).length;
      const words = `is "${said}" in ${count} of ${values.length} responses`;
      return exchanges.length !== count || !sentence.includes(words);
    });
    expect(wrong).toEqual([]);
  },
);
