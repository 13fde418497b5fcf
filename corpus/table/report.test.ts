import { expect, test } from 'vitest';
import { loadedResult, refusedResult, row } from '../testing/results.ts';
import { progressLine } from './progress-line.ts';
import { renderMarkdownReport, renderTextReport, replaceBetweenMarkers } from './report.ts';

const ours = [
  loadedResult('first', [row('list', { body: 'valid' })], { seconds: 2 }),
  refusedResult('second', 'petstore mock: second.yaml#/paths/~1a|b: is not allowed here'),
];
const prism = [loadedResult('first', [row('list', { body: 'invalid' })])];
const documents = ours.map(({ id }) => ({
  id,
  file: id,
  openapi: '',
  source: `github:some/${id}`,
}));

test('the terminal shows documents, causes, and the sum for each server last', () => {
  const text = renderTextReport(
    new Map([
      ['ours', ours],
      ['prism', prism],
    ] as const),
  );
  const lines = text.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '));
  expect(lines).toContain('first | 3.1.0 | yes | 100 | 1/1 | 1/1');
  expect(lines).toContain('load: is not allowed here | 1 | 1 | second #/paths/~1a|b');
  expect(lines).toContain('documents that load | 50 % (1/2) | 100 % (1/1)');
  expect(lines).toContain('2xx JSON bodies valid by their schema | 100 % (1/1) | 0 % (0/1)');
});

test('a page names the sources, and its cells hold no bare bar', () => {
  const page = replaceBetweenMarkers(
    'Before.\n\n<!-- corpus:start -->\nold\n<!-- corpus:end -->\n',
    renderMarkdownReport(new Map([['ours', ours]] as const), documents),
  );
  expect(page).toContain('| documents that load | 50 % (1/2) |');
  expect(page).toContain('some/second |');
  expect(page).toContain(String.raw`~1a\|b`);
  expect(page).not.toContain('old');
  expect(() => replaceBetweenMarkers('no markers', '')).toThrow('corpus:start');
});

test('progress is a line for each document', () => {
  expect(ours.map(progressLine)).toEqual([
    'first: 100 ms, 2xx 100 % (1/1), valid 100 % (1/1), pairs none, 2 s',
    'second: does not load: petstore mock: second.yaml#/paths/~1a|b: is not allowed here',
  ]);
  expect(progressLine({ id: 'third', openapi: '', state: 'timed-out' })).toBe('third: timed-out');
});
