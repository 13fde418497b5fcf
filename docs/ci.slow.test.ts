import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../cli/package/package-root.ts';
import { openService } from '../test/cli/target.ts';
import { petstore } from '../test/contract/petstore.ts';
import { mutants } from '../selftest/index.ts';

const actionText = readFileSync(packageFile('action.yml'), 'utf8');
const action: unknown = parse(actionText);
const names = readdirSync(packageFile('docs/ci')).filter((name) => name.endsWith('.yml'));
const read = (name: string): string => readFileSync(packageFile(`docs/ci/${name}`), 'utf8');
const stepsIn = (jobs: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Object.values(jobs).flatMap((job) => listOf(job, 'steps'));
const stepsOf = (name: string): readonly unknown[] => stepsIn(membersOf(parse(read(name)), 'jobs'));
const ownSteps = listOf(membersOf(action, 'runs'), 'steps');
const keys = [1, 2, 3, 4, 5, 6, 7, 8].map((index) => `enterprise_shard-${index}`);

describe('the metadata of the action', () => {
  test('has the format that GitHub documents', () => {
    expect(Object.keys(isRecord(action) ? action : {})).toEqual([
      'name',
      'description',
      'author',
      'branding',
      'inputs',
      'outputs',
      'runs',
    ]);
    expect(textOf(membersOf(action, 'runs'), 'using')).toBe('composite');
    for (const input of Object.values(membersOf(action, 'inputs'))) {
      expect(Object.keys(isRecord(input) ? input : {})).toEqual(['description', 'default']);
      expect(typeof membersOf({ input }, 'input')['default']).toBe('string');
    }
    for (const output of Object.values(membersOf(action, 'outputs')))
      expect(textOf(output, 'value')).toMatch(/^\$\{\{ steps\.run\.outputs\.[a-z-]+ \}\}$/);
    for (const step of ownSteps)
      expect(textOf(step, 'uses') === '' ? textOf(step, 'shell') : textOf(step, 'uses')).toMatch(
        /^bash$|^actions\/[a-z-]+@v\d+$/,
      );
  });

  test('has the version of the package, and so do the templates', () => {
    const manifest: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
    const version = textOf(manifest, 'version');
    expect(membersOf(membersOf(action, 'inputs'), 'version')['default']).toBe(version);
    const named = names.flatMap((name) => [
      ...read(name).matchAll(/petstore-contract@v?([\d.]+\d)/g),
    ]);
    expect(new Set(named.map(([, each]) => each))).toEqual(new Set([version]));
    expect(textOf(membersOf(manifest, 'repository'), 'url')).toContain(
      'petstore-contract/petstore-contract',
    );
  });

  test('reads only existing inputs, and every one of them', () => {
    const known = Object.keys(membersOf(action, 'inputs'));
    const used = pathsIn(actionText).filter((path) => path.startsWith('inputs.'));
    expect(new Set(used)).toEqual(new Set(known.map((name) => `inputs.${name}`)));
  });
});

describe('no input becomes part of a script', () => {
  test.each([
    ['action.yml', ownSteps] as const,
    ...names.map((name) => [name, stepsOf(name)] as const),
  ])('%s', (_, steps) => {
    for (const step of steps) expect(textOf(step, 'run')).not.toContain('${{');
  });
});

describe('the templates', () => {
  test.each(names.filter((name) => name.startsWith('github')))(
    '%s uses only existing inputs and outputs',
    (name) => {
      const known = Object.keys(membersOf(action, 'inputs'));
      const outputs = Object.keys(membersOf(action, 'outputs'));
      const steps = stepsOf(name).filter((step) =>
        textOf(step, 'uses').startsWith('petstore-contract/'),
      );
      expect(steps.length).toBeGreaterThan(0);
      for (const step of steps)
        for (const input of Object.keys(membersOf(step, 'with'))) expect(known).toContain(input);
      const named = pathsIn(read(name)).flatMap(
        (path) => /^steps\.[a-z]+\.outputs\.(.+)$/.exec(path)?.[1] ?? [],
      );
      expect(named.filter((output) => !outputs.includes(output))).toEqual([]);
    },
  );

  test('gitlab.yml has only keywords that GitLab documents', () => {
    const known = new Set(
      'stage services variables script artifacts parallel when needs image before_script'.split(
        ' ',
      ),
    );
    const {
      stages: _stages,
      default: _default,
      variables: _variables,
      ...jobs
    } = membersOf({ file: parse(read('gitlab.yml')) }, 'file');
    for (const job of Object.values(jobs))
      expect(Object.keys(isRecord(job) ? job : {}).filter((key) => !known.has(key))).toEqual([]);
  });
});

test('expressions of the subset', () => {
  const contexts = { inputs: { a: 'x' }, matrix: { shard: 3 }, secrets: { KEY_3: 'k' }, steps: {} };
  expect(fillIn("${{ inputs.a }}-${{ secrets[format('KEY_{0}', matrix.shard)] }}", contexts)).toBe(
    'x-k',
  );
  expect(fillIn('${{ steps.none.outputs.x }}|', contexts)).toBe('|');
  expect(isMet("${{ always() && inputs.a != '' }}", contexts)).toBe(true);
  expect(isMet("always() && inputs.b != ''", contexts)).toBe(false);
  expect(isMet('!cancelled()', contexts)).toBe(true);
  expect(() => fillIn('${{ inputs.a * 2 }}', contexts)).toThrow('subset');
});

let mock: ChildProcess;
let baseUrl = '';
let store = '';

beforeAll(async () => {
  store = await mkdtemp(join(tmpdir(), 'petstore-artifacts-'));
  const given = keys.flatMap((key) => ['--key', key]);
  const child = spawn(
    process.execPath,
    [packageFile('cli/petstore.ts'), 'mock', '--port=0', '--no-watch', '--log=json', ...given],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  mock = child;
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => void (printed += chunk.toString()));
  while (baseUrl === '') {
    await once(child.stdout, 'data');
    baseUrl = /"url":"([^"]+)"/.exec(printed)?.[1] ?? '';
  }
}, 60_000);

afterAll(async () => {
  mock.kill();
  await rm(store, { recursive: true, force: true });
});

const openRunner = async (): Promise<Machine> => {
  const machine = await openMachine({ github: true });
  onTestFinished(() => machine[Symbol.asyncDispose]());
  return machine;
};

describe('the action, run as a runner runs it', () => {
  const key = 'demo-free';

  test('a server that conforms', async () => {
    const machine = await openRunner();
    const { code, text, outputs } = await machine.runAction(action, {
      'base-url': baseUrl,
      'api-key': keys[0],
      plan: 'Enterprise',
    });
    expect([code, outputs]).toEqual([
      0,
      {
        verdict: 'conforms',
        'exit-code': '0',
        report: 'petstore-report',
        badge: '',
        'base-url': '',
      },
    ]);
    expect(text).not.toContain('::error');
    expect(await machine.summary()).toContain('## Conformance: ');
    expect(await machine.summary()).toContain('conforms to Petstore');
    expect(existsSync(join(machine.folder, 'petstore-report', 'junit.xml'))).toBe(true);
    expect(await machine.calls()).toMatch(
      /^--yes petstore-contract@\d+\.\d+\.\d+ conform --base-url=/,
    );
    expect(await machine.calls()).not.toContain(keys[0]);
  }, 120_000);

  test('a server that does not conform: annotations, a summary, and a failed step', async () => {
    const mutant = mutants.find(({ id }) => id === 'get-absent-400');
    await using place = await openService(petstore, mutant?.behaviour() ?? {});
    const given = { 'base-url': place.target.baseUrl, 'api-key': place.target.apiKey };
    const machine = await openRunner();
    const { code, text, outputs } = await machine.runAction(action, given);
    expect([code, outputs['verdict'], outputs['report']]).toEqual([1, 'failed', 'petstore-report']);
    expect(text).toMatch(/^::error title=getPet\/status\.404::/m);
    expect(await machine.summary()).toContain('### 1 cause');
    const lenient = await machine.runAction(action, { ...given, 'fail-on': 'never' });
    expect([lenient.code, lenient.outputs['verdict'], lenient.outputs['exit-code']]).toEqual([
      0,
      'failed',
      '1',
    ]);
  }, 120_000);

  test('an unreachable server is inconclusive', async () => {
    const given = { 'base-url': 'http://127.0.0.1:1/v1', 'api-key': key };
    const machine = await openRunner();
    const { code, text, outputs } = await machine.runAction(action, given);
    expect([code, outputs['verdict'], outputs['report']]).toEqual([
      2,
      'inconclusive',
      'petstore-report',
    ]);
    expect(text).toContain('::warning title=petstore::The run is inconclusive');
    const lenient = await machine.runAction(action, { ...given, 'fail-on': 'failed' });
    expect([lenient.code, lenient.outputs['verdict']]).toEqual([0, 'inconclusive']);
  }, 60_000);

  test('an inconclusive run is recognised without a report folder', async () => {
    const given = { 'base-url': 'http://127.0.0.1:1/v1', report: '', 'fail-on': 'failed' };
    const machine = await openRunner();
    const { code, outputs } = await machine.runAction(action, given);
    expect([code, outputs['verdict'], outputs['report']]).toEqual([0, 'inconclusive', '']);
  }, 60_000);

  test.each([
    ['a mistyped flag', { arguments: '--requets=5' }],
    ['a value that is none', { arguments: '--requests=many' }],
    ['no such document', { contract: 'nowhere.yaml' }],
    ['an address that is none', { 'base-url': 'nonsense' }],
    ['an unknown plan', { plan: 'nonsense' }],
    ['reports that are not there', { command: 'merge', reports: 'nowhere' }],
  ])(
    '%s is not an inconclusive run: the step fails',
    async (_what, given) => {
      const machine = await openRunner();
      const run = (failOn: string) =>
        machine.runAction(action, {
          'base-url': 'http://127.0.0.1:1/v1',
          ...given,
          'fail-on': failOn,
        });
      const { code, outputs, text } = await run('failed');
      expect([code, outputs['verdict'], outputs['report']]).toEqual([2, 'error', '']);
      expect(text).toContain('::error title=petstore::The command did not run to its end');
      expect((await run('never')).code).toBe(0);
    },
    60_000,
  );

  test('the report of an earlier step is not used for a run without one', async () => {
    const machine = await openRunner();
    await machine.runScript('mkdir petstore-report && echo {} > petstore-report/report.json', {});
    const given = { 'base-url': 'http://127.0.0.1:1/v1', 'api-key': key };
    const { outputs } = await machine.runAction(action, given);
    expect(outputs['report']).toBe('');
  }, 60_000);

  test.each([
    [{ 'fail-on': 'sometimes' }, 'fail-on has to be'],
    [{ command: 'deploy' }, 'command has to be'],
    [{ command: 'merge' }, 'merge needs reports'],
    [{ command: 'mock', contract: 'nowhere.yaml' }, 'The mock did not start'],
  ])(
    '%j is refused',
    async (given, message) => {
      const machine = await openRunner();
      const { code, text } = await machine.runAction(action, given);
      expect([code, text.includes(`::error title=petstore::`), text.includes(message)]).toEqual([
        2,
        true,
        true,
      ]);
    },
    60_000,
  );

  const inputs = Object.keys(membersOf(action, 'inputs')).filter((name) => name !== 'node-version');
  const hostile = ['$(touch pwned)', '`touch pwned`', '"; touch pwned; "', "'; touch pwned; '"];

  test.each(inputs)(
    '%s cannot run commands',
    async (name) => {
      for (const command of name === 'port' ? ['mock'] : ['conform', 'merge']) {
        const machine = await openRunner();
        const value = `${hostile.join(' ')}\n--report=x; touch pwned`;
        const given = {
          'base-url': 'http://127.0.0.1:1/v1',
          reports: 'none',
          command,
          [name]: value,
        };
        const { code } = await machine.runAction(action, given);
        expect(code).not.toBe(0);
        for (const folder of [machine.folder, join(machine.folder, '..')])
          expect(existsSync(join(folder, 'pwned'))).toBe(false);
      }
    },
    120_000,
  );

  test('a value that looks like a flag is a value', async () => {
    const machine = await openRunner();
    await machine.runAction(action, { 'base-url': 'http://127.0.0.1:1/v1', plan: '--help' });
    expect(await machine.calls()).toContain('--plan=--help');
  }, 60_000);
});

/** A ready file that judges the mock of this test, with less fuzzing. */
const ready = (name: string): unknown =>
  parse(
    read(name)
      .replaceAll('https://staging.example/v1', baseUrl)
      .replaceAll('24000', '240')
      .replaceAll(/ *plan: \w+\n| --plan=\w+/g, ''),
  );

const jobOf = (file: unknown, name: string): unknown => membersOf(file, 'jobs')[name];

const secrets = Object.fromEntries(keys.map((key, at) => [`PETSTORE_API_KEY_${at + 1}`, key]));

describe('the templates for GitHub, run as a runner runs them', () => {
  test('the gate keeps its report', async () => {
    const machine = await openRunner();
    const contexts = { secrets: { PETSTORE_API_KEY: keys[0] } };
    const job = jobOf(ready('github-gate.yml'), 'conformance');
    const { code, outputs } = await machine.runJob(job, action, contexts, store);
    expect([code, outputs['verdict']]).toEqual([0, 'conforms']);
    expect(existsSync(join(store, 'conformance', 'report.html'))).toBe(true);
  }, 120_000);

  test('the tests of a client find the mock', async () => {
    const machine = await openRunner();
    const script =
      'fetch(process.env.BASE_URL + "/pets", { headers: { authorization: "Bearer " + process.env.API_KEY } }).then(({ status }) => { if (status !== 200) process.exit(1); })';
    await writeFile(join(machine.folder, 'test.cjs'), script);
    await writeFile(
      join(machine.folder, 'package.json'),
      '{"name":"client","version":"1.0.0","scripts":{"test":"node test.cjs"}}',
    );
    const file: unknown = parse(
      read('github-mock.yml').replace('command: mock', "command: mock\n          port: '0'"),
    );
    const contexts = { github: { run_id: 17 } };
    const { code, text, outputs } = await machine.runJob(
      jobOf(file, 'tests'),
      action,
      contexts,
      store,
    );
    process.kill(Number(outputs['pid']));
    expect([code, text]).toEqual([
      0,
      expect.stringContaining('The mock listens on http://127.0.0.1:'),
    ]);
  }, 120_000);

  test('eight shards with one lost are merged', async () => {
    const file = ready('github-shards.yml');
    const fuzz = jobOf(file, 'fuzz');
    const indexes = listOf(membersOf(membersOf({ fuzz }, 'fuzz'), 'strategy')['matrix'], 'shard');
    expect(indexes).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const shard of indexes) {
      const machine = await openRunner();
      const { code } = await machine.runJob(fuzz, action, { secrets, matrix: { shard } }, store);
      expect(code).toBe(0);
    }
    const merge = jobOf(file, 'merge');
    expect(isMet(textOf(merge, 'if'), {})).toBe(true);
    const whole = await openRunner();
    const all = await whole.runJob(merge, action, {}, store);
    expect([all.code, all.outputs['verdict']]).toEqual([0, 'conforms']);
    expect(await whole.summary()).toContain('### Shards');
    await rm(join(store, 'shard-4'), { recursive: true });
    const machine = await openRunner();
    const { code, outputs, text } = await machine.runJob(merge, action, {}, store);
    expect([code, outputs['verdict'], outputs['report']]).toEqual([
      2,
      'inconclusive',
      'petstore-report',
    ]);
    expect(text).toContain('Missing: shard 4 of 8');
    expect(await machine.summary()).toContain('Missing: shard 4 of 8');
  }, 300_000);
});

describe('the template for GitLab, with its scripts run by bash', () => {
  const gitlab = (): unknown => ready('gitlab.yml');
  const run = async (machine: Machine, name: string, env: Readonly<Record<string, string>>) => {
    const file = membersOf({ file: gitlab() }, 'file');
    const script = listOf(file[name], 'script').join('\n');
    const own = { ...membersOf(file, 'variables'), ...membersOf(file[name], 'variables') };
    const texts = Object.entries(own).map(([key, value]) => [key, String(value)]);
    return await machine.runScript(script, {
      ...Object.fromEntries(texts),
      ...env,
    });
  };
  const open = async (): Promise<Machine> => {
    const machine = await openMachine({ github: false });
    onTestFinished(() => machine[Symbol.asyncDispose]());
    return machine;
  };

  test('the gate writes the files listed as artifacts', async () => {
    const machine = await open();
    expect((await run(machine, 'conformance', { PETSTORE_API_KEY: keys[0] ?? '' })).code).toBe(0);
    expect(await readFile(join(machine.folder, 'report', 'junit.xml'), 'utf8')).toContain(
      '<testsuites',
    );
  }, 120_000);

  test('the service is an existing command, and its tests wait for it', async () => {
    const machine = await open();
    const file = membersOf({ file: gitlab() }, 'file');
    const [service] = listOf(file['client'], 'services');
    const words = listOf(service, 'command').map(String);
    expect(words.slice(0, 4)).toEqual(['npx', '--yes', 'petstore-contract@0.2.0', 'mock']);
    const { code } = await machine.runScript(`${words.join(' ')} --help`, {});
    expect(code).toBe(0);
    await writeFile(
      join(machine.folder, 'package.json'),
      '{"name":"client","version":"1.0.0","scripts":{"test":"echo tested"}}',
    );
    const { text } = await run(machine, 'client', { BASE_URL: baseUrl });
    expect(text).toContain('tested');
  }, 120_000);

  test('shards with one key each are merged', async () => {
    const machine = await open();
    const file = membersOf({ file: gitlab() }, 'file');
    expect(membersOf(file, 'fuzzing')['parallel']).toBe(8);
    for (const index of [1, 2]) {
      const env = { ...secrets, CI_NODE_INDEX: String(index), CI_NODE_TOTAL: '2' };
      expect((await run(machine, 'fuzzing', env)).code).toBe(0);
    }
    const { code, text } = await run(machine, 'merged', {});
    expect([code, text]).toEqual([0, expect.stringContaining('Shards')]);
    expect(existsSync(join(machine.folder, 'merged', 'junit.xml'))).toBe(true);
  }, 200_000);
});

type Strings = Readonly<Record<string, string>>;

/** What came of a step, an action or a job. */
interface Ran {
  readonly code: number;
  /** All that was printed. */
  readonly text: string;
  readonly outputs: Strings;
}

/** A machine of a CI service: it runs scripts, and has `npx` give the checkout for the package. */
interface Machine extends AsyncDisposable {
  readonly folder: string;
  /** The text of the summary so far. */
  readonly summary: () => Promise<string>;
  /** What was asked of `npx`, a call a line. */
  readonly calls: () => Promise<string>;
  /** Runs a script in bash, as GitHub runs `shell: bash`. */
  readonly runScript: (script: string, env: Strings) => Promise<Ran>;
  /** Runs our action. */
  readonly runAction: (action: unknown, given: Contexts) => Promise<Ran>;
  /** Runs the steps of a job; artifacts are folders of `store`. */
  readonly runJob: (
    job: unknown,
    action: unknown,
    contexts: Contexts,
    store: string,
  ) => Promise<Ran>;
}

/** `npx` of a machine without a network: it knows one package, and runs the checkout for it. */
const npx = `#!/bin/sh
echo "$@" >> "$NPX_CALLS"
[ "$1" = --yes ] && shift
case "$1" in petstore-contract@0.2.0) shift ;; *) echo "There is no package $1." >&2; exit 9 ;; esac
exec "$NODE" "$PETSTORE_CHECKOUT/cli/petstore.ts" "$@"
`;

/** `github`: it sets what a runner of GitHub sets. */
async function openMachine({ github }: { readonly github: boolean }): Promise<Machine> {
  const root = await mkdtemp(join(tmpdir(), 'petstore-ci-'));
  const [folder, temp, bin] = ['job', 'temp', 'bin'].map((name) => join(root, name));
  if (folder === undefined || temp === undefined || bin === undefined)
    throw new Error('No folder.');
  for (const each of [folder, temp, bin]) await mkdir(each);
  await writeFile(join(bin, 'npx'), npx);
  await chmod(join(bin, 'npx'), 0o755);
  const [summary, calls] = [join(temp, 'summary.md'), join(temp, 'calls')];
  for (const file of [summary, calls]) await writeFile(file, '');
  const base: Strings = {
    PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: temp,
    NODE: process.execPath,
    NPX_CALLS: calls,
    PETSTORE_CHECKOUT: packageFile('.'),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? temp,
    ...(github ? { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, RUNNER_TEMP: temp } : {}),
  };
  let steps = 0;
  const runScript: Machine['runScript'] = async (script, env) => {
    steps += 1;
    const [file, output] = [join(temp, `step-${steps}.sh`), join(temp, `output-${steps}`)];
    await writeFile(file, script);
    await writeFile(output, '');
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], {
      cwd: folder,
      env: { ...base, ...(github ? { GITHUB_OUTPUT: output } : {}), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    // A process left in the background holds none of our pipes.
    const [code]: unknown[] = await once(child, 'close');
    return { code: Number(code), text, outputs: readOutputs(await readFile(output, 'utf8')) };
  };
  const runAction: Machine['runAction'] = async (action, given) => {
    const inputs = { ...defaultsOf(action), ...given };
    const { ran, results } = await runSteps(action, { inputs }, runScript);
    const values = Object.entries(membersOf(action, 'outputs'));
    const outputs = Object.fromEntries(
      values.map(([name, output]) => [name, fillIn(textOf(output, 'value'), { steps: results })]),
    );
    const own = Object.values(results).flatMap(({ outputs: each }) => Object.entries(each));
    return { ...ran, outputs: { ...Object.fromEntries(own), ...outputs } };
  };
  return {
    folder,
    runScript,
    runAction,
    runJob: (job, action, contexts, store) =>
      runJob({ job, action, contexts, store, folder, runScript, runAction }),
    summary: () => readFile(summary, 'utf8'),
    calls: () => readFile(calls, 'utf8'),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

type Results = Readonly<Record<string, { readonly outputs: Strings }>>;

/** Runs the steps of a composite action; steps that use others only set a machine up. */
async function runSteps(
  action: unknown,
  contexts: Contexts,
  runScript: Machine['runScript'],
): Promise<{ readonly ran: Ran; readonly results: Results }> {
  const results: Record<string, { readonly outputs: Strings }> = {};
  let ran: Ran = { code: 0, text: '', outputs: {} };
  for (const step of listOf(membersOf(action, 'runs'), 'steps')) {
    const script = textOf(step, 'run');
    if (script === '' || ran.code !== 0) continue;
    const env = fillAll(membersOf(step, 'env'), contexts);
    const next = await runScript(fillIn(script, contexts), env);
    ran = { ...next, text: ran.text + next.text };
    results[textOf(step, 'id')] = { outputs: next.outputs };
  }
  return { ran, results };
}

interface JobRun extends Pick<Machine, 'folder' | 'runScript' | 'runAction'> {
  readonly job: unknown;
  readonly action: unknown;
  readonly contexts: Contexts;
  readonly store: string;
}

async function runJob({ job, action, contexts, store, ...machine }: JobRun): Promise<Ran> {
  const steps: Record<string, { readonly outputs: Strings }> = {};
  let [code, text] = [0, ''];
  for (const step of listOf(job, 'steps')) {
    const all = { ...contexts, steps };
    const condition = textOf(step, 'if');
    if (condition === '' ? code !== 0 : !isMet(condition, all)) continue;
    const uses = textOf(step, 'uses');
    const given = fillAll(membersOf(step, 'with'), all);
    const ran = uses.startsWith('petstore-contract/petstore-contract@')
      ? await machine.runAction(action, given)
      : uses === ''
        ? await machine.runScript(
            fillIn(textOf(step, 'run'), all),
            fillAll(membersOf(step, 'env'), all),
          )
        : await runKnown(uses, given, machine.folder, store);
    text += ran.text;
    code ||= ran.code;
    if (textOf(step, 'id') !== '') steps[textOf(step, 'id')] = { outputs: ran.outputs };
  }
  return {
    code,
    text,
    outputs: Object.assign({}, ...Object.values(steps).map((each) => each.outputs)),
  };
}

/** What the actions of others do that our files use. */
async function runKnown(uses: string, given: Strings, folder: string, store: string): Promise<Ran> {
  const done = { code: 0, text: '', outputs: {} };
  const [name] = uses.split('@');
  if (name === 'actions/checkout' || name === 'actions/setup-node') return done;
  const { path = '', name: artifact = '', pattern = '' } = given;
  if (name === 'actions/upload-artifact')
    await cp(join(folder, path), join(store, artifact), { recursive: true });
  else if (name === 'actions/download-artifact')
    for (const each of await readdir(store)) {
      if (each.startsWith(pattern.replace('*', '')))
        await cp(join(store, each), join(folder, path, each), { recursive: true });
    }
  else throw new Error(`Nobody knows what ${uses} does.`);
  return done;
}

function readOutputs(text: string): Strings {
  const pairs = text.split('\n').flatMap((line) => {
    const at = line.indexOf('=');
    return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)]];
  });
  return Object.fromEntries(pairs);
}

function defaultsOf(action: unknown): Strings {
  const inputs = Object.entries(membersOf(action, 'inputs'));
  return Object.fromEntries(inputs.map(([name, input]) => [name, textOf(input, 'default')]));
}

function fillAll(values: Contexts, contexts: Contexts): Strings {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, fillIn(String(value), contexts)]),
  );
}

/** A member that is an object; an empty one where it is none. */
function membersOf(value: unknown, name: string): Contexts {
  const member = isRecord(value) ? value[name] : undefined;
  return isRecord(member) ? member : {};
}

/** A member that is a list; an empty one where it is none. */
function listOf(value: unknown, name: string): readonly unknown[] {
  const member = isRecord(value) ? value[name] : undefined;
  return Array.isArray(member) ? member : [];
}

/** A member that is a text; an empty one where it is none. */
function textOf(value: unknown, name: string): string {
  const member = isRecord(value) ? value[name] : undefined;
  return typeof member === 'string' ? member : '';
}

/** The contexts that expressions of a workflow read, such as `inputs` and `steps`. */
type Contexts = Readonly<Record<string, unknown>>;

/** A text in which each `${{ expression }}` is replaced by its value, as a runner does. */
function fillIn(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, code: string) =>
    wordOf(evaluate(code, contexts)),
  );
}

function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

/** Whether a step or job runs; `if` may have its braces or not. */
function isMet(condition: string, contexts: Contexts): boolean {
  const [, code = condition] = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(condition) ?? [];
  return Boolean(evaluate(code, contexts));
}

/** The paths that the expressions of a text read: `inputs.shard`. */
function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/\$\{\{(.*?)\}\}/gs)].flatMap(([, code = '']) =>
    tokensOf(code).filter((token) => /^[a-z].*\./i.test(token)),
  );
}

const functions = {
  always: () => true,
  cancelled: () => false,
  format: (text: string, ...values: readonly unknown[]) =>
    text.replaceAll(/\{(\d)\}/g, (_, at) => wordOf(values[Number(at)])),
};

/** The value of an expression in the subset that our files use, as one of JavaScript. Throws for any other. */
function evaluate(code: string, contexts: Contexts): unknown {
  const script = tokensOf(code).map((token) => {
    if (token.startsWith("'")) return JSON.stringify(token.slice(1, -1).replaceAll("''", "'"));
    if (/^[a-z]/i.test(token)) return token in functions ? token : `read('${token}')`;
    if (!/^(&&|[!=]=|[!()[\],])$/.test(token))
      throw new Error(`This is not in the subset: ${code}`);
    return token;
  });
  const read = (path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), contexts) ??
    '';
  return runInNewContext(script.join(' '), { ...functions, read });
}

function tokensOf(code: string): readonly string[] {
  return code.match(/'(?:[^']|'')*'|[a-z][\w.-]*|&&|[!=]=|\S/gi) ?? [];
}

/** Whether a value is an object with members. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
