import { expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { loadContract } from '../../contract/load.ts';
import { generateMutants, FaultContext } from '../../selftest/generated/index.ts';
import { startServer } from '../../selftest/generated/server.ts';
import type { Parts } from '../../selftest/service/service.ts';
import { idsOf, judgeParts, mutantOf } from '../../test/report/causes.ts';
import { causesOf } from './causes.ts';

/** Changes the text of all successful responses. */
function changing(...changes: readonly (readonly [from: RegExp, to: string])[]): Parts {
  return {
    finish: (wire) => {
      let text = new TextDecoder().decode(wire.bytes);
      for (const [from, to] of changes) text = text.replaceAll(from, to);
      return wire.status < 300 ? { ...wire, bytes: new TextEncoder().encode(text) } : wire;
    },
  };
}

test('a member that lists and items lack is one cause, with its place in the document', async () => {
  const { causes } = await judgeParts(() => changing([/"name":/g, '"title":']));
  expect(causes.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(/: without `(\[\]\.)?name` \(#\/components\/schemas\/\w+\/required\)\.$/),
  ]);
  const operations = causes.flatMap((cause) => idsOf(cause).map((id) => id.split('/')[0]));
  expect(new Set(operations)).toEqual(new Set(['createPet', 'listPets', 'getPet']));
});

test('members that are wrong in different ways are two causes', async () => {
  const { causes } = await judgeParts(() =>
    changing([/"name":/g, '"title":'], [/"status":"\w+"/g, '"status":"lost"']),
  );
  expect(causes.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(/: without `(\[\]\.)?name` \(#/),
    expect.stringMatching(/`(\[\]\.)?status` must be one of .* \(#.*\/enum\)\.$/),
  ]);
});

test('a value that is accepted and shown is one cause', async () => {
  const { causes } = await judgeParts(mutantOf('name-number-kept').behaviour);
  expect(causes.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(
      /^createPet accepts \d+ requests? that should get 400, such as one in which `name` is a number/,
    ),
  ]);
  expect(causes.flatMap(idsOf)).toContain('createPet/response.201.body.name.type');
});

const contract = await loadContract({ file: packageFile('fixtures/documents/tasks.yaml') });
const correct = await startServer(contract, undefined);
const workshop = new FaultContext(contract, correct.mock.keys[0]?.key ?? '');
const mutants = generateMutants(contract, workshop);

test.for([
  'listTasks/state.listed',
  'addTask/state.echo.points',
  'addTask/state.id-unique',
  'addTask/state.stored',
  'replaceTask/state.echo.points',
  'changeTask/state.others-kept',
  'removeTask/state.removed',
  'removeTask/state.others-kept',
])('what follows from %s is not a cause of its own', async (id) => {
  const own = mutants.filter(({ requirement }) => requirement.id === id);
  expect(own.length).toBeGreaterThan(0);
  for (const { layer } of own) {
    const server = await startServer(contract, workshop, { layer: layer?.() });
    const { verdicts, exchanges } = await server.judge({ seed: 1, requests: 200, shrink: 0 });
    const leads = causesOf(contract, verdicts, exchanges).map(
      ({ findings: [{ requirement }] }) => requirement,
    );
    expect(leads.flatMap((lead) => (lead.level === 'must' ? lead.id : []))).toEqual([id]);
  }
});
