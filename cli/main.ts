import { readFile } from 'node:fs/promises';
import type { Command } from './io/command.ts';
import { type CommandIo, guardSink } from './io/command-io.ts';
import type { CommandForm } from './io/flags.ts';
import { show, showLine } from '../view/visible.ts';
import { packageFile } from './package/package-root.ts';

/** Every command is loaded only when it is called, so that none pays for another. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['mock', async () => (await import('./commands/mock/run.ts')).runMock],
  ['conform', async () => (await import('./commands/conform/run.ts')).runConform],
  ['merge', async () => (await import('./commands/merge/run.ts')).runMerge],
  ['lint', async () => (await import('./commands/lint/run.ts')).runLint],
  ['diff', async () => (await import('./commands/diff/run.ts')).runDiff],
  [
    'certify-client',
    async () => (await import('./commands/certify-client/run.ts')).runCertifyClient,
  ],
  ['judge-journal', async () => (await import('./commands/judge-journal/run.ts')).runJudgeJournal],
  ['proxy', async () => (await import('./commands/proxy/run.ts')).runProxy],
  ['judge', async () => (await import('./commands/judge/run.ts')).runJudge],
  ['resources', async () => (await import('./commands/resources/run.ts')).runResources],
  ['keygen', async () => (await import('./commands/keygen/run.ts')).runKeygen],
  ['verify', async () => (await import('./commands/verify/run.ts')).runVerify],
  ['countersign', async () => (await import('./commands/countersign/run.ts')).runCountersign],
  ['init', async () => (await import('./commands/init/run.ts')).createInit(loadForms)],
  [
    'completion',
    async () => (await import('./commands/completion/run.ts')).createCompletion(loadForms),
  ],
]);

/** What every command takes, in the order of the help. */
export async function loadForms(): Promise<readonly CommandForm[]> {
  const loaded = await Promise.all([...commands.values()].map((load) => load()));
  return loaded.map(({ form }) => form);
}

const help = show`Usage: petstore <command> [options]

Commands
  mock            Run a mock server that keeps the contract.
  conform         Judge any server against the contract, and certify it.
  merge           Make one report of the shards of a run.
  lint            Tell what is wrong with OpenAPI documents.
  diff            Tell what differs between two servers.
  certify-client  Judge a client by what it sends to the mock.
  judge-journal   Judge a client by the journal of a mock that runs.
  proxy           Pass traffic on to a server, and judge it.
  judge           Judge a server by recorded traffic: an HTTP Archive.
  resources       Tell which collections of items a document has, and why.
  keygen          Make a key to sign certificates with.
  verify          Verify a certificate, without a network.
  countersign     Add a second party's signature to a certificate that holds.
  init            Write a configuration file that has every option.
  completion      Print what completes command lines in bash, zsh or fish.

petstore <command> --help tells the options of a command.
`;

/** Exit code 2 for a command that is not known. Never ends the process. */
export async function runPetstore(argv: readonly string[], process: CommandIo): Promise<number> {
  const { stdout, stderr, env } = process;
  const io: CommandIo = {
    stdout: guardSink(stdout),
    stderr: guardSink(stderr),
    workflow: stdout,
    env,
    get signal() {
      return process.signal;
    },
  };
  try {
    return await run(argv, io);
  } catch (error) {
    await tellUncaught(error, process);
    return 2;
  }
}

/** Tells of a fault that no command caught. What explains it is loaded only then. */
export async function tellUncaught(
  error: unknown,
  { stderr, env }: Pick<CommandIo, 'stderr' | 'env'>,
): Promise<void> {
  const { explainFault } = await import('./io/command-failure.ts');
  guardSink(stderr).write(show`petstore: ${showLine(explainFault(error, env))}\n`);
}

async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  const [name = 'help', ...rest] = argv;
  const load = commands.get(name);
  if (load !== undefined) return await (await load())(rest, io);
  const subject = name === 'help' ? commands.get(rest[0] ?? '') : undefined;
  if (subject !== undefined) return await (await subject())(['--help'], io);
  if (name === 'help' || name === '--help' || name === '-h') io.stdout.write(help);
  else if (name === 'version' || name === '--version' || name === '-v')
    io.stdout.write(show`${showLine(await packageVersion())}\n`);
  else return await refuseCommand(name, io);
  return 0;
}

async function refuseCommand(name: string, io: CommandIo): Promise<number> {
  const { explainUnknown } = await import('../contract/index.ts');
  const known = [...commands.keys(), 'help', 'version'];
  io.stderr.write(show`petstore: ${showLine(explainUnknown('command', name, known))}\n`);
  return 2;
}

async function packageVersion(): Promise<string> {
  const text = await readFile(packageFile('package.json'), 'utf8');
  const facts: unknown = JSON.parse(text);
  return typeof facts === 'object' && facts !== null && 'version' in facts
    ? String(facts.version)
    : 'unknown';
}
