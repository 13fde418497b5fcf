import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { settleLevel, type VerificationOptions } from '../certificate/index.ts';
import { certificateLimits } from '../contract/limits/index.ts';
import {
  closePayload,
  digestAnew,
  factsOf,
  list,
  type Loose,
  loose,
  openPayload,
  signaturesOf,
} from '../test/certificate/forge.ts';
import { certify, certifyMock, createParty, verifyWith } from '../test/cli/certificates.ts';
import { openService } from '../test/cli/target.ts';
import { exitCodeOf } from '../cli/commands/verify.ts';
import { mutants } from '../selftest/index.ts';
import { petstore as contract } from '../test/contract/petstore.ts';

const page = readFileSync(new URL('certificates.md', import.meta.url), 'utf8');

/** Forgery, kind of the first finding, exit code: the rows of the table. */
const rows = [...page.matchAll(/^\| ([^|]+) \| (?:`([a-z-]+)`|-) \| (\d) \|$/gm)].map(
  ([, name = '', kind, code]) => ({ name, kind, code: Number(code) }),
);

const [party, stranger] = [createParty(), createParty()];

/**
 * Three genuine certificates to forge: of a server that conforms, of one that does not, and of a
 * read-only run.
 */
const good = (await certifyMock(contract, party)).text;
const bad = await (async () => {
  const mutant = mutants.find(({ id }) => id === 'get-absent-400');
  await using place = await openService(contract, mutant?.behaviour() ?? {});
  return certify(contract, await place.run({ shrink: 0 }), party).text;
})();
const waiver = {
  requirement: 'createPet/status.201',
  reason: 'ticket 7',
  owner: 'ada',
  expires: '2025-12-31',
};
const partial = await (async () => {
  await using place = await openService(contract);
  return certify(contract, await place.run({ readOnly: true, waivers: [waiver] }), party).text;
})();

type Change = (document: Loose) => void;

/** A certificate whose payload was changed and signed again by its owner. */
const resigned = (text: string, change: Change): string => {
  const document = openPayload(text);
  change(document);
  return closePayload(document, [party.secret]);
};

/** As `resigned`, with the digest of the log computed again. */
const redigested = (change: Change, text = good): string =>
  resigned(text, (document) => {
    change(document);
    digestAnew(document);
  });

const exchangesOf = (document: Loose): unknown[] => list(document['exchanges']);
const exchangeAt = (document: Loose, index: number): Loose =>
  loose(exchangesOf(document).at(index));
const settingsOf = (document: Loose): Loose => loose(factsOf(document)['settings']);
const setExchanges = (document: Loose, exchanges: readonly unknown[]): void => {
  // A careful forger numbers them again.
  document['exchanges'] = exchanges.map((each, index) => ({ ...loose(each), index }));
  loose(document['run'])['requests'] = exchanges.length;
};
const swap = (exchanges: readonly unknown[]): unknown[] =>
  exchanges.map((each, index) => (index === 4 ? exchanges[5] : index === 5 ? exchanges[4] : each));
const responseOf = (exchange: Loose): Loose => loose(loose(exchange['outcome'])['response']);
const verdictOf = (document: Loose, wanted: (entry: Loose) => boolean): Loose =>
  loose(list(document['verdicts']).find((each) => wanted(loose(each))));
const tellPassed = (document: Loose, verdict: Loose): void => {
  const counts = loose(document['counts']);
  const kind = String(verdict['verdict']);
  [counts[kind], counts['passed']] = [Number(counts[kind]) - 1, Number(counts['passed']) + 1];
  for (const name of ['failures', 'reason', 'because']) delete verdict[name];
  Object.assign(verdict, { verdict: 'passed', exchanges: [0] });
};
const payloadOf = (text: string): string => JSON.stringify(openPayload(text));
const withVersion = (version: unknown): string =>
  resigned(good, (document) => void (factsOf(document)['version'] = version));

interface Forgery {
  readonly text: string | Uint8Array;
  readonly options?: Partial<VerificationOptions>;
}

const forgeries: Readonly<Record<string, () => string | Forgery>> = {
  none: () => good,
  'payload edited, the signature kept': () =>
    closePayload(payloadOf(good).replace('Pet shop', 'Any shop'), signaturesOf(good)),
  'signed by another key': () => closePayload(openPayload(good), [stranger.secret]),
  'signed by another key, in the name of the right one': () =>
    closePayload(
      openPayload(good),
      signaturesOf(closePayload(openPayload(good), [stranger.secret])).map(({ sig }) => ({
        keyid: party.open.keyid,
        sig,
      })),
    ),
  'signature removed': () => closePayload(openPayload(good), []),
  'the signature twice, under two names': () =>
    closePayload(openPayload(good), [
      ...signaturesOf(good),
      ...signaturesOf(good).map(({ sig }) => ({ keyid: stranger.open.keyid, sig })),
    ]),
  "a stranger's signature beside the right one, in its name": () => {
    const theirs = signaturesOf(closePayload(openPayload(good), [stranger.secret]));
    const named = theirs.map(({ sig }) => ({ keyid: party.open.keyid, sig }));
    return closePayload(openPayload(good), [...named, ...signaturesOf(good)]);
  },
  'more than 8 signatures': () =>
    closePayload(
      openPayload(good),
      Array.from({ length: certificateLimits.signatures + 1 }, (_, index) => ({
        keyid: `k${index}`,
        sig: Buffer.from([index]),
      })),
    ),
  'Base64 of the payload broken': () => good.replace('"payload": "', '"payload": "*'),
  'file cut off': () => good.slice(0, -20),
  'file not UTF-8': () => ({ text: Buffer.concat([Buffer.from(good), Buffer.from([0xff])]) }),
  'file of more than 48 MiB': () => ({
    text: new Uint8Array(certificateLimits.fileBytes + 1),
  }),
  'file of more than 1,000,000 JSON values': () => `[${'0,'.repeat(certificateLimits.values)}0]`,
  'file nested 5,000 levels deep': () => '['.repeat(5000),
  'a member of the envelope twice': () =>
    good.replace('"payloadType"', '"payloadType": "x",\n  "payloadType"'),
  'an unknown member in the envelope': () => good.replace('{', '{ "level": "gold",'),
  'another type of payload': () =>
    closePayload(openPayload(good), [party.secret], 'application/json'),
  'the type of payload of certificates before 0.2.0': () =>
    closePayload(openPayload(good), [party.secret], 'application/vnd.in-toto+json'),
  'a member of the payload twice, signed again': () =>
    closePayload(
      payloadOf(bad).replace('"outcome":"failed"', '"outcome":"failed","outcome":"conforms"'),
      [party.secret],
    ),
  'a report without a certificate, signed again': () =>
    resigned(good, (document) => void delete document['certificate']),
  'an unknown member in the report, signed again': () =>
    resigned(good, (document) => void (document['note'] = 'certified gold')),
  'an unknown member beside the report, signed again': () =>
    resigned(good, (document) => void (factsOf(document)['note'] = 'certified gold')),
  'another version of the package, signed again': () => withVersion('9.0.0'),
  'a version that is a shell command, signed again': () => withVersion('1.0.0; rm -rf ~'),
  'a version that is a list, signed again': () => withVersion(['1.0.0']),
  'a response edited, signed again': () =>
    resigned(good, (document) => void (responseOf(exchangeAt(document, 3))['status'] = 299)),
  'an exchange dropped, signed again': () =>
    resigned(good, (document) => setExchanges(document, exchangesOf(document).toSpliced(5, 1))),
  'an exchange dropped, with a new digest': () =>
    redigested((document) => setExchanges(document, exchangesOf(document).toSpliced(5, 1))),
  'the last exchange dropped, with a new digest': () =>
    redigested((document) => setExchanges(document, exchangesOf(document).slice(0, -1))),
  'an exchange added, with a new digest': () =>
    redigested((document) =>
      setExchanges(document, [...exchangesOf(document), exchangesOf(document).at(-1)]),
    ),
  'two exchanges swapped, with a new digest': () =>
    redigested((document) => setExchanges(document, swap(exchangesOf(document)))),
  'a request edited, with a new digest': () =>
    redigested(
      (document) => void (loose(exchangeAt(document, 5)['request'])['target'] = '/pets?limit=7'),
    ),
  'a response edited, with a new digest': () =>
    redigested(
      (document) => void Object.assign(responseOf(exchangeAt(document, -1)), { headers: [] }),
      bad,
    ),
  'a malformed exchange, with a new digest': () =>
    redigested((document) => void (exchangeAt(document, 5)['note'] = 1)),
  'the log of another run, with a new digest': () =>
    redigested((document) => setExchanges(document, exchangesOf(openPayload(bad)))),
  'another seed, signed again': () =>
    resigned(good, (document) => {
      settingsOf(document)['seed'] = 2;
      loose(document['run'])['seed'] = 2;
    }),
  'another number of requests, signed again': () =>
    resigned(good, (document) => void (settingsOf(document)['requests'] = 30)),
  'another address of the target, signed again': () =>
    resigned(
      good,
      (document) => void (loose(document['target'])['baseUrl'] = 'https://api.example/v1'),
    ),
  'another start of the run, signed again': () =>
    resigned(
      good,
      (document) => void (loose(document['run'])['startedAt'] = '2026-01-01T00:00:00.000Z'),
    ),
  'malformed settings, signed again': () =>
    resigned(good, (document) => void (factsOf(document)['settings'] = { seed: 1 })),
  'a server marked as a client, signed again': () =>
    resigned(good, (document) => void (document['client'] = 'node client.js')),
  'a failure marked as passed, signed again': () =>
    resigned(bad, (document) => {
      for (const each of list(document['verdicts']).map(loose))
        if (each['verdict'] === 'failed') tellPassed(document, each);
      Object.assign(document, { outcome: 'conforms', causes: [] });
    }),
  'a not-tested requirement marked as passed, signed again': () =>
    resigned(partial, (document) => {
      tellPassed(
        document,
        verdictOf(document, ({ verdict, level }) => verdict === 'not-tested' && level === 'must'),
      );
    }),
  'a requirement left out, signed again': () =>
    resigned(good, (document) => {
      document['verdicts'] = list(document['verdicts']).slice(1);
    }),
  'a must marked as a should, signed again': () =>
    resigned(
      good,
      (document) => void (verdictOf(document, ({ level }) => level === 'must')['level'] = 'should'),
    ),
  'evidence that is not in the log, signed again': () =>
    resigned(
      good,
      (document) =>
        void (verdictOf(document, ({ verdict }) => verdict === 'passed')['exchanges'] = [999_999]),
    ),
  'another choice of an open question, signed again': () =>
    resigned(
      good,
      (document) =>
        void (verdictOf(document, ({ verdict }) => verdict === 'open')['choices'] = ['other']),
    ),
  'a failure left out of several, signed again': () =>
    resigned(bad, (document) => {
      const failed = verdictOf(document, ({ verdict }) => verdict === 'failed');
      failed['failures'] = list(failed['failures']).slice(1);
    }),
  'another cause of the failures, signed again': () =>
    resigned(
      bad,
      (document) => void (loose(list(document['causes'])[0])['sentence'] = 'It was the network.'),
    ),
  'another sentence of a requirement, signed again': () =>
    resigned(
      good,
      (document) =>
        void (verdictOf(document, ({ level }) => level === 'must')['sentence'] =
          'It is a good shop.'),
    ),
  'another reason, signed again': () =>
    resigned(
      partial,
      (document) =>
        void (verdictOf(document, ({ verdict }) => verdict === 'not-tested')['reason'] =
          'the moon was full'),
    ),
  'another text of what was received, signed again': () =>
    resigned(bad, (document) => {
      const { failures } = verdictOf(document, ({ verdict }) => verdict === 'failed');
      loose(list(failures)[0])['received'] = 'nothing to speak of';
    }),
  'another replay id, signed again': () =>
    resigned(bad, (document) => {
      const { failures } = verdictOf(document, ({ verdict }) => verdict === 'failed');
      loose(list(failures)[0])['replay'] = 'r1-AAAA';
    }),
  'other counts, signed again': () =>
    resigned(good, (document) => void (loose(document['counts'])['passed'] = 1000)),
  'another outcome, signed again': () =>
    resigned(bad, (document) => void (document['outcome'] = 'conforms')),
  'a waiver that the run did not have, signed again': () =>
    resigned(
      good,
      (document) =>
        void (document['waivers'] = [{ ...waiver, expires: '2099-12-31', state: 'unreached' }]),
    ),
  'a waiver added to the settings and all that follows, signed again': () =>
    resigned(good, (document) => {
      const added = { ...waiver, expires: '2026-12-31' };
      settingsOf(document)['waivers'] = [added];
      document['waivers'] = [{ ...added, state: 'unreached' }];
    }),
  'an expired waiver marked as in force, signed again': () =>
    resigned(
      partial,
      (document) => void (loose(list(document['waivers'])[0])['state'] = 'unreached'),
    ),
  'the last day of a waiver moved, signed again': () =>
    resigned(
      partial,
      (document) => void (loose(list(document['waivers'])[0])['expires'] = '2099-12-31'),
    ),
  'the name of a target of 5 MB, signed again': () =>
    resigned(
      good,
      (document) => void (loose(factsOf(document)['target'])['name'] = 'x'.repeat(5_000_000)),
    ),
  'another document than the one given': () => ({
    text: good,
    options: { contract: { ...contract, digest: 'cd'.repeat(32) } },
  }),
  'another title of the document, signed again': () =>
    resigned(good, (document) => void (loose(document['contract'])['title'] = 'Better Store')),
};

describe('the table of forgeries', () => {
  test('lists exactly the forgeries that are made here', () => {
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(forgeries));
  });

  test.each(rows)('$name', async ({ name, kind, code }) => {
    const made = forgeries[name]?.() ?? '';
    const { text, options } =
      typeof made === 'string' ? { text: made, options: {} } : { options: {}, ...made };
    const verification = await verifyWith(contract, text, { keys: [party.open], ...options });
    const [first] = verification.findings;
    expect({ kind: first?.kind, code: exitCodeOf(verification) }).toEqual({ kind, code });
    expect(first?.sentence ?? 'It holds.').toMatch(/^[A-Z].*\.$/s);
    expect(verification.certified === undefined).toBe(
      name !== 'none' && code !== 0 && kind !== 'signature',
    );
  });
});

test('the certificate is genuine before the forgery', async () => {
  const levels = await Promise.all(
    [good, bad, partial].map(async (text) => {
      const { outcome, findings, certified } = await verifyWith(contract, text, {
        keys: [party.open],
      });
      return [outcome, certified && settleLevel(certified.report), findings];
    }),
  );
  expect(levels).toEqual([
    ['holds', 'conforms', []],
    ['holds', 'failed', []],
    ['holds', 'incomplete', []],
  ]);
});

test('the first difference has its place and both values', async () => {
  const text = resigned(good, (document) => void (loose(document['counts'])['passed'] = 1000));
  const { findings } = await verifyWith(contract, text, { keys: [party.open] });
  expect(findings).toMatchObject([
    {
      where: '/counts/passed',
      difference: { certificate: '1000', log: expect.stringMatching(/^\d{2,3}$/) },
    },
  ]);
});
