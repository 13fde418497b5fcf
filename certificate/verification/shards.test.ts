import { describe, expect, test } from 'vitest';
import {
  certifyShards,
  createParty,
  mergeShards,
  verifyShardTexts,
  verifyWith,
  verifyingOptions,
} from '../../test/cli/certificates.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { recomputeShards, type ShardCertificate, verifyShard } from '../index.ts';
import {
  chainAnew,
  closeStatement,
  list,
  type Loose,
  loose,
  openStatement,
} from '../../test/certificate/forge.ts';

const [party, stranger] = [createParty(), createParty()];
const options = verifyingOptions(contract, party);
const texts = await certifyShards(contract, party);
const verified = await verifyShardTexts(contract, party, texts);

const mergedOf = (given: readonly ShardCertificate[], signer = party): string =>
  mergeShards(contract, signer, given);

const verify = (text: string, given: readonly ShardCertificate[]) =>
  verifyWith(contract, text, {
    keys: [party.open],
    recompute: (predicate) => Promise.resolve(recomputeShards(contract, predicate, given, true)),
  });

const forge = (
  text: string,
  change: (predicate: Loose, statement: Loose) => void,
  isChained = false,
): string => {
  const statement = openStatement(text);
  change(loose(statement['predicate']), statement);
  if (isChained) chainAnew(statement);
  return closeStatement(statement, [party.secret]);
};

const good = mergedOf(verified);

describe('a merged certificate', () => {
  test('rests on shards that hold and are signed', () => {
    expect(verified.map((each) => each.kind === 'holds' && each.isSigned)).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('holds with the certificates that it cites', async () => {
    const { outcome, findings, predicate, checks } = await verify(good, verified);
    expect([findings.filter(({ weight }) => weight !== 'notice'), outcome]).toEqual([[], 'holds']);
    expect([predicate?.level, checks.recomputation]).toEqual(['conforms', true]);
  });

  test('tells which were not given, and is inconclusive then', async () => {
    const { outcome, findings, checks } = await verify(good, verified.slice(0, 1));
    expect([outcome, checks.recomputation]).toEqual(['unclear', false]);
    expect(findings.map(({ sentence }) => sentence)).toEqual([
      'The certificates of shards 2 and 3 were not given (--shard) or could not be verified: what follows from them was not checked.',
    ]);
  });

  test('does not say "conforms" with a shard missing, and names it', async () => {
    const { predicate, outcome } = await verify(
      mergedOf(verified.toSpliced(1, 1)),
      verified.toSpliced(1, 1),
    );
    expect([outcome, predicate?.level]).toEqual(['holds', 'incomplete']);
  });

  test('says where a shard is signed by nobody that is known', async () => {
    const { findings, outcome } = await verify(
      good,
      verified.map((each, at) =>
        at === 1 && each.kind === 'holds' ? { ...each, isSigned: false } : each,
      ),
    );
    expect(outcome).toBe('holds');
    expect(findings.map(({ sentence }) => sentence)).toContain(
      'The certificate of shard 2 is signed by none of the given keys. Only the signer of this certificate vouches for it.',
    );
  });
});

const tellPassed = (predicate: Loose): void => {
  for (const each of list(predicate['verdicts']).map(loose))
    if (each['verdict'] === 'not-tested')
      Object.assign(each, { verdict: 'passed', reason: null, evidence: [0] });
};

describe('forgeries by the signer are found, where the shards are at hand', () => {
  const gap = () => mergedOf(verified.toSpliced(1, 1));
  test.each<[string, () => string, readonly ShardCertificate[], string]>([
    ['a verdict', () => forge(good, tellPassed), verified, 'verdict'],
    [
      'the level, with a shard missing',
      () => forge(gap(), (predicate) => void (predicate['level'] = 'conforms')),
      verified.toSpliced(1, 1),
      'level',
    ],
    [
      'the number of shards, so that none is missing',
      () =>
        forge(mergedOf(verified.slice(0, 2)), (predicate) => {
          loose(predicate['configuration'])['shards'] = 2;
          predicate['level'] = 'conforms';
        }),
      verified.slice(0, 2),
      'configuration',
    ],
    [
      'the level of a shard',
      () =>
        forge(
          good,
          (predicate) =>
            void (loose(loose(list(loose(predicate['log'])['entries'])[0])['entry'])['level'] =
              'failed'),
          true,
        ),
      verified,
      'shard',
    ],
    [
      'a citation, not chained anew',
      () =>
        forge(
          good,
          (predicate) =>
            void (loose(loose(list(loose(predicate['log'])['entries'])[0])['entry'])['level'] =
              'failed'),
        ),
      verified,
      'chain',
    ],
    [
      'a shard cited twice',
      () =>
        forge(
          good,
          (predicate) => {
            const log = loose(predicate['log']);
            const entries = list(log['entries']);
            Object.assign(log, { entries: [...entries, structuredClone(entries[0])], length: 4 });
          },
          true,
        ),
      verified,
      'shard',
    ],
    [
      'the counts',
      () => forge(good, (predicate) => void (loose(predicate['counts'])['passed'] = 9999)),
      verified,
      'counts',
    ],
    [
      'an address',
      () =>
        forge(good, (predicate) => void (loose(predicate['target'])['baseUrl'] = 'http://x/v1')),
      verified,
      'run',
    ],
    [
      'the name of the target, which the shards do not bear',
      () =>
        forge(good, (predicate, statement) => {
          loose(predicate['target'])['name'] = 'Another shop';
          loose(list(statement['subject'])[0])['name'] = 'Another shop@2.1';
        }),
      verified,
      'shard',
    ],
    [
      'a shard left out of the log, and chained anew',
      () =>
        forge(
          good,
          (predicate) => {
            const log = loose(predicate['log']);
            Object.assign(log, { entries: list(log['entries']).toSpliced(1, 1), length: 2 });
          },
          true,
        ),
      verified,
      'level',
    ],
  ])('%s', async (_, make, given, kind) => {
    const { outcome, findings } = await verify(make(), given);
    expect(outcome).toBe('broken');
    expect(findings.filter(({ weight }) => weight === 'breaks').map((each) => each.kind)).toContain(
      kind,
    );
  });

  test('another certificate in the place of one that is cited is told', async () => {
    const [first, , third] = texts;
    const other = await verifyShard(
      contract,
      {
        name: 'other',
        bytes: Buffer.from(
          forge(third ?? '', (predicate) => void (loose(predicate['target'])['version'] = '3')),
        ),
      },
      options,
    );
    const { outcome, findings } = await verify(good, [...verified.slice(0, 2), other]);
    expect(first).toBeDefined();
    expect(outcome).not.toBe('holds');
    expect(findings.map(({ sentence }) => sentence).join(' ')).toContain('shard 3');
  });

  test('a shard whose log was edited is not cited as one that holds', async () => {
    const edited = forge(texts[0] ?? '', tellPassed);
    const { kind } = await verifyShard(
      contract,
      { name: 'edited', bytes: Buffer.from(edited) },
      options,
    );
    expect(kind).toBe('broken');
  });

  test('a configuration of another form is not told as computed again', async () => {
    const made = forge(good, (predicate) => void delete loose(predicate['configuration'])['seed']);
    const { outcome, checks } = await verify(made, verified);
    expect([outcome, checks.recomputation]).toEqual(['broken', false]);
  });

  test('a merged certificate of a stranger is not authenticated', async () => {
    expect((await verify(mergedOf(verified, stranger), verified)).outcome).toBe('broken');
  });
});
