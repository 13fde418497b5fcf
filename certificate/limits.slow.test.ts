import { expect, test } from 'vitest';
import { certify, createParty, sampleVersion, verifyWith } from '../test/cli/certificates.ts';
import { openMock } from '../test/cli/target.ts';
import {
  closePayload,
  digestAnew,
  factsOf,
  list,
  type Loose,
  loose,
  openPayload,
} from '../test/certificate/forge.ts';
import { petstore as contract } from '../test/contract/petstore.ts';
import { measureJson } from '../conformance/index.ts';
import {
  certificateLimits,
  maxHeaderBytes,
  responseBytesLimit,
  maxResponseValues,
} from '../contract/limits/index.ts';
import { findExcess } from './index.ts';

const { text, report } = await (async () => {
  await using place = await openMock(contract);
  return certify(contract, await place.run({ readOnly: true }), createParty());
})();

/** The certificate after a change, unsigned. */
const changed = (change: (document: Loose) => void): string => {
  const document = openPayload(text);
  change(document);
  return closePayload(document, []);
};

const x = (count: number): string => 'x'.repeat(count);
const filled = <T>(count: number, value: T): readonly T[] =>
  Array.from<T>({ length: count }).fill(value);

test('a keyid has a maximum length', async () => {
  const most = certificateLimits.keyid;
  const named = (size: number) =>
    verifyWith(
      contract,
      closePayload(openPayload(text), [{ keyid: x(size), sig: Buffer.alloc(64) }]),
    );
  expect((await named(most)).outcome).toBe('holds');
  expect((await named(most + 1)).findings).toMatchObject([{ kind: 'envelope', weight: 'breaks' }]);
});

test.each(['name', 'version'])('the %s of a target has a maximum length', async (member) => {
  const most = certificateLimits.targetName;
  const named = (size: number): string =>
    changed((document) => void (loose(factsOf(document)['target'])[member] = x(size)));
  expect((await verifyWith(contract, named(most))).outcome).toBe('holds');
  expect((await verifyWith(contract, named(most + 1))).findings).toMatchObject([
    { kind: 'format', weight: 'breaks', where: `/certificate/target/${member}` },
  ]);
});

test('a run may start a day ahead of the clock here, and is inconclusive beyond', async () => {
  const most = certificateLimits.futureMilliseconds;
  const now = Date.parse(report.run.startedAt) - most;
  expect((await verifyWith(contract, text, { now })).outcome).toBe('holds');
  expect(await verifyWith(contract, text, { now: now - 1 })).toMatchObject({
    outcome: 'unclear',
    findings: [{ kind: 'time', where: '/run/startedAt' }],
  });
});

test('a file with too many different names of members is too large', async () => {
  const withNames = (count: number): string =>
    changed(
      (document) =>
        void (document['strange'] = Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`x${at}`, 0]),
        )),
    );
  const most = certificateLimits.names;
  expect((await verifyWith(contract, withNames(most + 1))).findings).toMatchObject([
    { kind: 'size', weight: 'unclear' },
  ]);
  // The suite writes few whatever it tests, so that no genuine certificate comes near.
  expect((await verifyWith(contract, withNames(most * 0.8))).findings).toMatchObject([
    { kind: 'report', where: '/strange' },
  ]);
});

type Resize = (document: Loose, size: number) => void;
const settingsOf = (document: Loose): Loose => loose(factsOf(document)['settings']);
const exchangesOf = (document: Loose): Loose[] => list(document['exchanges']).map(loose);
const responseAt = (document: Loose, index: number): Loose =>
  loose(loose(exchangesOf(document)[index]?.['outcome'])['response']);

/** What is beyond limits in a certificate after a change, with a new digest. */
const findSizes = async (change: (document: Loose) => void): Promise<readonly string[]> => {
  const forged = changed((document) => {
    change(document);
    digestAnew(document);
  });
  const { findings } = await verifyWith(contract, forged);
  const sizes = findings.filter(({ kind }) => kind === 'size');
  expect(sizes.every(({ weight }) => weight === 'unclear')).toBe(true);
  expect(findExcess(forged, sampleVersion)).toBe(sizes[0]?.sentence);
  return sizes.map(({ where, sentence }) => `${where}: ${sentence}`);
};

test.each<[string, number, Resize, string]>([
  [
    'entries of the log',
    certificateLimits.logEntries,
    (document, size) => void (document['exchanges'] = filled(size, {})),
    '/exchanges: The certificate is too large: it has 10,001 entries; at most 10,000 are allowed.',
  ],
  [
    'characters of the settings',
    certificateLimits.settings,
    (document, size) => {
      settingsOf(document)['plan'] = '';
      settingsOf(document)['plan'] = x(size - JSON.stringify(settingsOf(document)).length);
    },
    '/certificate/settings: The certificate is too large: it has 1,048,577 characters; at most 1,048,576 are allowed.',
  ],
  [
    'values of the settings',
    certificateLimits.settingValues,
    (document, size) => {
      settingsOf(document)['only'] = [];
      const before = measureJson(JSON.stringify(settingsOf(document))).values;
      settingsOf(document)['only'] = filled(size - before, 'x');
    },
    '/certificate/settings: The certificate is too large: it has 20,001 values; at most 20,000 are allowed.',
  ],
  [
    'characters of a body',
    responseBytesLimit,
    (document, size) => void (responseAt(document, 2)['body'] = x(size)),
    '/exchanges/2: The certificate is too large: its body has 8,388,609 characters; at most 8,388,608 are allowed.',
  ],
  [
    'values of a body',
    maxResponseValues,
    (document, size) => void (responseAt(document, 2)['body'] = `[${filled(size - 1, 0).join()}]`),
    '/exchanges/2: The certificate is too large: its JSON has 120,001 values; at most 120,000 are read.',
  ],
  [
    'characters of header fields',
    maxHeaderBytes,
    (document, size) => void (responseAt(document, 2)['headers'] = [['x', x(size - 1)]]),
    '/exchanges/2: The certificate is too large: its header fields have 65,537 characters; at most 65,536 are allowed.',
  ],
])('%s are judged up to the limit', async (_what, most, resize, sentence) => {
  expect(await findSizes((document) => resize(document, most))).toEqual([]);
  expect(await findSizes((document) => resize(document, most + 1))).toEqual([sentence]);
});

test('what the suite sends may be as deep as it is: it tests how a server handles that', async () => {
  const deep = `${'['.repeat(5001)}${']'.repeat(5001)}`;
  const change = (document: Loose): void => {
    loose(exchangesOf(document)[2]?.['request'])['body'] = deep;
  };
  expect(await findSizes(change)).toEqual([]);
});
