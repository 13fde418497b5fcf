import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { certify, createParty, sampleVersion, verifyWith } from '../test/cli/certificates.ts';
import { openMock } from '../test/cli/target.ts';
import {
  closePayload,
  factsOf,
  list,
  type Loose,
  loose,
  openPayload,
  signaturesOf,
} from '../test/certificate/forge.ts';
import { petstore as contract } from '../test/contract/petstore.ts';
import { packageFile } from '../cli/package/package-root.ts';
import { loadContract } from '../contract/load.ts';
import { findDifference } from './difference.ts';

const [party, second, stranger] = [createParty(), createParty(), createParty()];

const waiver = {
  requirement: 'createPet/status.201',
  reason: 'ticket 7',
  owner: 'ada',
  expires: '2026-12-31',
};
const { text } = await (async () => {
  await using place = await openMock(contract);
  return certify(contract, await place.run({ readOnly: true, waivers: [waiver] }), party);
})();

/** The certificate after a change, unsigned. */
const changed = (change: (document: Loose) => void): string => {
  const document = openPayload(text);
  change(document);
  return closePayload(document, []);
};

test('reports a waiver that has expired since the run', async () => {
  const { outcome, findings } = await verifyWith(contract, text, { now: Date.UTC(2100, 0, 1) });
  expect([outcome, findings]).toMatchObject([
    'holds',
    [
      {
        kind: 'waiver',
        weight: 'notice',
        where: '/waivers/0',
        sentence:
          'The waiver for createPet/status.201 was in force during the run, but expired on 2026-12-31.',
      },
    ],
  ]);
  const now = Date.UTC(2026, 11, 31, 23, 59);
  expect((await verifyWith(contract, text, { now })).findings).toEqual([]);
});

test('a waiver with its last day in the owner is not read as one that ends later', async () => {
  const forged = changed((document) => {
    const [configured, said] = [
      loose(factsOf(document)['settings'])['waivers'],
      document['waivers'],
    ].map((each) => loose(list(each)[0]));
    if (configured === undefined || said === undefined) throw new Error('There is no waiver.');
    configured['owner'] = 'ada, until 2199-12-31';
    said['expires'] = `2199-12-31, until ${waiver.expires}`;
  });
  expect((await verifyWith(contract, forged)).findings).toMatchObject([{ kind: 'log' }]);
});

test('the text "null" is not null', async () => {
  const forged = changed((document) => void (loose(document['run'])['endedEarly'] = 'null'));
  expect((await verifyWith(contract, forged)).findings).toMatchObject([
    { where: '/run/endedEarly', difference: { certificate: '"null"' } },
  ]);
});

test('the document may have another file name', async () => {
  const elsewhere = { ...contract, source: 'shop.yaml' };
  expect((await verifyWith(elsewhere, text)).findings).toEqual([]);
});

test('integers beyond doubles in the settings are exact', async () => {
  await using place = await openMock(contract);
  const exact = { readOnly: true, references: { categoryId: 9_007_199_254_740_993n } };
  const certificate = certify(contract, await place.run(exact), party);
  const payload = Buffer.from(
    String(Object(JSON.parse(certificate.text))['payload']),
    'base64',
  ).toString();
  expect(payload).toContain('{"categoryId":9007199254740993}');
  expect((await verifyWith(contract, certificate.text)).findings).toEqual([]);
});

describe('another version', () => {
  test('is reported before anything is judged', async () => {
    const verification = await verifyWith(contract, text, {
      version: '0.3.0',
      judgeClient: () => Promise.reject(new Error('not to be called')),
    });
    expect(verification).toMatchObject({
      outcome: 'unclear',
      madeBy: sampleVersion,
      certified: undefined,
      findings: [{ kind: 'version', where: '/certificate/version' }],
    });
  });

  test('may have another certificate format', async () => {
    const payload = { certificate: { version: '7.0.0-rc.1', more: 1 } };
    const { outcome, madeBy } = await verifyWith(contract, closePayload(payload, []));
    expect([outcome, madeBy]).toEqual(['unclear', '7.0.0-rc.1']);
  });

  test.each([
    '1.0.0; rm -rf ~',
    '1.0.0 && id',
    '$(id)',
    '`id`',
    '1.0.0|id',
    '1.0.0\nid',
    "1.0.0'",
    '1.0.0\u0000',
    '1.0',
    'latest',
    '../x',
    'npm:other@1.0.0',
    'https://evil.example/x.tgz',
    '1.0.0-',
    '1.0.0--y',
    '-1.0.0',
    `1.0.${'0'.repeat(60)}`,
    '',
  ])('%j is not a version, and never appears in the printed command', async (version) => {
    const { outcome, madeBy, findings } = await verifyWith(
      contract,
      closePayload({ certificate: { version } }, []),
    );
    expect([outcome, madeBy, findings[0]?.kind]).toEqual(['broken', undefined, 'format']);
  });

  test('an old format is from before 0.2.0', async () => {
    const old = closePayload({}, [], 'application/vnd.in-toto+json');
    expect(await verifyWith(contract, old)).toMatchObject({
      outcome: 'unclear',
      madeBy: '0.1.0',
      findings: [{ sentence: 'It was made before 0.2.0, in another format.' }],
    });
    const { outcome } = await verifyWith(contract, old, { keys: [party.open] });
    expect(outcome).toBe('broken');
  });
});

describe('signatures', () => {
  test('are listed but not checked without a key', async () => {
    const { outcome, signatures, keys } = await verifyWith(contract, text);
    expect([outcome, signatures, keys]).toEqual([
      'holds',
      [{ keyid: party.open.keyid, signer: undefined }],
      0,
    ]);
  });

  test('an unsigned certificate is valid if no signature is required', async () => {
    const unsigned = closePayload(openPayload(text), []);
    const { outcome, signatures } = await verifyWith(contract, unsigned);
    expect([outcome, signatures]).toEqual(['holds', []]);
  });

  test('of two parties are both checked, and a missing third is reported', async () => {
    const both = closePayload(openPayload(text), [party.secret, second.secret]);
    const { outcome, signatures, findings } = await verifyWith(contract, both, {
      keys: [second.open, party.open],
    });
    expect([outcome, findings, signatures?.map(({ signer }) => signer)]).toEqual([
      'holds',
      [],
      [party.open.keyid, second.open.keyid],
    ]);
    const third = await verifyWith(contract, both, { keys: [second.open, stranger.open] });
    expect(third).toMatchObject({ outcome: 'broken', findings: [{ kind: 'signature' }] });
  });

  test('count by key, whatever their keyid says', async () => {
    for (const keyid of ['someone', '', stranger.open.keyid]) {
      const [mine] = signaturesOf(text);
      const renamed = closePayload(openPayload(text), [
        { keyid, sig: mine?.sig ?? Buffer.alloc(0) },
      ]);
      const { outcome, findings } = await verifyWith(contract, renamed, { keys: [party.open] });
      expect([outcome, findings]).toEqual(['holds', []]);
    }
  });

  test('by one key count once, even if it signed twice', async () => {
    const twice = closePayload(openPayload(text), [
      ...signaturesOf(text),
      ...signaturesOf(text).map(({ sig }) => ({ keyid: second.open.keyid, sig })),
    ]);
    const { outcome } = await verifyWith(contract, twice, { keys: [party.open, second.open] });
    expect(outcome).toBe('broken');
  });
});

describe('an untrusted file', () => {
  test.each(['', ' ', '\u{feff}{}'])(
    '%j is rejected as not JSON, without an exception',
    async (file) => {
      const { outcome, certified } = await verifyWith(contract, file, { keys: [party.open] });
      expect([outcome, certified]).toEqual(['unclear', undefined]);
    },
  );

  test.each([
    'null',
    '[]',
    '{}',
    '"x"',
    closePayload('', []),
    closePayload('null', []),
    closePayload('[]', []),
    closePayload('{}', []),
    closePayload('{"certificate":null}', []),
  ])('%j is rejected without an exception', async (file) => {
    const { outcome, certified } = await verifyWith(contract, file, { keys: [party.open] });
    expect([outcome, certified]).toEqual(['broken', undefined]);
  });

  test('that is nested too deeply is rejected as too large', async () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    for (const file of [deep, closePayload(`{"certificate":${deep}}`, [])]) {
      const { outcome, findings } = await verifyWith(contract, file);
      expect([outcome, findings[0]?.kind]).toEqual(['unclear', 'size']);
    }
  });

  test('is rejected if any member is missing, null or of another type', async () => {
    const places: (readonly string[])[] = [];
    const walk = (value: unknown, path: readonly string[]): void => {
      if (typeof value !== 'object' || value === null || path.length > 2) return;
      for (const name of Object.keys(value).slice(0, 4)) {
        places.push([...path, name]);
        walk(Reflect.get(value, name), [...path, name]);
      }
    };
    const whole = openPayload(text);
    walk(whole, []);
    for (const name of Object.keys(whole)) walk(whole[name], [name]);
    for (const path of places)
      for (const value of [undefined, { odd: [true] }]) {
        const forged = changed((document) => {
          const parent = path
            .slice(0, -1)
            .reduce<unknown>((at, name) => Reflect.get(Object(at), name), document);
          Reflect.set(Object(parent), path.at(-1) ?? '', value);
        });
        const { outcome, findings } = await verifyWith(contract, forged);
        if (outcome !== 'broken')
          throw new Error(
            `${path.join('.')} may be ${JSON.stringify(value)}: ${JSON.stringify(findings)}`,
          );
      }
    expect(places.length).toBeGreaterThan(40);
  });

  test('that makes the checks fail is invalid, with the reason', async () => {
    const judgeClient = () => Promise.reject(new Error('out of memory'));
    const forged = changed((document) => void (document['client'] = 'node client.js'));
    expect(await verifyWith(contract, forged, { judgeClient })).toMatchObject({
      outcome: 'broken',
      findings: [{ kind: 'log', sentence: 'The log cannot be judged again: out of memory.' }],
    });
  });
});

describe('the first difference', () => {
  test.each([
    [{ a: 1 }, { a: 1 }, undefined],
    [{ b: [1, { c: 2 }] }, { b: [1, { c: 3 }] }, '/b/1/c'],
    [{ a: 1, b: 1 }, { a: 1 }, '/b'],
    [{ a: 1 }, { a: 1, b: null }, '/b'],
    [[1, 2], [1], '/1'],
    [[1], [1, 2], '/1'],
    [{ a: [] }, { a: {} }, '/a'],
    [JSON.parse('{"__proto__":1}'), {}, '/__proto__'],
    [{ 'a/b~': '1' }, { 'a/b~': 1 }, '/a~1b~0'],
    [{ b: 2, a: 1 }, { a: 1, b: 2 }, undefined],
  ])('of %j and %j is at %j', (said, found, pointer) => {
    expect(findDifference(said, found)?.pointer).toBe(pointer);
  });

  test('is found between integers that are equal as doubles', () => {
    expect(findDifference(9_007_199_254_740_993n, 9_007_199_254_740_992)?.pointer).toBe('');
  });

  test('is found in a value that is nested much deeper than expected', () => {
    let deep: object = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    expect(findDifference(JSON.parse('{}'), { a: 1 })?.pointer).toBe('/a');
    expect(findDifference(Object(deep), { deep: 1 })?.pointer).toBe('/deep');
  });
});

test('a run of a document with errors verifies, whatever the name of its file', async () => {
  const file = packageFile('fixtures/documents/odd/broken-reference.yaml');
  const [there, here] = await Promise.all([
    loadContract({ text: await readFile(file, 'utf8'), name: 'shop.yaml' }),
    loadContract({ file }),
  ]);
  expect(there.leftOut.length).toBeGreaterThan(0);
  await using place = await openMock(there);
  const certificate = certify(there, await place.run(), party);
  expect((await verifyWith(here, certificate.text)).findings).toEqual([]);
});
