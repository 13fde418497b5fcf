import { describe, expect, test } from 'vitest';
import { settleLevel, type Verification } from '../../../certificate/index.ts';
import { type RunOptions, runConformance } from '../../../conformance/index.ts';
import { createStillClock } from '../../../test/conformance/still-clock.ts';
import { hasCode } from '../../../contract/error/petstore-error.ts';
import {
  createService,
  mutants,
  variants,
  type Mutant,
  type Variant,
} from '../../../selftest/index.ts';
import { listen } from '../../../selftest/service/listener.ts';
import { certify, createParty, verifyWith } from '../../../test/cli/certificates.ts';
import { openMock } from '../../../test/cli/target.ts';
import { petstore as contract } from '../../../test/contract/petstore.ts';

/**
 * Whatever a run was like, its certificate verifies: what runs again over a log has to come to the
 * same, to the letter.
 */
const party = createParty();

/**
 * What a certificate of a run came to; undefined if the run is inconclusive, and there is nothing
 * to certify.
 */
const verifyRun = async (subject: Mutant | Variant | undefined, options: RunOptions) => {
  const clock = createStillClock();
  const service = await listen(createService(subject?.behaviour() ?? {}, clock));
  try {
    const report = await runConformance(
      contract,
      { baseUrl: service.baseUrl, apiKey: 'service-free' },
      { clock, plan: 'Free', timeout: 2000, longestWait: 90_000_000, requests: 60, ...options },
    );
    return await verifyWith(contract, certify(contract, report, party).text, {
      keys: [party.open],
    });
  } catch (error) {
    if (hasCode(error, 'inconclusive')) return undefined;
    throw error;
  } finally {
    await service.close();
  }
};

const levelOf = (verification: Verification | undefined) =>
  verification?.certified && settleLevel(verification.certified.report);

const every = <T>(list: readonly T[], step: number, from: number): readonly T[] =>
  list.filter((_, index) => index % step === from);

describe('the certificate of a valid variant', () => {
  test.for(every(variants, 17, 5).map((variant) => ({ id: variant.id, variant })))(
    '$id',
    async ({ variant }) => {
      const verification = await verifyRun(variant, { exhaust: true });
      expect([verification?.findings, verification?.certified?.report.counts.failed]).toEqual([
        [],
        0,
      ]);
    },
  );
});

describe('the certificate of a server with a fault', () => {
  test.for(every(mutants, 61, 7).map((mutant) => ({ id: mutant.id, mutant })))(
    '$id',
    async ({ mutant }) => {
      const verification = await verifyRun(mutant, {
        requests: mutant.needs === 'more' ? 240 : 60,
        exhaust: mutant.needs === 'exhaust',
      });
      expect(verification?.findings).toEqual([]);
      expect(levelOf(verification)).toBe('failed');
    },
  );
});

const waiver = (requirement: string, expires = '2026-12-31') => ({
  requirement,
  reason: 'ticket 7',
  owner: 'ada',
  expires,
});
const broken = mutants.find(({ id }) => id === 'get-absent-400');

describe('the certificate of a run', () => {
  test.each<[string, RunOptions, Mutant | undefined, string]>([
    ['as it is', {}, undefined, 'incomplete'],
    ['driven to the limit', { exhaust: true }, undefined, 'conforms'],
    ['that only looks', { readOnly: true }, undefined, 'incomplete'],
    ['of a part', { only: ['auth', 'listPets'] }, undefined, 'incomplete'],
    ['without a part', { skip: ['createPet'], exhaust: true }, undefined, 'incomplete'],
    ['with fuzzing', { fuzz: 200 }, undefined, 'incomplete'],
    ['with fuzzing against a fault', { fuzz: 200, shrink: 60 }, broken, 'failed'],
    ['of one request', { requests: 1 }, undefined, 'incomplete'],
    ['of seven requests', { requests: 7 }, undefined, 'incomplete'],
    [
      'of nineteen requests, with a fault out of their reach',
      { requests: 19 },
      broken,
      'incomplete',
    ],
    ['of another seed', { seed: 77, exhaust: true }, undefined, 'conforms'],
    ['on an unknown plan', { seed: 3 }, undefined, 'incomplete'],
    [
      'with a known category',
      { references: { categoryId: 9_007_199_254_740_993n } },
      undefined,
      'incomplete',
    ],
    [
      'with a waiver in force',
      { exhaust: true, waivers: [waiver('getPet/status.404')] },
      broken,
      'conforms',
    ],
    [
      'with a waiver out of date',
      { exhaust: true, waivers: [waiver('getPet/status.404', '2020-01-01')] },
      broken,
      'failed',
    ],
    [
      'with a waiver that is needless',
      { exhaust: true, waivers: [waiver('getPet/status.404')] },
      undefined,
      'incomplete',
    ],
    [
      'with a waiver of what it does not reach',
      { readOnly: true, waivers: [waiver('createPet/status.201')] },
      undefined,
      'incomplete',
    ],
  ])('%s', async (_name, options, subject, level) => {
    const verification = await verifyRun(subject, options);
    expect([verification?.outcome, verification?.findings, levelOf(verification)]).toEqual([
      'holds',
      [],
      level,
    ]);
  });

  test('with saved counterexamples is not valid, because their requests decide what they prove', async () => {
    const saved = [
      {
        requirement: 'getPet/status.404',
        tag: '',
        steps: [
          {
            operation: 'getPet',
            intent: { kind: 'absent', requirement: 'getPet/status.404', id: 'none' },
            path: { petId: '999999' },
          },
        ],
      },
    ] as const;
    const verification = await verifyRun(undefined, { exhaust: true, saved });
    expect([verification?.outcome, verification?.findings]).toMatchObject([
      'broken',
      [{ kind: 'log', where: '/certificate/settings' }],
    ]);
  });

  test('against the mock, on each of its plans', async () => {
    await using place = await openMock(contract);
    for (const plan of ['Free', 'Pro', 'Business', 'Enterprise']) {
      const report = await runConformance(
        contract,
        { ...place.target, apiKey: `demo-${plan.toLowerCase()}` },
        {
          clock: place.clock,
          plan,
          requests: 60,
          longestWait: 2 * 86_400_000,
          exhaust: plan === 'Free',
        },
      );
      const { outcome, findings } = await verifyWith(
        contract,
        certify(contract, report, party).text,
        {
          keys: [party.open],
        },
      );
      expect([plan, outcome, findings]).toEqual([plan, 'holds', []]);
    }
  });
});
