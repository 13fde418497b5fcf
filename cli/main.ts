import { readFile } from 'node:fs/promises';
import type { Command } from './options/command.ts';
import { type CommandIo, guardSink } from './io/command-io.ts';
import type { CommandForm } from './options/flags.ts';
import { show, showLine } from '../view/visible.ts';
import { packageFile } from './package/package-root.ts';

/** Every command is loaded only when it is called, so that none pays for another. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map<
  CommandForm['name'],
  () => Promise<Command>
>([
  ['mock', async () => (await import('./commands/mock.ts')).runMock],
  ['conform', async () => (await import('./commands/conform.ts')).runConform],
  ['merge', async () => (await import('./commands/merge.ts')).runMerge],
  ['lint', async () => (await import('./commands/lint.ts')).runLint],
  ['diff', async () => (await import('./commands/diff.ts')).runDiff],
  ['certify-client', async () => (await import('./commands/certify-client.ts')).runCertifyClient],
  ['judge-journal', async () => (await import('./commands/judge-journal.ts')).runJudgeJournal],
  ['proxy', async () => (await import('./commands/proxy.ts')).runProxy],
  ['judge', async () => (await import('./commands/judge.ts')).runJudge],
  ['resources', async () => (await import('./commands/resources.ts')).runResources],
  ['keygen', async () => (await import('./commands/keygen.ts')).runKeygen],
  ['verify', async () => (await import('./commands/verify.ts')).runVerify],
  ['init', async () => (await import('./commands/init.ts')).createInit(loadForms)],
  [
    'completion',
    async () => (await import('./commands/completion.ts')).createCompletion(loadForms),
  ],
]);

/** What every command takes, in the order of the help. */
export async function loadForms(): Promise<readonly CommandForm[]> {
  const loaded = await Promise.all([...commands.values()].map((load) => load()));
  return loaded.map(({ form }) => form);
}

const help = show`Usage: npx petstore-contract <command> [options]

Commands
  mock            Start a mock server for an OpenAPI document.
  conform         Test a server against the document.
  lint            List the problems of a document.
  diff            Show what differs between two servers.

Clients and traffic
  certify-client  Test a client: run it against the mock.
  judge-journal   Test a client: check what it sent to a running mock.
  proxy           Forward traffic to a server and check it.
  judge           Check recorded traffic (HAR).

Certificates
  keygen          Make a key pair to sign with.
  verify          Verify a certificate offline.

More
  merge           Combine the reports of the shards of a run.
  resources       Show the collections of items in a document.
  init            Write a configuration file.
  completion      Print a completion script for your shell.

Examples
  npx petstore-contract mock my.yaml
  npx petstore-contract conform https://api.example.com/v1

npx petstore-contract <command> --help shows examples and options.
Docs: https://github.com/petstore-contract/petstore-contract#readme
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

/** Prints an error that no command caught. The module that explains it is loaded only then. */
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
