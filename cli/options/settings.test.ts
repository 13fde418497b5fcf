import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCommand } from './command.ts';
import { oneOf, whole, sharedFlags } from './flags.ts';

/** A command that has a flag of each kind, and sections that the real schema knows. */
const run = async (
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string; readonly values: unknown }> => {
  const output: string[] = [];
  const seen: unknown[] = [];
  const command = createCommand(
    {
      name: 'mock',
      usage: '[options]',
      description: ['Shows what it is given.'],
      examples: [],
      page: 'configuration.md',
      flags: {
        port: { help: '', ...whole(0, 65_535), default: '4010' },
        log: { help: '', ...oneOf('text', 'json'), default: 'text' },
        quiet: { help: '' },
        noWatch: { help: '' },
        choice: { help: '', value: '<question>=<choice>', many: true },
        limit: { help: '', value: '<plan>.<window>=<number>', many: true },
        seed: { help: '', value: '<file>|none' },
        controlToken: { help: '', value: '<token>', variable: 'TOKEN' },
        ...sharedFlags,
      },
      exitCodes: ['documented'],
    },
    ({ values, typed }) => {
      seen.push({ ...values, typed: [...typed] });
      return Promise.resolve(0);
    },
  );
  const sink = { write: (text: string) => output.push(text) };
  const signal = new AbortController().signal;
  const code = await command(words, { stdout: sink, stderr: sink, env, signal });
  return { code, output: output.join(''), values: seen[0] };
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-config-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const write = async (value: unknown, name = 'petstore.config.json'): Promise<string> => {
  const place = await mkdtemp(join(folder, 'at-'));
  await writeFile(
    join(place, name),
    typeof value === 'string' ? value : JSON.stringify(value, undefined, 2),
  );
  return join(place, name);
};

const takeFrom = async (value: unknown, ...words: readonly string[]) =>
  await run(['--config', await write(value), ...words]);

describe('an option is read', () => {
  test('from the command line, else the environment, else the file, else its default', async () => {
    const file = await write({ mock: { port: 3, log: 'json' } });
    const valueOf = async (words: readonly string[], env = {}): Promise<unknown> =>
      (await run(words, env)).values;
    const env = { PETSTORE_MOCK_PORT: '2' };
    const all = { seed: undefined, quiet: false, limit: [], overlay: [] };
    expect(await valueOf([])).toMatchObject({ ...all, port: 4010, log: 'text' });
    expect(await valueOf(['--config', file])).toMatchObject({ ...all, port: 3, log: 'json' });
    expect(await valueOf(['--config', file], env)).toMatchObject({ port: 2, log: 'json' });
    expect(await valueOf(['--config', file, '--port', '1'], env)).toMatchObject({ port: 1 });
    expect(await valueOf(['--config', file, '--no-config'])).toMatchObject({ port: 4010 });
  });

  test('as a number, a text, a switch, a list or pairs', async () => {
    const mock = {
      quiet: true,
      overlay: ['/a', '/b'],
      limit: { 'free.minute': 3, 'pro.day': '4' },
    };
    expect((await takeFrom({ mock })).values).toMatchObject({
      quiet: true,
      noWatch: false,
      overlay: ['/a', '/b'],
      limit: [
        ['free.minute', '3'],
        ['pro.day', '4'],
      ],
    });
    expect((await takeFrom({ mock: { limit: ['free.minute=3'] } })).values).toMatchObject({
      limit: [['free.minute', '3']],
    });
  });

  test('once for all commands, or for one', async () => {
    expect((await takeFrom({ strict: true, overlay: ['/all'] })).values).toMatchObject({
      strict: true,
      overlay: ['/all'],
    });
    const both = { overlay: ['/all'], strict: true, mock: { overlay: [], strict: false } };
    expect((await takeFrom(both)).values).toMatchObject({ strict: false, overlay: [] });
  });

  test('from the command line even if it is turned off there or has another list', async () => {
    const mock = { quiet: true, noWatch: true, overlay: ['/file'] };
    expect((await takeFrom({ mock }, '--no-quiet', '--watch', '--overlay', 'x')).values).toEqual(
      expect.objectContaining({
        quiet: false,
        noWatch: false,
        overlay: ['x'],
        typed: ['config', 'quiet', 'noWatch', 'overlay'],
      }),
    );
    expect((await run(['--no-quiet', '--quiet'])).values).toMatchObject({ quiet: true });
    expect((await run(['--quiet', '--no-quiet'])).values).toMatchObject({ quiet: false });
  });
});

test('settings of the file are reported, and an empty file is silent', async () => {
  const file = await write({ mock: { port: 3, log: 'json' }, conform: { fuzz: 7 } });
  const output = `petstore mock: options from ${file}: `;
  expect((await run(['--config', file])).output).toBe(`${output}port, log.\n`);
  expect((await run(['--config', file, '--port', '1'])).output).toBe(`${output}log.\n`);
  expect((await takeFrom({ conform: { fuzz: 7 } })).output).toBe('');
});

test('a path in the file is relative to the file; other words and addresses are not paths', async () => {
  const file = await write({ overlay: ['a.yaml', '/b.yaml'], mock: { seed: 'none' } });
  const { values } = await run(['--config', file]);
  const near = relative('.', join(file, '..', 'a.yaml'));
  expect(values).toMatchObject({ overlay: [near, '/b.yaml'], seed: 'none' });
  expect((await takeFrom({ mock: { seed: 'http://x.example/a' } })).values).toMatchObject({
    seed: 'http://x.example/a',
  });
});

describe('the environment', () => {
  test('has a variable for every option, lists with commas, switches as 1 or 0', async () => {
    const env = {
      PETSTORE_MOCK_QUIET: 'true',
      PETSTORE_MOCK_NO_WATCH: '0',
      PETSTORE_MOCK_LIMIT: 'free.minute=1, pro.day=2',
      PETSTORE_MOCK_LOG: '',
    };
    expect((await run([], env)).values).toMatchObject({
      quiet: true,
      noWatch: false,
      limit: [
        ['free.minute', '1'],
        ['pro.day', '2'],
      ],
      log: 'text',
    });
  });

  test('has one name for all commands, and a more specific one that takes precedence', async () => {
    expect((await run([], { TOKEN: 'a' })).values).toMatchObject({ controlToken: 'a' });
    const both = { TOKEN: 'a', PETSTORE_MOCK_CONTROL_TOKEN: 'b' };
    expect((await run([], both)).values).toMatchObject({ controlToken: 'b' });
  });

  test('ignores the variables of a Kubernetes service called petstore-mock', async () => {
    const env = { PETSTORE_MOCK_PORT: 'tcp://10.0.0.1:80' };
    expect((await run([], env)).values).toMatchObject({ port: 4010 });
  });

  test.each([
    [{ PETSTORE_MOCK_PORT: 'x' }, 'PETSTORE_MOCK_PORT must be a whole number from 0 to 65535'],
    [{ PETSTORE_MOCK_QUIET: 'maybe' }, 'PETSTORE_MOCK_QUIET must be true or false, not "maybe".'],
    [{ PETSTORE_MOCK_LOG: 'xml' }, 'PETSTORE_MOCK_LOG must be text or json, not "xml".'],
  ])('with %j is refused', async (env, output) => {
    const refused = await run([], env);
    expect([refused.code, refused.output]).toEqual([2, expect.stringContaining(output)]);
  });
});

describe('a secret', () => {
  const mock = { controlToken: { env: 'MY_TOKEN' } };

  test('is read from the variable that the file names', async () => {
    const { values, output } = await run(['--config', await write({ mock })], { MY_TOKEN: 's' });
    expect(values).toMatchObject({ controlToken: 's' });
    expect(output).not.toContain('secret');
  });

  test('in a variable that is not set is rejected, unless given elsewhere', async () => {
    const file = await write({ mock });
    expect(await run(['--config', file])).toMatchObject({
      code: 2,
      output:
        'petstore mock: petstore.config.json:3: /mock/controlToken names the environment variable MY_TOKEN, which is not set.\n',
    });
    expect((await run(['--config', file, '--control-token', 'x'])).values).toMatchObject({
      controlToken: 'x',
    });
  });

  test('in the file is used with a warning; one that a module reads from a variable without', async () => {
    const file = await write({ mock: { controlToken: 'hush' } });
    const open = await run(['--config', file]);
    expect(open.values).toMatchObject({ controlToken: 'hush' });
    expect(open.output).toContain('petstore.config.json:3: /mock/controlToken is a secret.');
    expect(open.output).not.toContain('hush');
    expect((await run(['--config', file], { MY_TOKEN: 'hush' })).output).not.toContain('secret');
  });
});

test.each([
  ['{"mock": {"port": 1,}}', ':1: This is not JSON: a name in double quotes is expected here.'],
  ['[]', ':1:  must be an object.'],
  [{ mok: {} }, ':2: /mok is not a command or a shared option. Did you mean mock?'],
  [{ port: 1 }, 'a shared option. It belongs in mock.'],
  [{ mock: { prot: 1 } }, ':3: /mock/prot is not an option of mock. Did you mean port?'],
  [{ mock: { 'control-token': 'x' } }, 'Did you mean controlToken?'],
  [{ mock: { colour: 1 } }, ' is not an option of mock. See npx petstore-contract mock --help.'],
  [{ mock: { port: 'x' } }, '/mock/port must be a whole number from 0 to 65535, not "x".'],
  [{ mock: { port: 1.5 } }, '/mock/port must be a whole number from 0 to 65535, not "1.5".'],
  [{ mock: { port: 65_536 } }, ':3: /mock/port must be a whole number from 0 to 65535, not '],
  [{ mock: { quiet: 'yes' } }, '/mock/quiet must be true or false, not "yes".'],
  [{ mock: { seed: null } }, '/mock/seed must be a string, a number, true or false.'],
  [{ mock: { log: 'xml' } }, '/mock/log must be text or json, not "xml".'],
  [{ mock: { limit: { a: [] } } }, '/mock/limit/a must be a string, a number, true or false.'],
  [{ overlay: ['a', {}] }, ':4: /overlay/1 must be a string, a number, true or false.'],
  [{ mock: { controlToken: {} } }, '/mock/controlToken must have the member env.'],
  [{ mock: [] }, ':2: /mock must be an object.'],
])('%j is refused', async (value, output) => {
  const refused = await takeFrom(value);
  expect([refused.code, refused.output]).toEqual([2, expect.stringContaining(output)]);
  expect(refused.output).toMatch(/^petstore mock: petstore\.config\.json:\d+: [^\n]*\n$/);
});

test('a file that is not there is refused', async () => {
  expect(await run(['--config', join(folder, 'none.json')])).toMatchObject({
    code: 2,
    output: `petstore mock: ${join(folder, 'none.json')} does not exist.\n`,
  });
  await mkdir(join(folder, 'petstore.config.json'));
  expect((await run(['--config', join(folder, 'petstore.config.json')])).code).toBe(2);
});
