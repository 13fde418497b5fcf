import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { VerificationOptions } from '../certificate/index.ts';
import { certificateLimits } from '../contract/limits/index.ts';
import {
  chainAnew,
  closeStatement,
  list,
  type Loose,
  loose,
  openStatement,
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
 * Three lawful certificates to forge: of a server that conforms, of one that does not, and of a
 * look that adds nothing.
 */
const good = (await certifyMock(contract, party)).text;
const bad = await (async () => {
  const mutant = mutants.find(({ breaks }) => breaks[0] === 'getPet/status.404');
  await using place = await openService(contract, mutant?.behaviour() ?? {});
  return certify(await place.run({ shrink: 0 }), party).text;
})();
const waiver = {
  requirement: 'createPet/status.201',
  reason: 'ticket 7',
  owner: 'ada',
  expires: '2025-12-31',
};
const partial = await (async () => {
  await using place = await openService(contract);
  return certify(await place.run({ readOnly: true, waivers: [waiver] }), party).text;
})();

type Change = (predicate: Loose, statement: Loose) => void;

/** A certificate whose statement was changed and signed anew by its owner. */
const signedAnew = (text: string, change: Change): string => {
  const statement = openStatement(text);
  change(loose(statement['predicate']), statement);
  return closeStatement(statement, [party.secret]);
};

/** As `signedAnew`, with the chain computed anew as well. */
const chainedAnew = (change: Change, text = good): string =>
  signedAnew(text, (predicate, statement) => {
    change(predicate, statement);
    chainAnew(statement);
  });

const entriesOf = (predicate: Loose): unknown[] => list(loose(predicate['log'])['entries']);
const entryAt = (predicate: Loose, index: number): Loose =>
  loose(loose(entriesOf(predicate).at(index))['entry']);
/** The log with another list of entries, its length in step. */
const setEntries = (predicate: Loose, entries: readonly unknown[]): void =>
  void Object.assign(loose(predicate['log']), { entries, length: entries.length });
const swap = (entries: readonly unknown[]): unknown[] =>
  entries.map((entry, index) => (index === 4 ? entries[5] : index === 5 ? entries[4] : entry));
/** Numbers the entries anew, as a careful forger does. */
const renumber = (predicate: Loose): void =>
  entriesOf(predicate).forEach(
    (each, index) => void Object.assign(loose(loose(each)['entry']), { index }),
  );
const responseOf = (entry: Loose): Loose => loose(loose(entry['outcome'])['response']);
const verdictOf = (predicate: Loose, wanted: (entry: Loose) => boolean): Loose =>
  loose(list(predicate['verdicts']).find((each) => wanted(loose(each))));
const recount = (predicate: Loose): void => {
  const verdicts = list(predicate['verdicts']).map((each) => loose(each)['verdict']);
  predicate['counts'] = Object.fromEntries(
    ['passed', 'failed', 'waived', 'not-tested', 'open'].map((kind) => [
      kind,
      verdicts.filter((each) => each === kind).length,
    ]),
  );
};
const tellProved = (verdict: Loose): void =>
  void Object.assign(verdict, { verdict: 'passed', evidence: [0], failures: [], reason: null });
const payloadOf = (text: string): string => JSON.stringify(openStatement(text));

interface Forgery {
  readonly text: string | Uint8Array;
  readonly options?: Partial<VerificationOptions>;
}

const { title, version } = contract;

const forgeries: Readonly<Record<string, () => string | Forgery>> = {
  none: () => good,
  'payload edited, the signature kept': () =>
    closeStatement(payloadOf(good).replace('Pet shop', 'Any shop'), signaturesOf(good)),
  'signed by another key': () => closeStatement(openStatement(good), [stranger.secret]),
  'signed by another key, in the name of the right one': () =>
    closeStatement(openStatement(good), [
      {
        keyid: party.open.keyid,
        sig:
          signaturesOf(closeStatement(openStatement(good), [stranger.secret]))[0]?.sig ??
          Buffer.alloc(0),
      },
    ]),
  'signature removed': () => closeStatement(openStatement(good), []),
  'the signature twice': () =>
    closeStatement(openStatement(good), [...signaturesOf(good), ...signaturesOf(good)]),
  'the signature twice, under two names': () =>
    closeStatement(openStatement(good), [
      ...signaturesOf(good),
      ...signaturesOf(good).map(({ sig }) => ({ keyid: stranger.open.keyid, sig })),
    ]),
  "a stranger's signature beside the right one, in its name": () => {
    const theirs = signaturesOf(closeStatement(openStatement(good), [stranger.secret]));
    const named = theirs.map(({ sig }) => ({ keyid: party.open.keyid, sig }));
    return closeStatement(openStatement(good), [...named, ...signaturesOf(good)]);
  },
  'more than 32 signatures': () =>
    closeStatement(
      openStatement(good),
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
  'a member of the envelope twice': () =>
    good.replace('"payloadType"', '"payloadType": "x",\n  "payloadType"'),
  'another type of payload': () =>
    closeStatement(openStatement(good), [party.secret], 'application/json'),
  'a member of the payload twice, re-signed': () =>
    closeStatement(
      payloadOf(good).replace('"level":"conforms"', '"level":"failed","level":"conforms"'),
      [party.secret],
    ),
  'another type of predicate, re-signed': () =>
    signedAnew(
      good,
      (_, statement) => void (statement['predicateType'] = 'https://slsa.dev/provenance/v1'),
    ),
  'an unknown member in the predicate, re-signed': () =>
    signedAnew(good, (predicate) => void (predicate['note'] = 'certified gold')),
  'an unknown member in the statement, re-signed': () =>
    signedAnew(good, (_, statement) => void (statement['note'] = 'certified gold')),
  "another target's name in the predicate, re-signed": () =>
    signedAnew(good, (predicate) => void (loose(predicate['target'])['name'] = 'Other shop')),
  'a response edited, re-signed': () =>
    signedAnew(good, (predicate) => void (responseOf(entryAt(predicate, 3))['status'] = 299)),
  'an exchange dropped, re-signed': () =>
    signedAnew(good, (predicate) => setEntries(predicate, entriesOf(predicate).toSpliced(5, 1))),
  'the last exchange dropped, re-signed': () =>
    signedAnew(good, (predicate) => setEntries(predicate, entriesOf(predicate).slice(0, -1))),
  'an exchange added, re-signed': () =>
    signedAnew(good, (predicate) =>
      setEntries(predicate, [...entriesOf(predicate), entriesOf(predicate).at(-1)]),
    ),
  'two exchanges swapped, re-signed': () =>
    signedAnew(good, (predicate) => setEntries(predicate, swap(entriesOf(predicate)))),
  'an exchange dropped, re-chained and re-signed': () =>
    chainedAnew((predicate) => {
      setEntries(predicate, entriesOf(predicate).toSpliced(5, 1));
      renumber(predicate);
    }),
  'the last exchange dropped, re-chained and re-signed': () =>
    chainedAnew((predicate) => setEntries(predicate, entriesOf(predicate).slice(0, -1))),
  'an exchange added, re-chained and re-signed': () =>
    chainedAnew((predicate) => {
      setEntries(
        predicate,
        structuredClone([...entriesOf(predicate), entriesOf(predicate).at(-1)]),
      );
      renumber(predicate);
    }),
  'two exchanges swapped, re-chained and re-signed': () =>
    chainedAnew((predicate) => {
      setEntries(predicate, swap(entriesOf(predicate)));
      renumber(predicate);
    }),
  'a request edited, re-chained and re-signed': () =>
    chainedAnew(
      (predicate) => void (loose(entryAt(predicate, 5)['request'])['target'] = '/pets?limit=7'),
    ),
  'a response edited, re-chained and re-signed': () =>
    chainedAnew(
      (predicate) => void Object.assign(responseOf(entryAt(predicate, -1)), { headers: [] }),
      bad,
    ),
  'a malformed entry, re-chained and re-signed': () =>
    chainedAnew((predicate) => void (entryAt(predicate, 5)['note'] = 1)),
  'another seed, re-signed': () =>
    signedAnew(good, (predicate) => void (loose(predicate['configuration'])['seed'] = 2)),
  'another budget, re-signed': () =>
    signedAnew(good, (predicate) => void (loose(predicate['configuration'])['requests'] = 30)),
  'another address of the target, re-signed': () =>
    signedAnew(
      good,
      (predicate) => void (loose(predicate['target'])['baseUrl'] = 'https://api.example/v1'),
    ),
  'another start of the run, re-signed': () =>
    signedAnew(
      good,
      (predicate) => void (loose(predicate['run'])['startedAt'] = '2027-01-01T00:00:00.000Z'),
    ),
  'a malformed configuration, re-signed': () =>
    signedAnew(good, (predicate) => void (predicate['configuration'] = { seed: 1 })),
  'a failure marked as passed, re-signed': () =>
    signedAnew(bad, (predicate) => {
      for (const each of list(predicate['verdicts']).map(loose))
        if (each['verdict'] === 'failed') tellProved(each);
      predicate['level'] = list(predicate['verdicts'])
        .map(loose)
        .some(({ verdict, level }) => verdict === 'not-tested' && level === 'must')
        ? 'incomplete'
        : 'conforms';
      recount(predicate);
    }),
  'a not-tested requirement marked as passed, re-signed': () =>
    signedAnew(partial, (predicate) => {
      tellProved(
        verdictOf(predicate, ({ verdict, level }) => verdict === 'not-tested' && level === 'must'),
      );
      recount(predicate);
    }),
  'a requirement left out, re-signed': () =>
    signedAnew(good, (predicate) => {
      predicate['verdicts'] = list(predicate['verdicts']).slice(1);
      recount(predicate);
    }),
  'a must marked as a should, re-signed': () =>
    signedAnew(
      good,
      (predicate) =>
        void (verdictOf(predicate, ({ level }) => level === 'must')['level'] = 'should'),
    ),
  'evidence that is not in the log, re-signed': () =>
    signedAnew(
      good,
      (predicate) =>
        void (verdictOf(predicate, ({ verdict }) => verdict === 'passed')['evidence'] = [999_999]),
    ),
  'another choice of an open question, re-signed': () =>
    signedAnew(
      good,
      (predicate) =>
        void (verdictOf(predicate, ({ verdict }) => verdict === 'open')['choices'] = ['other']),
    ),
  'a reason where there is none, re-signed': () =>
    signedAnew(
      good,
      (predicate) =>
        void (verdictOf(predicate, ({ verdict }) => verdict === 'passed')['reason'] = 'by favour'),
    ),
  'a failure left out of several, re-signed': () =>
    signedAnew(bad, (predicate) => {
      const failed = verdictOf(predicate, ({ verdict }) => verdict === 'failed');
      failed['failures'] = list(failed['failures']).slice(1);
    }),
  'another sentence of a requirement, re-signed': () =>
    signedAnew(
      good,
      (predicate) =>
        void (verdictOf(predicate, ({ level }) => level === 'must')['sentence'] =
          'It is a good shop.'),
    ),
  'another reason, re-signed': () =>
    signedAnew(
      partial,
      (predicate) =>
        void (verdictOf(predicate, ({ verdict }) => verdict === 'not-tested')['reason'] =
          'the moon was full'),
    ),
  'another text of what was received, re-signed': () =>
    signedAnew(bad, (predicate) => {
      const { failures } = verdictOf(predicate, ({ verdict }) => verdict === 'failed');
      loose(list(failures)[0])['received'] = 'nothing to speak of';
    }),
  'other counts, re-signed': () =>
    signedAnew(good, (predicate) => void (loose(predicate['counts'])['passed'] = 1000)),
  'another level, re-signed': () =>
    signedAnew(partial, (predicate) => void (predicate['level'] = 'conforms')),
  'a waiver that the run did not have, re-signed': () =>
    signedAnew(
      good,
      (predicate) =>
        void (predicate['waivers'] = [{ ...waiver, expires: '2099-12-31', state: 'unreached' }]),
    ),
  'a waiver added to the settings of the run and all that follows, re-signed': () =>
    signedAnew(good, (predicate) => {
      const added = { ...waiver, expires: '2026-12-31' };
      loose(predicate['configuration'])['waivers'] = [added];
      predicate['waivers'] = [{ ...added, state: 'unreached' }];
    }),
  'an expired waiver marked as in force, re-signed': () =>
    signedAnew(
      partial,
      (predicate) => void (loose(list(predicate['waivers'])[0])['state'] = 'unreached'),
    ),
  'the last day of a waiver moved, re-signed': () =>
    signedAnew(
      partial,
      (predicate) => void (loose(list(predicate['waivers'])[0])['expires'] = '2099-12-31'),
    ),
  'the name of a target of 5 MB, re-signed': () =>
    signedAnew(good, (predicate, statement) => {
      const name = 'x'.repeat(5_000_000);
      loose(predicate['target'])['name'] = name;
      loose(list(statement['subject'])[0])['name'] = `${name}@2.1`;
    }),
  'a better kill rate of the suite, re-signed': () =>
    signedAnew(
      good,
      (predicate) =>
        void Object.assign(loose(loose(predicate['selftest'])['mutants']), {
          runs: 10_000,
          caught: 10_000,
        }),
    ),
  'a better kill rate of another day, re-signed': () =>
    signedAnew(good, (predicate) => {
      const selftest = loose(predicate['selftest']);
      Object.assign(loose(selftest['mutants']), { runs: 10_000, caught: 10_000 });
      selftest['measuredAt'] = '2026-11-30T12:00:00.000Z';
    }),
  'another document than the one at hand': () => ({
    text: good,
    options: { contract: { title, version, digest: 'cd'.repeat(32) } },
  }),
  'another title of the document, re-signed': () =>
    signedAnew(good, (predicate) => void (loose(predicate['contract'])['title'] = 'Better Store')),
  'another version of the suite, re-signed': () =>
    signedAnew(good, (predicate) => void (loose(predicate['suite'])['version'] = '9.0.0')),
  'other rules of the suite, re-signed': () =>
    signedAnew(good, (predicate) => void (loose(predicate['suite'])['rules'] = 99)),
  'other dependencies of the suite, re-signed': () =>
    signedAnew(
      good,
      (predicate) => void (loose(predicate['suite'])['dependencies'] = 'ef'.repeat(32)),
    ),
};

/** What breaks a certificate, or leaves it open, stands before what is only told. */
const byWeight = (one: { readonly weight: string }, other: { readonly weight: string }): number =>
  Number(one.weight === 'notice') - Number(other.weight === 'notice');

describe('the table of forgeries', () => {
  test('has every forgery that is made here, and no other', () => {
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(forgeries));
  });

  test.each(rows)('$name', async ({ name, kind, code }) => {
    const made = forgeries[name]?.() ?? '';
    const { text, options } =
      typeof made === 'string' ? { text: made, options: {} } : { options: {}, ...made };
    const verification = await verifyWith(contract, text, { keys: [party.open], ...options });
    const [first] = verification.findings.toSorted(byWeight);
    expect({ kind: first?.kind, code: exitCodeOf(verification) }).toEqual({ kind, code });
    expect(first?.sentence ?? 'It holds.').toMatch(/^[A-Z].*[.:]$/s);
  });
});

test('of a certificate that is worded otherwise the words of this version are shown', async () => {
  const text = signedAnew(
    partial,
    (predicate) =>
      void Object.assign(
        verdictOf(predicate, ({ verdict }) => verdict === 'not-tested'),
        { sentence: 'It is a good shop.', reason: 'the moon was full' },
      ),
  );
  const [lawful, forged] = await Promise.all(
    [partial, text].map((each) => verifyWith(contract, each, { keys: [party.open] })),
  );
  expect(forged?.outcome).toBe('holds');
  expect(forged?.findings).toMatchObject([
    { kind: 'words', weight: 'notice', sentence: expect.stringMatching(/"?It is a good shop/) },
  ]);
  expect(forged?.predicate?.verdicts).toEqual(lawful?.predicate?.verdicts);
});

test('what is forged is lawful before', async () => {
  const levels = await Promise.all(
    [good, bad, partial].map(async (text) => {
      const { outcome, findings, predicate } = await verifyWith(contract, text, {
        keys: [party.open],
      });
      return [outcome, predicate?.level, findings];
    }),
  );
  expect(levels).toEqual([
    ['holds', 'conforms', []],
    ['holds', 'failed', []],
    ['holds', 'incomplete', []],
  ]);
});
