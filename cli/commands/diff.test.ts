import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mutants } from '../../selftest/index.ts';
import { createMock } from '../../mock/index.ts';
import { runCommand } from '../../test/cli/command.ts';
import { openService } from '../../test/cli/target.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

let plain: string;
let turned: string;
/** Requests to all mocks. */
let asked = 0;
const closing: (() => Promise<void>)[] = [];

const openMock = async (choices: Readonly<Record<string, string>>): Promise<string> => {
  const listening = await createMock(contract, {
    choices,
    onEntry: () => {
      asked += 1;
    },
  }).listen();
  closing.push(() => listening.close());
  return listening.url;
};

beforeAll(async () => {
  [plain, turned] = await Promise.all([
    openMock({}),
    openMock({ 'list-order': 'id-descending', 'status-default': 'sold' }),
  ]);
});
afterAll(async () => {
  for (const close of closing) await close();
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const diff = async (...argv: readonly string[]): Promise<Outcome> => {
  return await runCommand('diff', ...argv);
};

describe('petstore diff', () => {
  test('reports different choices with their evidence, and exits with 1', async () => {
    const { code, stdout, stderr } = await diff(
      plain,
      turned,
      '--api-key',
      'demo-business',
      '--quiet',
    );
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout.split('\n')).toEqual([
      'Open questions with different choices',
      '  status-default: Which `status` does a pet get when it is added without one?',
      '    A  available: added without `status`, received "available"',
      '    B  sold: added without `status`, received "sold"',
      '  list-order: In which order are pets listed?',
      expect.stringMatching(/^ {4}A {2}id-ascending: \d+ items, the first \[1,2,\d+\]$/),
      expect.stringMatching(/^ {4}B {2}id-descending: \d+ items, the first \[\d+,\d+,\d+\]$/),
      '',
      `A ${plain}`,
      `B ${turned}`,
      'They differ in 2 open questions.',
      expect.stringMatching(/^Compared: \d\d+ requirements and \d+ open questions, seed 1\.$/),
      '',
    ]);
  });

  test('compares a server with itself, in one line, and exits with 0', async () => {
    const { code, stdout, stderr } = await diff(
      plain,
      `${plain}/`,
      '--api-key',
      'demo-enterprise',
      '--plan',
      'Enterprise',
      '--quiet',
    );
    expect(stdout).toMatch(
      /^A \S+\nB \S+\nNo differences\.\nCompared: \d\d\d requirements and \d+ open questions, seed 1\.\n$/,
    );
    expect([code, stderr]).toEqual([0, '']);
  });

  test('compares two keys of one server, and takes the smaller plan for both', async () => {
    const { stdout } = await diff(
      plain,
      plain,
      '--api-key-a',
      'free_diff',
      '--plan-a',
      'Free',
      '--api-key-b',
      'pro_diff',
      '--plan-b',
      'Pro',
      '--skip',
      'auth',
      '--json',
    );
    const document: unknown = JSON.parse(stdout);
    expect(document).toMatchObject({
      format: 'petstore-comparison/1',
      outcome: 'same',
      a: { plan: 'Free', budget: 60 },
      b: { plan: 'Pro', budget: 60 },
      failures: [],
      choices: [],
    });
    expect(Object.keys(Object(document))).toEqual([
      'format',
      'outcome',
      'compared',
      'contract',
      'seed',
      'a',
      'b',
      'failures',
      'choices',
      'responses',
      'oneSided',
    ]);
  });

  test('reports a failed requirement on its side, with the line that shows it', async () => {
    await using sound = await openService(contract);
    await using faulty = await openService(
      contract,
      mutants.find(({ id }) => id === 'created-name-null-not-ascii')?.behaviour() ?? {},
    );
    const { code, stdout } = await diff(
      sound.target.baseUrl,
      faulty.target.baseUrl,
      '--api-key',
      'service-business',
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ONLY B FAILS {2}createPet\/response\.201\.body\.name\.type/);
    expect(stdout).toContain(`curl -i -X POST '${faulty.target.baseUrl}/pets'`);
    expect(stdout).toContain('  on A       passed\n');
    expect(stdout).toContain('They differ in 1 requirement.\n');
    expect(stdout).not.toContain('service-business');
  });

  test('reads a key from the environment and never prints it', async () => {
    const { runDiff } = await import('./diff.ts');
    const out: string[] = [];
    const io = {
      stdout: { write: (text: string) => out.push(text) },
      stderr: { write: (text: string) => out.push(text) },
      env: { PETSTORE_API_KEY: 'demo-business' },
      signal: new AbortController().signal,
    };
    expect(await runDiff([plain, plain, '--only', 'listPets', '--json'], io)).toBe(0);
    expect(out.join('')).not.toContain('demo-business');
  });
});

describe('petstore diff is inconclusive', () => {
  const nobody = 'http://127.0.0.1:1/v1';

  test.each([
    [['http://127.0.0.1:4010/v1'], 'Wrong number of arguments. Usage: '],
    [['a', 'b', 'c'], 'Wrong number of arguments. Usage: '],
    [[nobody, 'ftp://b'], 'B (ftp://b): "ftp://b" is not a base URL'],
    [['no url', nobody], 'A (no url): "no url" is not a base URL'],
    [[nobody, nobody, '--plan-b', 'gold'], `B (${nobody}): "gold" is not a plan of the contract`],
    [[nobody, nobody], `A (${nobody}): No server responds at 127.0.0.1:1`],
    [
      [nobody, nobody, '--report', 'x'],
      "Unknown option '--report'. See npx petstore-contract diff --help.",
    ],
    [
      [nobody, nobody, '--seed', 'x'],
      '--seed must be a whole number from 0 to 2147483647, not "x".',
    ],
    [[nobody, nobody, '--contract', 'no-such.yaml'], 'no-such.yaml'],
  ])('%j', async (argv, reason) => {
    const { code, stdout, stderr } = await diff(...argv);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
    expect(stderr).toMatch(/^petstore diff: [^\n]+\n$/);
  });

  test('if B is unreachable or needs another key, and says which', async () => {
    const before = asked;
    expect(await diff(plain, nobody, '--api-key', 'demo-business')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^petstore diff: B \(http.*\): No server responds/),
    });
    expect(asked).toBe(before);
    expect(
      await diff(plain, turned, '--api-key', 'demo-business', '--api-key-b', 'wrong'),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `petstore diff: B (${turned}): The first request was rejected (401)`,
      ),
    });
  });

  test('if neither server shows what was to be compared', async () => {
    expect(
      await diff(plain, turned, '--api-key', 'demo-business', '--only', 'events'),
    ).toMatchObject({ code: 2 });
    expect(
      await diff(plain, turned, '--api-key', 'demo-business', '--only', '*/open.events'),
    ).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing could be compared') });
  });

  test('but prints its flags', async () => {
    expect(await diff('--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Usage: npx petstore-contract diff <url A> <url B>'),
    });
  });
});
