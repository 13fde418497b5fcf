import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageFile } from '../../../cli/package/package-root.ts';
import { type Contexts, fillIn, isMet, isRecord } from './expression.ts';

type Strings = Readonly<Record<string, string>>;

/** What came of a step, an action or a job. */
export interface Ran {
  readonly code: number;
  /** All that was printed. */
  readonly text: string;
  readonly outputs: Strings;
}

/** A machine of a CI service: it runs scripts, and has `npx` give the checkout for the package. */
export interface Machine extends AsyncDisposable {
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
export async function openMachine({ github }: { readonly github: boolean }): Promise<Machine> {
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
    // A process that goes on in the background keeps no pipe of ours.
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
export function membersOf(value: unknown, name: string): Contexts {
  const member = isRecord(value) ? value[name] : undefined;
  return isRecord(member) ? member : {};
}

/** A member that is a list; an empty one where it is none. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const member = isRecord(value) ? value[name] : undefined;
  return Array.isArray(member) ? member : [];
}

/** A member that is a text; an empty one where it is none. */
export function textOf(value: unknown, name: string): string {
  const member = isRecord(value) ? value[name] : undefined;
  return typeof member === 'string' ? member : '';
}
