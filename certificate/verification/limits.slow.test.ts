import { expect, test } from 'vitest';
import { certify, createParty, verifyWith } from '../../test/cli/certificates.ts';
import { openMock } from '../../test/cli/target.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { findExcess, findFault } from '../index.ts';
import { measureJson } from '../../conformance/index.ts';
import { findSignedExcess } from '../envelope/signature-check.ts';
import { readStatement } from '../predicate/statement.ts';
import {
  chainAnew,
  closeStatement,
  list,
  type Loose,
  loose,
  openStatement,
} from '../../test/certificate/forge.ts';
import {
  certificateLimits,
  mostHeaderBytes,
  mostResponseBytes,
  mostResponseValues,
} from '../../contract/limits/index.ts';

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
const x = (count: number): string => 'x'.repeat(count);

type Resize = (found: Loose, size: number) => void;

test.each<[string, number, Resize]>([
  [
    'the name of a target',
    certificateLimits.targetName,
    (found, size) => void (loose(found['target'])['name'] = x(size)),
  ],
  [
    'the version of a target',
    certificateLimits.targetName,
    (found, size) => void (loose(found['target'])['version'] = x(size)),
  ],
  [
    'the address of a target',
    certificateLimits.text,
    (found, size) => void (loose(found['target'])['baseUrl'] = x(size)),
  ],
  [
    'the title of a document',
    certificateLimits.text,
    (found, size) => void (loose(found['contract'])['title'] = x(size)),
  ],
  [
    'a sentence',
    certificateLimits.text,
    (found, size) => void (firstVerdict(found)['sentence'] = x(size)),
  ],
  [
    'verdicts',
    certificateLimits.verdicts,
    (found, size) =>
      void (found['verdicts'] = filled(size, { ...firstVerdict(found), evidence: [] })),
  ],
  [
    'choices',
    certificateLimits.choices,
    (found, size) => void (firstVerdict(found)['choices'] = filled(size, 'x')),
  ],
  [
    'waivers',
    certificateLimits.waivers,
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
      sentence: expect.stringMatching(`has ${most + 1} .*at most ${most} are allowed`),
    },
  });
});

test('a keyid is taken up to its length, and not beyond', async () => {
  const most = certificateLimits.keyid;
  const named = (size: number) =>
    verifyWith(
      contract,
      closeStatement(openStatement(text), [{ keyid: x(size), sig: Buffer.alloc(64) }]),
    );
  expect((await named(most)).outcome).toBe('holds');
  expect((await named(most + 1)).findings).toMatchObject([{ kind: 'envelope', weight: 'breaks' }]);
});

test('a run is taken up to a day ahead of the clock here, and is inconclusive beyond', async () => {
  const most = certificateLimits.futureMilliseconds;
  const now = Date.parse(predicate.run.startedAt) - most;
  expect((await verifyWith(contract, text, { now })).outcome).toBe('holds');
  expect(await verifyWith(contract, text, { now: now - 1 })).toMatchObject({
    outcome: 'unclear',
    findings: [{ kind: 'run', where: 'run.startedAt' }],
  });
});

test('what nobody would take is found before it is written', () => {
  const most = certificateLimits.text;
  const titled = (title: string) =>
    findFault({ ...predicate, contract: { ...predicate.contract, title } });
  expect(titled(x(most))).toBeUndefined();
  expect(titled(x(most + 1))).toMatch(/^It cannot be written: .*title has 10001 characters/);
});

test('a text of a report that is longer is cut, and the certificate verifies', async () => {
  const most = certificateLimits.text;
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
  const room = certificateLimits.names - own - 1;
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
  expect(own).toBeLessThan(certificateLimits.names / 5);
});

function countNames(value: unknown): number {
  const names = new Set<string>();
  JSON.stringify(value, (name, member: unknown) => {
    if (name !== '' && !/^\d+$/.test(name)) names.add(name);
    return member;
  });
  return names.size;
}

/** What is found beyond limits, of a certificate that is changed, chained and signed anew. */
const findSizes = async (change: (found: Loose) => void): Promise<readonly string[]> => {
  const statement = openStatement(text);
  change(loose(statement['predicate']));
  chainAnew(statement);
  const signed = closeStatement(statement, [party.secret]);
  const { findings } = await verifyWith(contract, signed, { keys: [party.open] });
  const sizes = findings.filter(({ kind }) => kind === 'size');
  expect(sizes.every(({ weight }) => weight === 'unclear')).toBe(true);
  expect(findExcess(Buffer.from(signed))).toBe(sizes[0]?.sentence);
  return sizes.map(({ where, sentence }) => `${where}: ${sentence}`);
};

const entriesOf = (found: Loose): Loose[] =>
  list(loose(found['log'])['entries']).map((each) => loose(loose(each)['entry']));
const responseAt = (found: Loose, index: number): Loose =>
  loose(loose(entriesOf(found)[index]?.['outcome'])['response']);
const settingsOf = (found: Loose): Loose => loose(found['configuration']);

test.each<[string, number, Resize, string]>([
  [
    'entries of the log',
    certificateLimits.logEntries,
    (found, size) => {
      const [first] = entriesOf(found);
      loose(found['log'])['entries'] = filled(size, { link: '', entry: { ...first, headers: [] } });
    },
    'log: This is too large: it has 10,001 entries; at most 10,000 are allowed.',
  ],
  [
    'characters of the configuration',
    certificateLimits.settings,
    (found, size) => {
      settingsOf(found)['plan'] = '';
      settingsOf(found)['plan'] = x(size - JSON.stringify(found['configuration']).length);
    },
    'configuration: This is too large: it has 1,048,577 characters; at most 1,048,576 are allowed.',
  ],
  [
    'values of the configuration',
    certificateLimits.settingValues,
    (found, size) => {
      settingsOf(found)['only'] = [];
      const before = measureJson(JSON.stringify(found['configuration'])).values;
      settingsOf(found)['only'] = filled(size - before, 'x');
    },
    'configuration: This is too large: it has 20,001 values; at most 20,000 are allowed.',
  ],
  [
    'characters of a body',
    mostResponseBytes,
    (found, size) => void (responseAt(found, 2)['body'] = x(size)),
    'log[2]: This is too large: its body has 8,388,609 characters; at most 8,388,608 are allowed.',
  ],
  [
    'values of a body',
    mostResponseValues,
    (found, size) => void (responseAt(found, 2)['body'] = `[${filled(size - 1, 0).join()}]`),
    'log[2]: This is too large: its JSON has 120,001 values; at most 120,000 are read.',
  ],
  [
    'characters of header fields',
    mostHeaderBytes,
    (found, size) => void (responseAt(found, 2)['headers'] = [['x', x(size - 1)]]),
    'log[2]: This is too large: its header fields have 65,537 characters; at most 65,536 are allowed.',
  ],
])('%s are judged again up to %d, and are too large beyond', async (_what, most, resize, told) => {
  expect(await findSizes((found) => resize(found, most))).toEqual([]);
  expect(await findSizes((found) => resize(found, most + 1))).toEqual([told]);
});

test('what the suite sends may be as deep as it is: it asks how a server takes that', async () => {
  const deep = `${'['.repeat(5001)}${']'.repeat(5001)}`;
  const change = (found: Loose): void => {
    loose(entriesOf(found)[2]?.['request'])['body'] = deep;
  };
  expect(await findSizes(change)).toEqual([]);
});

test('signatures are tried as long as what is signed, times the keys, is within the limit', async () => {
  const most = certificateLimits.signedBytes;
  const check = (payload: number, signatures: number, keys: number) =>
    findSignedExcess(
      {
        payload: Buffer.alloc(payload),
        signatures: filled(signatures, { keyid: '', sig: Buffer.alloc(64) }),
      },
      keys,
    );
  const [payload, keys] = [2 ** 20, 32];
  expect(check(payload, most / payload / keys, keys)).toBeUndefined();
  expect(check(payload, most / payload / keys + 1, keys)).toMatchObject({
    kind: 'size',
    weight: 'unclear',
    sentence: expect.stringMatching(/33 signatures .* 32 keys means 1,107,296,256 bytes/),
  });
});
