import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFile } from '../package/package-root.ts';
import { runCommand } from '../../test/cli/command.ts';

const shards = [1, 2, 3, 4, 5, 6, 7, 8];
const lost = 5;
const keyOf = (index: number): string => `enterprise_shard-${index}`;

let folder: string;
const at = (...path: readonly string[]): string => join(folder, ...path);

/** A process of the command, as users run it. */
const start = (...argv: readonly string[]) =>
  spawn(process.execPath, [packageFile('cli/petstore.ts'), ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
  });

let mock: ReturnType<typeof start>;
let baseUrl: string;
let codes: readonly unknown[] = [];

const conform = (index: number, report: string, ...more: readonly string[]) =>
  start(
    'conform',
    `--base-url=${baseUrl}`,
    `--api-key=${keyOf(index)}`,
    '--fuzz=1200',
    `--shard=${index}/8`,
    '--quiet',
    `--report=${at(report, `shard-${index}`)}`,
    ...more,
  );

/** Runs a shard to its end; its exit code. */
const run = async (...given: Parameters<typeof conform>): Promise<unknown> => {
  const child = conform(...given);
  child.stdout.resume();
  return (await once(child, 'close'))[0];
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-merge-'));
  const keys = shards.flatMap((index) => ['--key', keyOf(index)]);
  mock = start('mock', '--port', '0', '--no-watch', ...keys);
  let printed = '';
  for await (const chunk of mock.stdout) {
    printed += String(chunk);
    const [url] = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(printed) ?? [];
    if (url !== undefined) {
      baseUrl = url;
      break;
    }
  }
  // All at the same time; one is killed on the way.
  codes = await Promise.all(
    shards.map(async (index) => {
      if (index !== lost) return await run(index, 'runs');
      const child = conform(index, 'runs');
      child.kill('SIGKILL');
      await once(child, 'close');
      return 'lost';
    }),
  );
}, 300_000);

afterAll(async () => {
  mock.kill();
  await rm(folder, { recursive: true, force: true });
});

interface Merged {
  readonly outcome: string;
  readonly exchanges: readonly { readonly probe: string }[];
  readonly merge: {
    readonly missing: readonly number[];
    readonly fuzz: { readonly wanted: number; readonly missing: number; readonly sent: number };
    readonly verdicts: readonly Record<string, unknown>[];
  };
}

const readMerged = async (name: string): Promise<Merged> =>
  JSON.parse(await readFile(at(name, 'report.json'), 'utf8'));

describe('8 shards with one lost', () => {
  test('each conforms', () => {
    expect(codes).toEqual([0, 0, 0, 0, 'lost', 0, 0, 0]);
  });

  test('the report names it and its part of the fuzzing, and is inconclusive', async () => {
    const { code, stdout, stderr } = await runCommand('merge', at('runs'), '--report', at('seven'));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^petstore merge: Missing: shard 5 of 8\. \d+ of the 1200 fuzzing requests are in no report\. Run npx petstore-contract conform --shard 5\/8, or pass --allow-missing\.\n$/,
    );
    expect(stdout).toMatch(/7 shards sent \d+ of\s+the 1200 fuzzing requests/);
    const { outcome, merge } = await readMerged('seven');
    expect([outcome, merge.missing]).toEqual(['inconclusive', [5]]);
    expect(merge.fuzz.missing + merge.fuzz.sent).toBe(1200);
    expect(merge.verdicts.find(({ id }) => id === 'createPet/status.201')).toEqual({
      id: 'createPet/status.201',
      passed: [1, 2, 3, 4, 6, 7, 8],
    });
    for (const name of ['report.html', 'summary.md', 'junit.xml', 'exchanges.har'])
      expect((await stat(at('seven', name))).size).toBeGreaterThan(0);
    expect(await readFile(at('seven', 'summary.md'), 'utf8')).toContain('Missing: shard 5 of 8');
    expect(await readFile(at('seven', 'report.html'), 'utf8')).toContain('Missing: shard 5 of 8');
  }, 120_000);

  test('with --allow-missing the run conforms, and the report still names it', async () => {
    const { code, stdout, stderr } = await runCommand('merge', at('runs'), '--allow-missing');
    expect([code, /conforms to/.test(stdout)]).toEqual([0, true]);
    expect(stderr).toContain('Missing: shard 5 of 8');
  }, 120_000);

  test('run again, it completes the report without fuzzing anything twice', async () => {
    await cp(at('runs'), at('all'), { recursive: true });
    expect(await run(lost, 'all')).toBe(0);
    const { code, stderr } = await runCommand(
      'merge',
      at('all'),
      '--report',
      at('eight'),
      '--quiet',
    );
    expect([code, stderr]).toEqual([0, '']);
    const { outcome, merge, exchanges } = await readMerged('eight');
    expect([outcome, merge.missing, merge.fuzz]).toEqual([
      'conforms',
      [],
      { wanted: 1200, missing: 0, sent: 1200 },
    ]);
    const fuzzed = exchanges.filter(({ probe }) => / *\/fuzz \d+: /.test(probe));
    expect(fuzzed).toHaveLength(1200);
  }, 200_000);

  test('a truncated report, a duplicate and one of a whole run are rejected', async () => {
    const file = at('runs', 'shard-1', 'report.json');
    const text = await readFile(file, 'utf8');
    const refused = async (...argv: readonly string[]): Promise<string> => {
      const { code, stderr } = await runCommand('merge', ...argv);
      expect(code).toBe(2);
      return stderr;
    };
    const edited: unknown = JSON.parse(text, (name, value) =>
      name === 'body' && typeof value === 'string' && value.startsWith('{"id":') ? '{}' : value,
    );
    await writeFile(at('edited.json'), JSON.stringify(edited));
    await writeFile(at('cut.json'), text.slice(0, 5000));
    await writeFile(at('whole.json'), text.replace(/"shard": \{[^}]*\}/, '"note": null'));
    // Logs are judged again, whatever a report says of its own.
    expect((await runCommand('merge', at('edited.json'), at('runs', 'shard-2'))).code).toBe(1);
    expect(await refused(at('cut.json'))).toContain('cut.json is not valid JSON');
    expect(await refused(file, at('runs'))).toContain('Shard 1 of 8 was given twice');
    expect(await refused(at('whole.json'))).toContain(
      'is the report of a whole run, not of a shard',
    );
    expect(await refused()).toContain('Wrong number of arguments.');
    expect(await refused(at('nowhere'))).toContain('does not exist');
    expect(await refused(packageFile('fixtures'))).toContain('contains no report.json');
    expect(await refused(at('runs'), '--report', at('runs', 'shard-1'))).toContain(
      'contains one of the shards to merge',
    );
  }, 120_000);
});

describe('petstore conform --shard is refused', () => {
  test.each([
    [['--shard', '9/8', '--fuzz', '9'], 'not "9/8"'],
    [['--shard', '1/2', '--base-url', 'http://127.0.0.1:1/v1'], '--shard needs --fuzz'],
    [['--shard', '1/2', '--fuzz', '9'], '--shard needs --base-url'],
    [
      ['--shard', '1/2', '--fuzz', '9', '--exclusive'],
      '--exclusive and --shard cannot be used together',
    ],
    [
      ['--shard', '1/2', '--fuzz', '9', '--replay', 'r1-x', '--base-url', 'http://127.0.0.1:1/v1'],
      '--replay and --shard cannot be used together',
    ],
  ])('%j', async (argv, message) => {
    const { code, stderr } = await runCommand('conform', ...argv);
    expect([code, stderr.includes(message)]).toEqual([2, true]);
  });
});

test('each shard has its own certificate', async () => {
  const signing = ['--target-name', 'mock', '--target-version', '1', '--sign', at('k.pem')];
  await runCommand('keygen', '--out', at('k'));
  expect(await run(1, 'certified', '--certify', '--read-only', ...signing)).toBe(1);
  const certificate = at('certified', 'shard-1', 'certificate.json');
  const { code, stdout } = await runCommand('verify', certificate, '--public-key', at('k.pub.pem'));
  expect(code).toBe(1);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('is valid, but its level is incomplete');
  const merged = await runCommand('merge', at('certified'), '--certify');
  expect([merged.code, merged.stderr.includes('--certify')]).toEqual([2, true]);
}, 200_000);
