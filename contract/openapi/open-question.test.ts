import { listRequirements } from '../../conformance/index.ts';
import { expect, test } from 'vitest';
import { loadContract } from '../load.ts';
import { loadSample, refusalOf, sampleText } from '../../test/contract/sample.ts';
import type { JsonValue } from '../json/value.ts';

const question = {
  id: 'order',
  kind: 'order',
  source: 'Lists',
  at: '#/info/title',
  question: 'In which order?',
  choices: [
    { id: 'up', description: 'Up.', by: 'id' },
    { id: 'down', description: 'Down.' },
  ],
  default: 'up',
};

test('a question keeps the members of its kind', async () => {
  const { openQuestions } = await loadSample({ 'x-unspecified': [{ ...question, paths: ['/x'] }] });
  expect(openQuestions).toEqual([
    {
      ...question,
      choices: [
        { id: 'up', description: 'Up.', details: { by: 'id' } },
        { id: 'down', description: 'Down.', details: {} },
      ],
      details: { paths: ['/x'] },
    },
  ]);
});

test('an unknown kind is a warning, and the question is kept', async () => {
  const { openQuestions, diagnostics } = await loadSample({
    'x-unspecified': [{ ...question, kind: 'colour' }],
  });
  expect(openQuestions.map(({ id, kind }) => [id, kind])).toEqual([['order', 'unknown']]);
  expect(diagnostics.filter(({ pointer }) => pointer === '#/x-unspecified/0/kind')).toHaveLength(1);
});

test.each<[string, JsonValue, readonly string[]]>([
  ['a list', question, [': has to be a list of questions']],
  [
    'with a default',
    [{ ...question, default: 'left' }],
    ['/0/default: left is none of the choices'],
  ],
  ['with ids', [question, question], ['/1/id: the id order is taken']],
  [
    'with choices',
    [{ ...question, choices: [{ id: 'up' }] }],
    ['/0/choices: has to be a list of at least two, each with its own id'],
  ],
  [
    'with ids of choices',
    [{ ...question, choices: [{ id: 'up' }, { id: 'up' }] }],
    ['/0/choices: has to be a list of at least two, each with its own id'],
  ],
  ['with a place', [{ ...question, at: '#/nowhere' }], ['/0/at: #/nowhere does not exist']],
  ['with a pointer', [{ ...question, at: 'info' }], ['/0/at: info does not exist']],
  [
    'with texts',
    [
      { ...question, kind: 1 },
      { ...question, question: 2 },
    ],
    ['/0/kind: has to be a text', '/1/question: has to be a text'],
  ],
  ['of objects', [7], ['/0: has to be an object']],
])('what is unspecified must be %s', async (_name, unspecified, lines) => {
  const found = await refusalOf({ text: sampleText({ 'x-unspecified': unspecified }) });
  expect(new Set(found)).toEqual(new Set(lines.map((line) => `#/x-unspecified${line}`)));
});

test('a question about a place that does not exist leaves the requirements readable', async () => {
  const choices = [{ id: 'a' }, { id: 'b' }];
  const entry = { id: 'q', kind: 'paging', at: 'text', question: 'Q?', choices, default: 'a' };
  const contract = await loadContract({ text: sampleText({ 'x-unspecified': [entry] }) });
  expect(listRequirements(contract).map(({ pointer }) => pointer)).toEqual(['']);
  expect(contract.diagnostics.map(({ message }) => message)).toContain('text does not exist');
});
