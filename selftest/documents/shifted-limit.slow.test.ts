import { expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { serveDocument } from '../../test/conformance/judge-document.ts';
import { loadContract } from '../../contract/index.ts';
import { type ShiftedLimit, listShiftedLimits } from './shifted-limit.ts';

const names = [
  'books',
  'shapes/envelope-page',
  'shapes/error-shapes',
  'shapes/patterns',
  'shapes/singleton',
  'shapes/views',
  'troubles/swagger-2',
  'troubles/wrong-member-types',
];

/** Most limits of one document that are shifted: the run of a large one takes a second. */
const most = 8;
const seed = 1;

const documents = await Promise.all(
  names.map(async (name) => {
    const file = packageFile(`fixtures/documents/${name}.yaml`);
    const contract = await loadContract({ file });
    return { name, contract, limits: choose(await listShiftedLimits(contract)) };
  }),
);

/** As many as a document may have, spread over all of them. */
function choose(limits: readonly ShiftedLimit[]): readonly ShiftedLimit[] {
  const step = Math.max(1, limits.length / most);
  return limits.filter((_limit, at) => Math.floor((at + seed) % step) === 0);
}

const verdicts: string[] = [];

const cases = documents.flatMap(({ name, contract, limits }) =>
  limits.map((limit) => ({ name, contract, ...limit })),
);

test.for(cases)('$name: $id', async ({ contract, served, breaks }) => {
  const judge = await serveDocument(served);
  const kinds: string[] = [];
  while (kinds.length < 2) {
    const report = await judge(contract, { seed, requests: 400 });
    const found = breaks.map(
      (id) => report.verdicts.find(({ requirement }) => requirement.id === id)?.kind,
    );
    const isFound = found.includes('failed');
    kinds.push(isFound ? 'failed' : (found[0] ?? 'none'));
  }
  // What the run had no request for is not tested; it never passes.
  expect(kinds[0]).toMatch(/^(failed|not-tested)$/);
  expect(kinds[1]).toBe(kinds[0]);
  verdicts.push(...kinds.slice(0, 1));
});

test('most of them are found: only what lies deep within an item may lack its request', () => {
  const failed = verdicts.filter((kind) => kind === 'failed').length;
  expect(verdicts).toHaveLength(cases.length);
  expect(failed / cases.length).toBeGreaterThan(0.75);
});
