import { expect, test } from 'vitest';
import { parseJson } from '../../contract/json/value.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { renderJsonReport } from '../../report/json.ts';
import { mutants } from '../index.ts';
import { judgeSubject } from '../trial.ts';
import { findFalseFacts } from './facts.ts';

async function judge(id: string) {
  const mutant = mutants.find((each) => each.id === id);
  if (mutant === undefined) throw new RangeError(`no mutant has the id ${id}`);
  const options = { seed: 1, requests: 60, isOverNetwork: false } as const;
  const report = await judgeSubject(petstore, mutant, options);
  return { report, text: renderJsonReport(report, petstore) };
}

/** A statement of a report on a mutant, and a false version of it. */
const forgeries: readonly (readonly [string, id: string, was: RegExp, is: string])[] = [
  ['more requests than the log has', 'name-trimmed', /"requests": (\d+),/, '"requests": 999,'],
  ['more were tested than sent', 'name-trimmed', /"tested": (\d+)/, '"tested": 999'],
  ['a count of verdicts', 'name-trimmed', /"passed": (\d+),/, '"passed": 1,'],
  ['of how many', 'category-id-zero-500', /"of": (\d+)/, '"of": 1'],
  ['no other', 'category-id-zero-500', /"others": (\d+)/, '"others": 0'],
  ['found elsewhere', 'category-id-zero-500', /"elsewhere": 0/, '"elsewhere": 1'],
  [
    'another status',
    'category-id-zero-500',
    /"kind": "status",\s+"status": 500/,
    '"kind": "status", "status": 501',
  ],
  ['a value that did not come back', 'name-trimmed', /"shown": ".{6}/, '"shown": "\\"none'],
  ['a limit that was exhausted', 'name-trimmed', /"kind": "not-exhausted"/, '"kind": "read-only"'],
  ['a selection', 'name-trimmed', /"kind": "not-shown"/, '"kind": "not-selected"'],
];

test.for(forgeries)('a false statement is detected: %s', async ([, id, was, is]) => {
  const { report, text } = await judge(id);
  expect(findFalseFacts(report, parseJson(text))).toEqual([]);
  expect(text).toMatch(was);
  expect(findFalseFacts(report, parseJson(text.replace(was, is)))).not.toEqual([]);
});
