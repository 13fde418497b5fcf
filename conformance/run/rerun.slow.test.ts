import { describe, expect, test } from 'vitest';
import { parseJson, renderJson } from '../../contract/json/value.ts';
import { mutants, variants, type Mutant, type Variant } from '../../selftest/index.ts';
import { judgeSubject } from '../../selftest/trial.ts';
import { createMock } from '../../mock/index.ts';
import { openMock, openService, type TestTarget } from '../../test/cli/target.ts';
import {
  createMovableClock,
  parseReplayId,
  runConformance,
  type RunOptions,
  type RunReport,
} from '../index.ts';
import { answered, createFakeSender, quota } from '../../test/conformance/fake-sender.ts';
import { rerunDifferences } from '../../test/conformance/log-run.ts';
import { redactedKey } from '../transport/redaction.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { books } from '../../test/contract/books.ts';

/**
 * Honest logs: a rerun over each comes to the very same report, and finds nothing to complain of.
 * The logs of every valid variant are rerun where those are tried, in selftest/variants.slow.test.ts.
 */

const differences = (report: RunReport, of = contract): Promise<readonly string[]> =>
  rerunDifferences(of, report);

const runAgainst = (subject: Mutant | Variant, options: RunOptions): Promise<RunReport> =>
  judgeSubject(contract, subject, { requests: 60, timeout: 500, ...options });

/** Runs the suite against a target that follows a clock of its own. */
function run(
  { target, clock }: TestTarget,
  options: RunOptions,
  of = contract,
): Promise<RunReport> {
  return runConformance(of, target, { clock, requests: 60, longestWait: 172_800_000, ...options });
}

describe('rerunning the log of a run gives its report', () => {
  const modes: readonly RunOptions[] = [{}, { exhaust: true }, { readOnly: true }];
  const sample = mutants
    .filter((_mutant, index) => index % 40 === 0)
    .map((mutant, index) => ({ id: mutant.id, mutant, options: modes[index % 3] ?? {} }));

  test.for(sample)('the mutant $id, $options', async ({ mutant, options }) => {
    expect(await differences(await runAgainst(mutant, options))).toEqual([]);
  });

  test.for(
    mutants.filter(({ needs }) => needs === 'exhaust').filter((_mutant, index) => index % 5 === 0),
  )('the mutant $id, driven to the limit', async (mutant) => {
    expect(await differences(await runAgainst(mutant, { exhaust: true }))).toEqual([]);
  });
});

describe('in any kind of run', () => {
  test.for([...variants, ...mutants].filter((_subject, index) => index % 180 === 7))(
    'in depth, against $id',
    async (subject) => {
      expect(await differences(await runAgainst(subject, { fuzz: 300 }))).toEqual([]);
    },
  );

  test("by the machine's own clock", async () => {
    const mock = createMock(contract);
    const integration = await mock.listen({ port: 0, host: '127.0.0.1' });
    const report = await runConformance(
      contract,
      { baseUrl: integration.url, apiKey: mock.keys[0]?.key },
      { plan: 'Free' },
    );
    await integration.close();
    expect(await differences(report)).toEqual([]);
  });

  test.for([1, 2, 3])('with a clock that is moved and runs, seed %i', async (seed) => {
    const clock = createMovableClock();
    const mock = createMock(contract, { clock });
    const integration = await mock.listen({ port: 0, host: '127.0.0.1' });
    const report = await runConformance(
      contract,
      { baseUrl: integration.url, apiKey: mock.keys[0]?.key },
      { plan: 'Free', seed, clock, exhaust: true, fuzz: 150, longestWait: 172_800_000 },
    );
    await integration.close();
    expect(
      report.exchanges.some(
        ({ outcome }) => outcome.kind === 'answered' && outcome.response.status === 429,
      ),
    ).toBe(true);
    expect(await differences(report)).toEqual([]);
  });

  test.for([60, 200])('against another document, with %i requests', async (requests) => {
    await using place = await openMock(books);
    const report = await run(place, { requests, fuzz: 260, exhaust: true }, books);
    expect(await differences(report, books)).toEqual([]);
  });

  test('with waivers, saved counterexamples and known ids', async () => {
    await using place = await openService(contract, {
      acceptNewPet: (value) => ({ ...value, name: value.name.replaceAll('狗', '?'), rest: {} }),
    });
    const first = await run(place, {});
    const saved = first.verdicts.flatMap((verdict) =>
      verdict.kind === 'failed'
        ? verdict.failures.flatMap(({ replay }) =>
            replay === undefined ? [] : [parseReplayId(replay)],
          )
        : [],
    );
    const waivers = [
      {
        requirement: 'createPet/state.echo.name',
        reason: 'known',
        owner: 'ada',
        expires: '2026-12-31',
      },
      {
        requirement: 'listPets/auth.missing',
        reason: 'known',
        owner: 'ada',
        expires: '2026-12-31',
      },
      { requirement: 'getPet/status.404', reason: 'known', owner: 'ada', expires: '2020-01-31' },
    ];
    const report = await run(place, {
      saved,
      waivers,
      references: { categoryId: 9_007_199_254_740_993n },
    });
    expect(saved.length).toBeGreaterThan(0);
    expect(new Set(report.waivers.map(({ state }) => state))).toEqual(
      new Set(['used', 'needless', 'expired']),
    );
    expect(report.exchanges.some(({ probe }) => probe.startsWith('saved 1'))).toBe(true);
    expect(report.exchanges.some(({ request }) => request.body?.includes('9007199254740993'))).toBe(
      true,
    );
    expect(await differences(report)).toEqual([]);
  });

  test.for([undefined, '7', '123456', 'Ünï-key'])(
    'with the key %j, which contains its own near misses',
    async (apiKey) => {
      const sender = createFakeSender(({ method }, nth) =>
        answered(
          method === 'GET' ? 200 : 201,
          method === 'GET' ? [] : { id: nth, name: 'x', categoryId: 1 },
          quota(60, 30, 1_800_000_000),
        ),
      );
      const report = await runConformance(
        contract,
        { baseUrl: 'http://target.example/v1', apiKey },
        { sender, clock: createStillClock(Date.UTC(2027, 0, 1)) },
      );
      expect(await differences(report)).toEqual([]);
    },
  );

  test('with responses that arrive out of order, are refused as a group, and end the run', async () => {
    const ends = new Set<string | undefined>();
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const clock = createStillClock();
      const late: (() => void)[] = [];
      const fake = createFakeSender(({ method, url }, nth) => {
        const headers = quota(60, nth % 5, Math.floor(clock.now() / 1000) + 7);
        if (nth % (3 + seed) === 2)
          return answered(429, undefined, {
            'Retry-After': seed > 3 && nth > 50 ? '99' : String(nth % 4),
            ...headers,
          });
        return answered(
          method === 'GET' ? 200 : 201,
          method === 'POST' || /\d$/.test(url) ? { id: nth, name: 'x', categoryId: 1 } : [],
          headers,
        );
      });
      // Answers come when nothing else happens, the latest request first.
      const sender = {
        ...fake,
        send: async (request: Parameters<typeof fake.send>[0]) => {
          const outcome = await fake.send(request);
          await new Promise<void>((resolve) => {
            late.push(resolve);
            setImmediate(() => late.pop()?.());
          });
          return outcome;
        },
      };
      const report = await runConformance(
        contract,
        { baseUrl: 'http://target.example/v1', apiKey: 'some-key' },
        { sender, clock, seed, requests: seed === 3 ? 600 : 80, fuzz: 100 },
      );
      ends.add(report.run.endedEarly);
      expect(
        report.exchanges.some(
          ({ outcome, group }) =>
            group !== undefined && outcome.kind === 'answered' && outcome.response.status === 429,
        ),
      ).toBe(true);
      expect(await differences(report)).toEqual([]);
    }
    expect(ends.size).toBe(3);
  });
});

test('a log never contains the key, however the target echoes it', async () => {
  const key = 'Ta/rget+key "é" 7f3a';
  const sender = createFakeSender(({ method, headers }, nth) => {
    const sent = headers.find(([name]) => name === 'authorization')?.[1] ?? '';
    const pet = {
      id: `${nth} ${sent}`,
      name: sent,
      categoryId: sent,
      status: encodeURIComponent(sent),
      key: Buffer.from(sent).toString('base64'),
    };
    return answered(method === 'GET' ? 200 : 201, method === 'GET' ? [pet] : pet, {
      ...quota(60, 30, 1_800_000_000),
      'X-Echo': sent,
      Location: `/v1/pets/${encodeURIComponent(sent)}`,
    });
  });
  const report = await runConformance(
    contract,
    { baseUrl: 'http://target.example/v1', apiKey: key },
    { sender, clock: createStillClock(Date.UTC(2027, 0, 1)), fuzz: 200, exhaust: true },
  );
  const text = [
    renderJson(parseJson(JSON.stringify(report.exchanges))),
    JSON.stringify(report.record),
    ...report.exchanges.map(
      ({ request }) => `${decodeURIComponent(request.target)} ${request.body ?? ''}`,
    ),
  ].join('\n');
  expect(text).toContain(redactedKey);
  // What the key was cut from names nothing on the target.
  expect(report.exchanges.some(({ request }) => request.target.includes('redacted'))).toBe(false);
  for (const part of [
    key,
    key.slice(0, -1),
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
  ])
    expect(text.toLowerCase()).not.toContain(part.toLowerCase());
  expect(await differences(report)).toEqual([]);
});
