import { expect, test } from 'vitest';
import { add, get, list, composeLog, valid, type LogEntry } from '../../test/conformance/log.ts';
import { commonChoices } from '../judge/trace/finding.ts';
import { judge } from '../judge/verdict.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const rex = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' };
const unknown = { intent: valid([], ['category-existence']), status: 400 };

const orElse = (choices: readonly string[]): readonly string[] =>
  choices.length === 0 ? ['other'] : choices;

/** The choices that a log shows of a question; `other` for what the document does not list. */
function choicesOf(log: readonly LogEntry[], question: string): readonly string[] {
  const verdicts = judge(contract, composeLog(contract, log), {
    plan: 'Free',
    whyNotTested: () => ({ kind: 'not-shown' }),
  });
  const found = verdicts.find(({ requirement }) => requirement.id === `*/open.${question}`);
  return found?.kind === 'open' ? orElse(commonChoices(found.observations)) : [];
}

test.for<readonly [string, readonly LogEntry[], string, readonly string[]]>([
  ['nothing is known without a request', [], 'key-issuance', []],
  [
    'every operation serves the key, and others may have fewer rights',
    [list([rex]), add({ name: 'Rex', categoryId: 1 }, rex), get(1, rex)],
    'key-issuance',
    [],
  ],
  ['some operations were not tried', [list([rex])], 'key-issuance', []],
  [
    'an operation always answers 403',
    [list([rex]), get(1, undefined, { status: 403 })],
    'key-issuance',
    ['scoped'],
  ],
  [
    'a category that nobody has shown is refused',
    [add({ name: 'Rex', categoryId: 9 }, undefined, unknown)],
    'category-existence',
    ['must-exist'],
  ],
  [
    'a category that nobody has shown is refused in a way that no choice has',
    [add({ name: 'Rex', categoryId: 9 }, undefined, { ...unknown, status: 422 })],
    'category-existence',
    ['other'],
  ],
  [
    'two questions may explain a refusal: then it shows neither',
    [
      add({ name: 'Rex', categoryId: 9 }, undefined, {
        status: 400,
        intent: valid([], ['category-existence', 'name-limits']),
      }),
    ],
    'category-existence',
    [],
  ],
  [
    'a list without a hint at further pages',
    [
      list(Array.from({ length: 21 }, (_, id) => ({ ...rex, id }))),
      list(Array.from({ length: 20 }, (_, id) => ({ ...rex, id }))),
    ],
    'paging',
    ['none', 'query-parameters'],
  ],
])('%s', ([, log, question, expected]) => {
  expect(choicesOf(log, question)).toEqual(expected);
});
