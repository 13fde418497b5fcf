import { expect, test } from 'vitest';
import { certify, createParty, verifyWith } from '../../cli/testing/certificates.ts';
import { openMock } from '../../cli/testing/target.ts';
import { petstore as contract } from '../../contract/testing/petstore.ts';
import { certificateLimits } from '../../limits/index.ts';
import { findFault } from '../index.ts';
import { readStatement } from '../predicate/statement.ts';
import { closeStatement, list, type Loose, loose, openStatement } from '../testing/forge.ts';

const party = createParty();
const { text, predicate } = await (async () => {
  await using place = await openMock(contract);
  return certify(await place.run({ readOnly: true }), party);
})();

/** A statement of which one part has another size. */
const resized = (change: (predicate: Loose) => void): Buffer => {
  const statement = openStatement(text);
  change(loose(statement['predicate']));
  return Buffer.from(JSON.stringify(statement));
};

const firstVerdict = (found: Loose): Loose => loose(list(found['verdicts'])[0]);
const filled = <T>(count: number, value: T): readonly T[] =>
  Array.from<T>({ length: count }).fill(value);
const waiver = { requirement: '', reason: '', owner: '', expires: '', state: 'used' };
const link = { link: '0'.repeat(64), entry: {} };
const x = (count: number): string => 'x'.repeat(count);

type Resize = (found: Loose, size: number) => void;

test.each<[string, number, Resize]>([
  [
    'the name of a target',
    certificateLimits.targetName.most,
    (found, size) => void (loose(found['target'])['name'] = x(size)),
  ],
  [
    'the version of a target',
    certificateLimits.targetName.most,
    (found, size) => void (loose(found['target'])['version'] = x(size)),
  ],
  [
    'the address of a target',
    certificateLimits.text.most,
    (found, size) => void (loose(found['target'])['baseUrl'] = x(size)),
  ],
  [
    'the title of a document',
    certificateLimits.text.most,
    (found, size) => void (loose(found['contract'])['title'] = x(size)),
  ],
  [
    'a sentence',
    certificateLimits.text.most,
    (found, size) => void (firstVerdict(found)['sentence'] = x(size)),
  ],
  [
    'the log',
    certificateLimits.logEntries.most,
    (found, size) => void (loose(found['log'])['entries'] = filled(size, link)),
  ],
  [
    'evidence',
    certificateLimits.logEntries.most,
    (found, size) => void (firstVerdict(found)['evidence'] = filled(size, 0)),
  ],
  [
    'verdicts',
    certificateLimits.verdicts.most,
    (found, size) =>
      void (found['verdicts'] = filled(size, { ...firstVerdict(found), evidence: [] })),
  ],
  [
    'choices',
    certificateLimits.choices.most,
    (found, size) => void (firstVerdict(found)['choices'] = filled(size, 'x')),
  ],
  [
    'waivers',
    certificateLimits.waivers.most,
    (found, size) => void (found['waivers'] = filled(size, waiver)),
  ],
])('%s is taken up to %d, and not beyond', (_what, most, resize) => {
  const readAt = (size: number) => readStatement(resized((found) => resize(found, size)));
  expect(readAt(most)).toMatchObject({ kind: 'read' });
  expect(readAt(most + 1)).toMatchObject({
    kind: 'refused',
    finding: {
      kind: 'predicate',
      weight: 'breaks',
      sentence: expect.stringMatching(`has ${most + 1} .*at most ${most} are taken`),
    },
  });
});

test('a keyid is taken up to its length, and not beyond', async () => {
  const { most } = certificateLimits.keyid;
  const named = (size: number) =>
    verifyWith(
      contract,
      closeStatement(openStatement(text), [{ keyid: x(size), sig: Buffer.alloc(64) }]),
    );
  expect((await named(most)).outcome).toBe('holds');
  expect((await named(most + 1)).findings).toMatchObject([{ kind: 'envelope', weight: 'breaks' }]);
});

test('a run is taken up to a day ahead of the clock here, and is inconclusive beyond', async () => {
  const { most } = certificateLimits.futureMilliseconds;
  const now = Date.parse(predicate.run.startedAt) - most;
  expect((await verifyWith(contract, text, { now })).outcome).toBe('holds');
  expect(await verifyWith(contract, text, { now: now - 1 })).toMatchObject({
    outcome: 'unclear',
    findings: [{ kind: 'run', where: 'run.startedAt' }],
  });
});

test('what nobody would take is found before it is written', () => {
  const { most } = certificateLimits.text;
  const titled = (title: string) =>
    findFault({ ...predicate, contract: { ...predicate.contract, title } });
  expect(titled(x(most))).toBeUndefined();
  expect(titled(x(most + 1))).toMatch(/^It cannot be written: .*title has 10001 characters/);
});

test('a text of a report that is longer is cut, and the certificate verifies', async () => {
  const { most } = certificateLimits.text;
  await using place = await openMock(contract);
  const report = await place.run({ readOnly: true });
  const reason = x(most + 5);
  const verdicts = report.verdicts.map((verdict) =>
    verdict.kind === 'not-tested' ? { ...verdict, reason } : verdict,
  );
  const long = certify({ ...report, verdicts }, party);
  const told = long.predicate.verdicts.find(({ verdict }) => verdict === 'not-tested');
  expect(told?.reason).toBe(`${x(most - 1)}…`);
  const { outcome } = await verifyWith(contract, long.text, { keys: [party.open] });
  expect(outcome).toBe('holds');
});

test('a file with more different names of members than the limit is too large, as few as it are ignored', async () => {
  const own = countNames(openStatement(text));
  const withNames = (count: number): string => {
    const strange = Object.fromEntries(filled(count, 0).map((zero, at) => [`x${at}`, zero]));
    return closeStatement({ ...openStatement(text), strange }, [party.secret]);
  };
  const room = certificateLimits.names.most - own - 1;
  const kinds = async (count: number) =>
    (await verifyWith(contract, withNames(count), { keys: [party.open] })).findings
      .filter(({ weight }) => weight !== 'notice')
      .map(({ kind, weight, sentence }) => [kind, weight, sentence]);
  expect(await kinds(room)).toEqual([]);
  expect(await kinds(room + 1)).toEqual([
    [
      'size',
      'unclear',
      expect.stringMatching(
        /^This is too large: there are more than 1000 different names of members up to here/,
      ),
    ],
  ]);
  // The suite writes as few whatever it tests, so that nothing lawful comes near.
  expect(own).toBeLessThan(certificateLimits.names.most / 5);
});

function countNames(value: unknown): number {
  const names = new Set<string>();
  JSON.stringify(value, (name, member: unknown) => {
    if (name !== '' && !/^\d+$/.test(name)) names.add(name);
    return member;
  });
  return names.size;
}
