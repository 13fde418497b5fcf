import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { petstore } from '../../test/contract/petstore.ts';
import { readJsonReport } from '../../report/index.ts';
import { parseJson } from '../../contract/json/value.ts';
import { mutants, variants } from '../../selftest/index.ts';
import { startProxy } from '../../traffic/index.ts';
import { runConformance, type Verdict } from '../../conformance/index.ts';
import type { ServiceBehaviour } from '../../selftest/service/service.ts';
import { type Command, startCommand } from '../../test/cli/command.ts';
import { openMock, openService, type TestTarget } from '../../test/cli/target.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-proxy-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** The command in front of a target, and the address that clients use. */
async function front(
  baseUrl: string,
  ...argv: readonly string[]
): Promise<{ readonly command: Command; readonly url: string }> {
  const command = startCommand('proxy', '--target', baseUrl, '--port', '0', ...argv);
  const [, url = ''] = await command.printed(/listens on (\S+)/);
  return { command, url };
}

const get = (url: string, key: string): Promise<Response> =>
  fetch(url, { headers: { authorization: `Bearer ${key}` } });

describe('petstore proxy', () => {
  test('judges the traffic, and writes a report without keys', async () => {
    await using mock = await openMock(petstore);
    const report = join(folder, 'report');
    const { command, url } = await front(mock.target.baseUrl, '--report', report);
    const response = await get(`${url}/pets?limit=2`, 'free_key-of-ada');
    expect([response.status, (await response.text()).slice(0, 2)]).toEqual([200, '[{']);
    await get(`${url}/pets/abc`, 'free_key-of-ada').then((each) => each.text());
    await command.stop();
    expect(await command.ended).toBe(0);
    expect(command.stdout()).toContain('2 exchanges in ');
    expect(command.stdout()).toContain('getPet: the path parameter petId must be of type integer');
    for (const name of await readdir(report))
      expect(await readFile(join(report, name), 'utf8')).not.toContain('key-of-ada');
    const json = parseJson(await readFile(join(report, 'report.json'), 'utf8'));
    expect(readJsonReport(json, petstore)).toMatchObject({
      outcome: 'conforms',
      traffic: { seen: 2, judged: 2 },
    });
  });

  test('prints each failure once, as it happens, and exits with 1', async () => {
    const mutant = mutants.find(({ id }) => id === 'created-status-202') ?? mutants[0];
    await using service = await openService(petstore, {
      ...mutant?.behaviour(),
      finish: (wire) => ({ ...wire, bytes: new TextEncoder().encode('[{"id":"one"}]') }),
    });
    const { command, url } = await front(service.target.baseUrl);
    for (const limit of [1, 2, 3])
      await get(`${url}/pets?limit=${limit}`, 'service-business').then((each) => each.text());
    await command.printed(
      /FAILED listPets\/response\.200\.body\[\]\.id\.type: GET \/pets\?limit=1/,
    );
    await command.stop();
    expect(await command.ended).toBe(1);
    const lines = command.stdout().match(/^FAILED listPets\/response\.200\.body\[\]\.id\.type/gm);
    expect(lines?.length).toBe(1);
    // The curl line goes to the target, not to the proxy.
    const { host } = new URL(service.target.baseUrl);
    expect(command.stdout()).toContain(`-H 'host: ${host}'`);
    expect(command.stdout()).not.toContain(`host: ${new URL(url).host}`);
  });

  test('responds with 502 instead of an invalid response with --errors', async () => {
    await using service = await openService(petstore, {
      finish: (wire) => ({ ...wire, bytes: new TextEncoder().encode('[{"id":"one"}]') }),
    });
    const { command, url } = await front(service.target.baseUrl, '--errors', '--quiet');
    const response = await get(`${url}/pets`, 'service-business');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      502,
      'application/problem+json',
    ]);
    expect(await response.text()).toContain('listPets/response.200.body[].id.type');
    await command.stop();
    expect(await command.ended).toBe(1);
  });

  test('is inconclusive if bodies are too large to judge', async () => {
    await using service = await openService(petstore, {
      finish: (wire) => ({ ...wire, bytes: Buffer.from(`[${' '.repeat(2 ** 20)}]`) }),
    });
    const { command, url } = await front(service.target.baseUrl);
    await get(`${url}/pets`, 'service-business').then((each) => each.text());
    await command.stop();
    expect(await command.ended).toBe(2);
    expect(command.stdout().replace(/\s+/g, ' ')).toContain(
      'could not be fully judged against Petstore 1.0.0: GET /pets: the body of the response is too large to judge: 1048578 bytes; 0 of 1 ',
    );
  });

  test('is inconclusive if nothing was judged', async () => {
    const { command } = await front('http://127.0.0.1:9/v1');
    await command.stop();
    expect([await command.ended, command.stdout()]).toEqual([
      2,
      expect.stringContaining('could not be fully judged against Petstore 1.0.0'),
    ]);
  });

  test.each([
    [[], 'Pass the address of the server: npx petstore-contract proxy https://api.example.com/v1.'],
    [['--target', 'api.example'], '"api.example" is not a base URL'],
    [['--target', 'http://a/v1', '--port', 'x'], '--port'],
  ])('%j is reported in one line', async (argv, reason) => {
    const command = startCommand('proxy', ...argv);
    expect([await command.ended, command.stdout()]).toEqual([2, '']);
    expect(command.stderr()).toContain(reason);
    expect(command.stderr().split('\n').length).toBe(2);
  });
});

/** The suite's verdicts through a proxy, and the requirements that the proxy finds failed. */
async function judgeThrough(
  open: () => Promise<TestTarget>,
): Promise<{ readonly verdicts: readonly Verdict[]; readonly failed: readonly string[] }> {
  await using place = await open();
  const { target, clock } = place;
  const proxy = await startProxy(petstore, { target: target.baseUrl, now: () => clock.now() });
  const through = { ...target, baseUrl: proxy.baseUrl };
  const options = { clock, requests: 60, longestWait: 2 * 86_400_000 };
  const { verdicts } = await runConformance(petstore, through, options);
  await proxy.close();
  const failed = proxy
    .sum()
    .verdicts.flatMap(({ kind, requirement }) =>
      kind === 'failed' && requirement.level === 'must' ? [requirement.id] : [],
    );
  return { verdicts, failed };
}

async function judgeDirectly(open: () => Promise<TestTarget>): Promise<readonly Verdict[]> {
  await using place = await open();
  const options = { clock: place.clock, requests: 60, longestWait: 2 * 86_400_000 };
  return (await runConformance(petstore, place.target, options)).verdicts;
}

const kindsOf = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts.map(({ kind, requirement }) => `${requirement.id} ${kind}`);

const serviceWith = (behaviour: Partial<ServiceBehaviour>) => () =>
  openService(petstore, behaviour);

describe('under the whole suite', () => {
  const valid = variants.filter((_variant, index) => index % 30 === 0);
  test.each([
    ['the mock', () => openMock(petstore)] as const,
    ...valid.map(({ id, behaviour }) => [`variant ${id}`, serviceWith(behaviour())] as const),
  ])(
    '%s stays green, and the suite reports the same as without the proxy',
    async (_, open) => {
      const { verdicts, failed } = await judgeThrough(open);
      expect(failed).toEqual([]);
      expect(kindsOf(verdicts)).toEqual(kindsOf(await judgeDirectly(open)));
    },
    120_000,
  );

  const passive = mutants.filter(
    ({ breaks: [first], needs, hangs }) =>
      needs === undefined && hangs === undefined && first.includes('/response.'),
  );
  test.each(passive.filter((_mutant, index) => index % 25 === 0))(
    'mutant $id is found',
    async ({ behaviour }) => {
      const { failed } = await judgeThrough(serviceWith(behaviour()));
      expect(failed.length).toBeGreaterThan(0);
    },
    120_000,
  );
});
