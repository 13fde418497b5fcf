import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memberOf, readProjectJson } from './manifest.ts';
import { projectRoot } from './project-files.ts';

const textOf = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/** Of a record of the self-test: how many different mutants and lawful variants it ran. */
const distinctIn = (path: string, kind: string): number =>
  Number(memberOf(memberOf(readProjectJson(path), kind), 'distinct'));

/** What a page says: a number, with "some" before it within a twentieth of the truth. */
const figures = [
  ['README.md', /(some )?([\d,]+) mutants and/, 'fixtures/selftest.json', 'mutants'],
  ['README.md', /mutants and (some )?([\d,]+) lawful\s/, 'fixtures/selftest.json', 'variants'],
  ['docs/clients.md', /(some )?([\d,]+) habits/, 'fixtures/selftest-clients.json', 'mutants'],
  [
    'docs/clients.md',
    /and (some )?([\d,]+) lawful clients/,
    'fixtures/selftest-clients.json',
    'variants',
  ],
] as const;

test.each(figures)('%s tells a number as it is: %s', (page, pattern, record, kind) => {
  const [, some, figure = ''] = pattern.exec(textOf(page)) ?? [];
  const [told, truth] = [Number(figure.replaceAll(',', '')), distinctIn(record, kind)];
  const tolerance = some === undefined ? 0 : truth / 20;
  expect(Math.abs(told - truth)).toBeLessThanOrEqual(tolerance);
});

test('README tells no count of tests, which changes with every one', () => {
  expect(textOf('README.md')).not.toMatch(/\d passed/);
});
