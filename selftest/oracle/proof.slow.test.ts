import { requirementsOf } from '../../conformance/index.ts';
import { expect, test } from 'vitest';
import { listDocuments } from '../../dev/corpus/manifest.ts';
import { serveDocument } from '../../test/conformance/judge-document.ts';
import { add, invalid, list, refused, composeLog } from '../../test/conformance/log.ts';
import { loadContract } from '../../contract/load.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { packageFile } from '../../cli/package/package-root.ts';
import { findUnshown } from './verdicts.ts';

const documents = await listDocuments(packageFile('fixtures/documents'));

test.for(documents)(
  'each passed requirement of $id has evidence in the log, in two runs',
  async ({ file }) => {
    const contract = await loadContract({ file });
    const judge = await serveDocument(contract);
    for (const seed of [1, 2]) {
      const { exchanges, verdicts } = await judge(contract, { seed });
      expect(findUnshown(contract, exchanges, verdicts)).toEqual([]);
      expect(verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
    }
  },
);

test('a pass without evidence is detected, whichever exchange is removed', async () => {
  const contract = await loadContract({ file: packageFile('fixtures/documents/books.yaml') });
  const judge = await serveDocument(contract);
  const { exchanges, verdicts } = await judge(contract, { requests: 120 });
  expect(findUnshown(contract, exchanges, verdicts)).toEqual([]);
  const families = ['request', 'parameter', 'status', 'auth', 'body', 'header'];
  const passed = verdicts
    .filter(({ kind, requirement }) => kind === 'passed' && families.includes(requirement.family))
    .filter((_verdict, at) => at % 4 === 0);
  const shown = passed.filter(
    (verdict) =>
      findUnshown(
        contract,
        exchanges.filter(
          ({ index }) => verdict.kind !== 'passed' || !verdict.exchanges.includes(index),
        ),
        [verdict],
      ).length === 0,
  );
  // Others show some of them by chance: a refusal for one reason that is right for another one.
  expect(shown.length).toBeLessThan(passed.length / 2);
});

const byType = invalid('createPet/request.body.name.type');
const rex = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' };

/** A requirement that is said to have passed, and a log that does not show it. */
test.for([
  ['a value that was not sent', 'listPets/parameter.limit.maximum', [list([rex])]],
  [
    'a value that was refused',
    'listPets/parameter.limit.maximum',
    [list([], { query: '?limit=100', status: 400 })],
  ],
  [
    'one value of several',
    'listPets/parameter.status.values',
    [list([rex], { query: '?status=sold' })],
  ],
  ['another status', 'createPet/status.201', [add(rex, rex, { status: 200 })]],
  ['a body that keeps its schema', 'createPet/request.body.name.type', [refused(rex, byType)]],
  [
    'a body that breaks more',
    'createPet/request.body.name.type',
    [refused({ name: 1, categoryId: 'x' }, byType)],
  ],
  [
    'a body that was accepted',
    'createPet/request.body.name.type',
    [add({ name: 1, categoryId: 1 }, rex)],
  ],
  ['a request with a key', 'listPets/auth.missing', [list('', { status: 401 })]],
] as const)('not shown by %s', ([, id, log]) => {
  const requirement = requirementsOf(petstore).get(id);
  if (requirement === undefined) throw new Error('there is no such requirement');
  expect(
    findUnshown(petstore, composeLog(petstore, log), [{ requirement, kind: 'passed' }]),
  ).toEqual([`${id} passed, and no exchange shows it`]);
});
