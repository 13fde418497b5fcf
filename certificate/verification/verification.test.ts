import { describe, expect, test } from 'vitest';
import { createParty, sampleSuite, certify, verifyWith } from '../../test/cli/certificates.ts';
import { openMock } from '../../test/cli/target.ts';
import { readEnvelope } from '../envelope/envelope.ts';
import { composeCertificate } from '../index.ts';
import {
  closeStatement,
  list,
  loose,
  openStatement,
  signaturesOf,
} from '../../test/certificate/forge.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const [party, second, stranger] = [createParty(), createParty(), createParty()];

const waiver = {
  requirement: 'createPet/status.201',
  reason: 'ticket 7',
  owner: 'ada',
  expires: '2026-12-31',
};
const certificate = await (async () => {
  await using place = await openMock(contract);
  return certify(await place.run({ readOnly: true, waivers: [waiver] }), party);
})();
const { text } = certificate;

const kindsOf = (
  findings: readonly { readonly kind: string; readonly weight: string }[],
): readonly string[] => findings.map(({ kind, weight }) => `${weight} ${kind}`);

describe('what is told and takes nothing from a certificate', () => {
  test('a waiver that has run out since the run', async () => {
    const { outcome, findings } = await verifyWith(contract, text, { now: Date.UTC(2100, 0, 1) });
    expect([outcome, findings]).toMatchObject([
      'holds',
      [
        {
          kind: 'waiver',
          weight: 'notice',
          sentence:
            'The waiver for createPet/status.201 was in force during the run, but expired on 2026-12-31.',
        },
      ],
    ]);
    expect(
      (await verifyWith(contract, text, { now: Date.UTC(2026, 11, 31, 23, 59) })).findings,
    ).toEqual([]);
  });

  test('a member of the envelope that no signature covers', async () => {
    const { outcome, findings } = await verifyWith(
      contract,
      text.replace('{', '{ "level": "gold",'),
      { keys: [party.open] },
    );
    expect([outcome, kindsOf(findings)]).toEqual(['holds', ['notice envelope']]);
  });

  test('a kill rate of another version, or of none', async () => {
    const statement = openStatement(text);
    loose(loose(loose(statement['predicate'])['selftest'])['suite'])['rules'] = 99;
    expect((await verifyWith(contract, closeStatement(statement, []))).outcome).toBe('broken');
    const other = await verifyWith(contract, closeStatement(statement, []), {
      selftest: { server: undefined, client: undefined },
    });
    expect([other.outcome, kindsOf(other.findings)]).toEqual([
      'holds',
      ['notice selftest', 'notice selftest'],
    ]);
    loose(statement['predicate'])['selftest'] = null;
    expect(kindsOf((await verifyWith(contract, closeStatement(statement, []))).findings)).toEqual([
      'notice selftest',
    ]);
  });

  test('a kill rate that this version has no record of is called unproved', async () => {
    const { outcome, findings, checks } = await verifyWith(contract, text, {
      selftest: { server: undefined, client: undefined },
    });
    expect([outcome, kindsOf(findings), checks.selftest]).toEqual([
      'holds',
      ['notice selftest'],
      false,
    ]);
    expect(findings[0]?.sentence).toContain('UNVERIFIED');
    expect((await verifyWith(contract, text)).checks.selftest).toBe(true);
  });

  test('the kill rate of servers on the certificate of a client', async () => {
    const statement = openStatement(text);
    loose(statement['predicate'])['kind'] = 'client';
    const { findings } = await verifyWith(contract, closeStatement(statement, []));
    expect(findings.map(({ sentence }) => sentence)).toContain(
      'The self-test figures are UNVERIFIED claims of the signer: they are about servers, not about the rules for clients.',
    );
  });
});

test('a waiver whose last day stands in its owner is not taken for one that ends later', async () => {
  const statement = openStatement(text);
  const predicate = loose(statement['predicate']);
  const [configured, told] = [
    loose(predicate['configuration'])['waivers'],
    predicate['waivers'],
  ].map((each) => loose(list(each)[0]));
  if (configured === undefined || told === undefined) throw new Error('There is no waiver.');
  configured['owner'] = 'ada, until 2199-12-31';
  told['expires'] = `2199-12-31, until ${waiver.expires}`;
  expect(kindsOf((await verifyWith(contract, closeStatement(statement, []))).findings)).toEqual([
    'breaks log',
  ]);
});

test('a text is not taken for null', async () => {
  const statement = openStatement(text);
  loose(loose(statement['predicate'])['run'])['endedEarly'] = 'null';
  expect(kindsOf((await verifyWith(contract, closeStatement(statement, []))).findings)).toEqual([
    'breaks run',
  ]);
});

describe('signatures', () => {
  test('are named and not compared without a key', async () => {
    const { outcome, signatures, checks } = await verifyWith(contract, text);
    expect([outcome, signatures, checks.keys]).toEqual([
      'holds',
      [{ keyid: party.open.keyid, signer: undefined }],
      0,
    ]);
  });

  test('an unsigned certificate holds where no signature is asked for', async () => {
    const { outcome, signatures } = await verifyWith(
      contract,
      closeStatement(openStatement(text), []),
    );
    expect([outcome, signatures]).toEqual(['holds', []]);
  });

  test('of two parties are both compared, and a third is missed', async () => {
    const both = closeStatement(openStatement(text), [party.secret, second.secret]);
    const { outcome, signatures, findings } = await verifyWith(contract, both, {
      keys: [second.open, party.open],
    });
    expect([outcome, findings, signatures?.map(({ signer }) => signer)]).toEqual([
      'holds',
      [],
      [party.open.keyid, second.open.keyid],
    ]);
    const third = await verifyWith(contract, both, { keys: [second.open, stranger.open] });
    expect([third.outcome, kindsOf(third.findings)]).toEqual([
      'broken',
      ['breaks signer', 'notice signature'],
    ]);
  });

  test('count by who made them, whatever their keyid says', async () => {
    const [mine] = signaturesOf(text);
    const renamed = closeStatement(openStatement(text), [
      { keyid: 'someone', sig: mine?.sig ?? Buffer.alloc(0) },
    ]);
    const { outcome, findings } = await verifyWith(contract, renamed, { keys: [party.open] });
    expect([outcome, kindsOf(findings)]).toEqual(['holds', ['notice signature']]);
    const unnamed = closeStatement(openStatement(text), [
      { keyid: '', sig: mine?.sig ?? Buffer.alloc(0) },
    ]);
    expect((await verifyWith(contract, unnamed, { keys: [party.open] })).findings).toEqual([]);
  });

  test('of a key that signed twice, once without a name, count once', async () => {
    const twice = closeStatement(openStatement(text), [
      ...signaturesOf(text),
      ...signaturesOf(text).map(({ sig }) => ({ keyid: '', sig })),
    ]);
    const { outcome, findings } = await verifyWith(contract, twice, { keys: [party.open] });
    expect([outcome, kindsOf(findings)]).toEqual(['holds', ['notice signatures']]);
    const both = await verifyWith(contract, twice, { keys: [party.open, second.open] });
    expect(both.outcome).toBe('broken');
  });
});

describe('an untrusted file', () => {
  test.each([
    '',
    ' ',
    'null',
    '[]',
    '{}',
    '"x"',
    '\u{feff}{}',
    '{"payload":"","payloadType":"application/vnd.in-toto+json","signatures":[]}',
    '{"payload":"bnVsbA==","payloadType":"application/vnd.in-toto+json","signatures":[]}',
  ])('%j is refused, and throws nothing', async (file) => {
    const { outcome, predicate } = await verifyWith(contract, file, { keys: [party.open] });
    expect([outcome, predicate]).toEqual(['broken', undefined]);
  });

  test('nested too deep, it is too large to be judged', async () => {
    const { outcome, findings } = await verifyWith(contract, '['.repeat(5000), { keys: [] });
    expect([outcome, findings[0]?.kind]).toEqual(['unclear', 'size']);
  });

  test('is refused with any one member missing, null, or of another type', async () => {
    const outcomes = new Set<string>();
    const places: (readonly string[])[] = [];
    const walk = (value: unknown, path: readonly string[]): void => {
      if (typeof value !== 'object' || value === null || path.length > 3) return;
      for (const name of Object.keys(value).slice(0, 12)) {
        places.push([...path, name]);
        walk(Reflect.get(value, name), [...path, name]);
      }
    };
    walk(openStatement(text), []);
    const skipped = ['predicate.configuration', 'predicate.log.entries'];
    for (const path of places.filter(
      (each) => !skipped.some((one) => each.join('.').startsWith(one)),
    )) {
      for (const value of [undefined, { odd: [true] }]) {
        const statement = openStatement(text);
        const parent = path
          .slice(0, -1)
          .reduce<unknown>((at, name) => Reflect.get(Object(at), name), statement);
        Reflect.set(Object(parent), path.at(-1) ?? '', value);
        const { outcome, findings } = await verifyWith(contract, closeStatement(statement, []));
        outcomes.add(outcome);
        if (outcome !== 'broken')
          throw new Error(
            `${path.join('.')} may be ${JSON.stringify(value)}: ${JSON.stringify(findings)}`,
          );
      }
    }
    expect([...outcomes]).toEqual(['broken']);
    expect(places.length).toBeGreaterThan(80);
  });

  test('makes the checks fail, and that is told', async () => {
    const { outcome, findings } = await verifyWith(contract, text, {
      recompute: () => Promise.reject(new Error('out of memory')),
    });
    expect([outcome, findings]).toMatchObject([
      'broken',
      [{ kind: 'log', sentence: 'The log cannot be judged again: out of memory.' }],
    ]);
  });
});

test('integers beyond doubles in a configuration come through exactly', () => {
  const { predicate } = certificate;
  const big = composeCertificate(
    { ...predicate, configuration: { references: { categoryId: 9007199254740993n } }, entries: [] },
    [],
  );
  const read = readEnvelope(big.text);
  expect(read.kind === 'read' && read.value.payload.toString()).toContain(
    '{"categoryId":9007199254740993}',
  );
});

test('the suite, where it is another, is told before anything is computed', async () => {
  const { outcome, checks, findings } = await verifyWith(contract, text, {
    suite: { ...sampleSuite, version: '0.2.0' },
    recompute: () => Promise.reject(new Error('not to be called')),
  });
  expect([outcome, checks.recomputation, kindsOf(findings)]).toEqual([
    'unclear',
    false,
    ['unclear suite'],
  ]);
});
