import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { isJsonArray, isJsonObject, parseJson } from '../../contract/json/value.ts';
import { SandboxControl } from '../../mock/control/sandbox-control.ts';
import { packageFile } from '../package/package-root.ts';
import { startCommand } from '../../test/cli/command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const client = (name: string, ...words: readonly string[]): readonly string[] => [
  process.execPath,
  packageFile(`selftest/clients/${name}-client.ts`),
  ...words,
];

/** What a run of `petstore certify-client` came to. */
interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const certify = async (flags: readonly string[], command: readonly string[]): Promise<Outcome> => {
  const { ended, stdout, stderr } = startCommand('certify-client', ...flags, '--', ...command);
  return { code: await ended, stdout: stdout(), stderr: stderr() };
};

/**
 * Runs a client in scenarios; gives the exit code and the rules that were failed, and those that
 * were not tested.
 */
const judge = async (
  scenarios: readonly string[],
  command: readonly string[],
): Promise<{
  readonly code: number;
  readonly failed: readonly string[];
  readonly notTested: readonly string[];
}> => {
  const report = await mkdtemp(join(folder, 'report-'));
  const { code } = await certify(
    [...scenarios.flatMap((id) => ['--scenario', id]), '--report', report],
    command,
  );
  const value = parseJson(await readFile(join(report, 'report.json'), 'utf8'));
  const verdicts =
    isJsonObject(value) && isJsonArray(value['verdicts'])
      ? value['verdicts'].filter(isJsonObject)
      : [];
  const named = (kind: string): readonly string[] =>
    verdicts.flatMap(({ id, verdict }) =>
      verdict === kind && typeof id === 'string' ? [id.replace('client/', '')] : [],
    );
  return { code, failed: named('failed'), notTested: named('not-tested') };
};

/** How a habit of `selftest/clients/mutants.ts` shows. */
interface Breach {
  readonly scenario: string;
  /** The rules that it breaks; more than one with the reason. */
  readonly breaks: readonly string[];
  readonly why?: string;
  /** What it breaks or not, by chance of timers, with the reason. */
  readonly chance?: readonly [rule: string, reason: string];
  /** Default: 1. Advice fails nobody. */
  readonly code?: number;
}

const chance = [
  'rate-limit.back-off',
  'Equal waits grow by a few milliseconds or not as the machine has it.',
] as const;

const banned: Breach = {
  scenario: 'retry-after-seconds',
  breaks: ['rate-limit.retry-after-seconds', 'rate-limit.ban'],
  why: 'Who is banned for going on has not waited.',
  chance,
};

const breaches: Readonly<Record<string, Breach>> = {
  'retry-after-seconds-not-read': {
    scenario: 'retry-after-seconds',
    breaks: ['rate-limit.retry-after-seconds'],
    chance,
  },
  'retry-after-date-not-read': {
    scenario: 'retry-after-date',
    breaks: ['rate-limit.retry-after-date'],
    chance,
  },
  'waits-that-shrink': { scenario: 'repeated-429', breaks: ['rate-limit.back-off'], code: 0 },
  // What is sent at once may have crossed the response.
  'half-a-second-where-nothing-remains': {
    scenario: 'nothing-remaining',
    breaks: ['rate-limit.remaining'],
    code: 0,
  },
  'no-key-at-first': { scenario: 'plain', breaks: ['auth.key'] },
  'key-in-x-api-key-too': { scenario: 'plain', breaks: ['auth.key-elsewhere'] },
  'refused-key-tried-for-ever': { scenario: 'revoked-key', breaks: ['auth.refused-key'], code: 0 },
  'category-a-text': { scenario: 'plain', breaks: ['request.valid'] },
  'limit-101': { scenario: 'plain', breaks: ['request.valid'] },
  'refused-body-again': { scenario: 'refused-body', breaks: ['request.refused-again'] },
  'lost-addition-repeated': { scenario: 'lost-response', breaks: ['request.repeated'], code: 0 },
  'category-read-as-a-double': { scenario: 'large-ids', breaks: ['integer.exact'] },
  'unknown-members-refused': { scenario: 'unknown-fields', breaks: ['response.unknown-fields'] },
  'unknown-status-refused': {
    scenario: 'unknown-value',
    breaks: ['response.unknown-value'],
    code: 0,
  },
  'first-pet-expected': { scenario: 'empty-pages', breaks: ['response.empty-page'] },
  'full-page-refused': { scenario: 'full-pages', breaks: ['response.full-page'] },
  'deprecated-operation-used-before-it-goes': {
    scenario: 'before-sunset',
    breaks: ['getPet.deprecated'],
    code: 0,
  },
  'removed-operation-used': { scenario: 'after-sunset', breaks: ['getPet.removed'] },
};

/** What a habit breaks in its scenario, without what it breaks by chance, and the exit code. */
const judgeHabit = async (
  habit: string,
  { scenario, chance }: Breach,
): Promise<readonly [breaks: readonly string[], code: number]> => {
  const { failed, code } = await judge([scenario], client('careful', habit));
  return [failed.filter((rule) => rule !== chance?.[0]), code];
};

/**
 * Those that hammer run one after another: only eleven requests within three seconds lead to a ban.
 */
describe('a client', () => {
  test('that is careful passes every rule', async () => {
    expect(await judge([], client('careful'))).toEqual({ code: 0, failed: [], notTested: [] });
  });

  test('that is naive loses digits, fails on an empty list, and ignores an exhausted limit and a removed operation', async () => {
    const scenarios = [
      'plain',
      'nothing-remaining',
      'large-ids',
      'empty-pages',
      'full-pages',
      'unknown-fields',
      'before-sunset',
      'after-sunset',
    ];
    const { code, failed, notTested } = await judge(scenarios, client('naive'));
    expect([code, failed]).toEqual([
      1,
      [
        'rate-limit.remaining',
        'integer.exact',
        'getPet.deprecated',
        'getPet.removed',
        'response.empty-page',
      ],
    ]);
    expect(notTested).toContain('rate-limit.back-off');
  });

  test('that is stubborn does not wait, and is banned', async () => {
    const scenarios = [
      'retry-after-seconds',
      'retry-after-date',
      'repeated-429',
      'revoked-key',
      'refused-body',
      'lost-response',
    ];
    const { code, failed } = await judge(scenarios, client('stubborn'));
    expect([code, failed]).toEqual([
      1,
      expect.arrayContaining([
        'rate-limit.retry-after-seconds',
        'rate-limit.retry-after-date',
        'rate-limit.ban',
        'auth.refused-key',
        'request.refused-again',
        'request.repeated',
      ]),
    ]);
  });

  test('that retries at once is banned', async () => {
    expect(await judgeHabit('retry-until-banned', banned)).toEqual([banned.breaks, 1]);
  });

  test.concurrent('that returns an integer it received in two scenarios has not rounded it', async () => {
    expect(
      (
        await judge(
          ['plain', 'large-ids'],
          client('careful', 'deprecated-operation-used-before-it-goes'),
        )
      ).failed,
    ).toEqual(['getPet.deprecated']);
  });

  test.concurrent.each(Object.entries(breaches))(
    'with the fault %s breaks that rule and no other',
    async (habit, breach) => {
      expect(await judgeHabit(habit, breach)).toEqual([breach.breaks, breach.code ?? 1]);
    },
  );
});

describe.concurrent('petstore certify-client', () => {
  const script = (text: string): readonly string[] => [process.execPath, '-e', text];
  const lists =
    "fetch(process.env.PETSTORE_BASE_URL + '/pets', { headers: { authorization: 'Bearer ' + process.env.PETSTORE_API_KEY } })";

  test('passes an address, a key and a scenario id to the command, prints one line per scenario, then the report', async () => {
    const { code, stdout } = await certify(
      ['--scenario', 'plain', '--show-output'],
      script(
        `console.log(process.env.PETSTORE_SCENARIO, process.env.PETSTORE_BASE_URL, process.env.PETSTORE_API_KEY); ${lists}`,
      ),
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Certifying a client of Petstore 1\.0\.0: \S+node -e .*\n {2}plain {5}1 request {4}\d\.\d s {2}exit code 0\n/,
    );
    expect(stdout).toMatch(
      /Output in plain\n {2}\| plain http:\/\/127\.0\.0\.1:\d+\/v1 \[redacted\]\n/,
    );
    expect(stdout).toMatch(/keeps|conforms/);
    expect(stdout).not.toContain('free_plain');
  });

  test("shows the end of a command's output only if something is wrong", async () => {
    const [good, bad] = await Promise.all([
      certify(['--scenario', 'plain'], script(`console.log('hum'); ${lists}`)),
      certify(
        ['--scenario', 'plain'],
        script(`console.log('hum'); ${lists}.then(() => process.exit(4))`),
      ),
    ]);
    expect([good.code, good.stdout.includes('| hum')]).toEqual([0, false]);
    expect([
      bad.code,
      bad.stdout.includes('exit code 4, but must succeed in this scenario'),
      bad.stdout.includes('| hum'),
    ]).toEqual([2, true, true]);
    expect(bad.stderr).toBe(
      'petstore certify-client: No rule failed, but the command failed in plain.\n',
    );
  });

  test('is inconclusive for a command that calls no operation, and certifies nothing', async () => {
    const elsewhere = "fetch(process.env.PETSTORE_BASE_URL.replace('/v1', '/other'))";
    const report = await mkdtemp(join(folder, 'report-'));
    const named = ['--target-name', 'c', '--target-version', '1', '--report', report];
    const { code, stdout } = await certify(['--certify', ...named], script(elsewhere));
    expect([code, await readdir(report)]).toEqual([
      2,
      expect.not.arrayContaining(['certificate.json']),
    ]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'could not be fully judged against Petstore 1.0.0: the client sent no request to an operation of the document',
    );
  });

  test('ends a command that exceeds its time limit', async () => {
    const { code, stdout, stderr } = await certify(
      ['--scenario', 'plain', '--timeout', '2', '--quiet'],
      script(`${lists}; setInterval(() => {}, 1000)`),
    );
    expect([code, stderr]).toEqual([
      2,
      'petstore certify-client: No rule failed, but the command failed in plain.\n',
    ]);
    expect(stdout).not.toContain('Certifying');
  });

  test.each([
    [
      'no command',
      [],
      [],
      'Pass the command to run after --, as in npx petstore-contract certify-client -- node client.js.',
    ],
    [
      'a command without the mark before it',
      ['node', 'client.js'],
      [],
      '"node" is not an option. Pass the command after --. See npx petstore-contract certify-client --help.',
    ],
    [
      'a command that is not there',
      [],
      ['petstore-no-such-command'],
      '"petstore-no-such-command" cannot be started: command not found.',
    ],
    [
      'a command that sends nothing',
      [],
      script(''),
      'The command sent no request in any scenario. It must read the base URL from PETSTORE_BASE_URL and the key from PETSTORE_API_KEY.',
    ],
    [
      'an unknown scenario',
      ['--scenario', 'doom'],
      script(''),
      expect.stringMatching(/^There is no scenario "doom"; there are plain, .*, after-sunset\.$/),
    ],
    [
      'an unknown plan',
      ['--plan', 'gold'],
      script(''),
      'There is no plan "gold"; there are Free, Pro, Business, Enterprise.',
    ],
    [
      'an unknown flag',
      ['--fast'],
      script(''),
      "Unknown option '--fast'. See npx petstore-contract certify-client --help.",
    ],
    [
      'a port and jobs',
      ['--port', '8080', '--jobs', '2'],
      script(''),
      'With --port, scenarios run one at a time. Remove --port or --jobs.',
    ],
    [
      'a contract that is not there',
      ['--contract', 'none.yaml'],
      script(''),
      expect.stringMatching(/none\.yaml/),
    ],
  ])('reports %s in one line', async (_, flags, command, line) => {
    const { code, stderr } = await certify(flags, command);
    expect([
      code,
      stderr.split('\n').length,
      stderr.replace('petstore certify-client: ', '').trimEnd(),
    ]).toEqual([2, 2, line]);
  });

  test('reports that the report could not be written, after the verdict', async () => {
    const { code, stdout, stderr } = await certify(
      ['--scenario', 'plain', '--report', join(import.meta.filename, 'report')],
      script(lists),
    );
    expect([code, stdout, stderr]).toEqual([
      2,
      expect.stringContaining('1 request in'),
      expect.stringMatching(
        /^petstore certify-client: The report could not be written: ENOTDIR.*\n$/,
      ),
    ]);
  });

  test('runs the scenarios in sequence on a given port, and reports a port in use', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    const flags = [
      '--scenario',
      'plain',
      '--scenario',
      'full-pages',
      '--port',
      `${port}`,
      '--show-output',
    ];
    const command = script(`console.log(process.env.PETSTORE_BASE_URL); ${lists}`);
    expect(await certify(flags, command)).toMatchObject({
      code: 2,
      stderr: `petstore certify-client: Port ${port} of 127.0.0.1 is in use. Choose another with --port.\n`,
    });
    await new Promise((resolve) => {
      server.close(resolve);
    });
    const { code, stdout } = await certify(flags, command);
    expect([code, stdout.split(`| http://127.0.0.1:${port}/v1\n`).length]).toEqual([0, 3]);
  });

  test('ends every command when it is interrupted', async () => {
    const { stop, stderr, ended } = startCommand(
      'certify-client',
      '--scenario',
      'plain',
      '--scenario',
      'full-pages',
      '--',
      ...script('setInterval(() => {}, 1000)'),
    );
    await stop();
    expect([await ended, stderr()]).toEqual([
      2,
      'petstore certify-client: Interrupted before all scenarios had run.\n',
    ]);
  });

  test('lists the scenarios and its options', async () => {
    const [list, help] = [
      startCommand('certify-client', '--list'),
      startCommand('certify-client', '--help'),
    ];
    expect([await list.ended, await help.ended]).toEqual([0, 0]);
    expect(list.stdout()).toMatch(/^plain {16}Nothing out of the ordinary happens\.\n/);
    expect(help.stdout()).toMatch(
      /^Usage: npx petstore-contract certify-client \[options\] -- <command>/,
    );
  });
});

test('a scenario that cannot be set up is left out, with the reason', async () => {
  vi.spyOn(SandboxControl.prototype, 'takeSnapshot').mockImplementationOnce(() => {
    throw new PetstoreError('snapshot', 'There is no room.');
  });
  const flags = ['--scenario', 'revoked-key', '--scenario', 'plain', '--jobs', '1'];
  const { code, stdout } = await certify(flags, client('careful'));
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /plain +\d+ requests .*exit code 0\n +revoked-key +left out: There is no room\.\n/,
  );
});
