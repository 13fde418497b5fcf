import { commandGroups, type CommandName } from './options/command-list.ts';
import type { Command } from './options/command.ts';
import { type CommandIo, escapeWorkflowCommands } from './io/command-io.ts';
import type { CommandDefinition } from './options/flags.ts';
import { joinShown, padShown, show, showLine, type VisibleText } from '../page/view/visible.ts';
import { readVersion } from './package/package-root.ts';

export { optimiseForMemory } from './io/command-io.ts';

/** Each command is loaded only when it is called, so that none slows down the others. */
const loaders: Readonly<Record<CommandName, () => Promise<Command>>> = {
  mock: async () => (await import('./commands/mock.ts')).runMock,
  conform: async () => (await import('./commands/conform.ts')).runConform,
  lint: async () => (await import('./commands/lint.ts')).runLint,
  diff: async () => (await import('./commands/diff.ts')).runDiff,
  'certify-client': async () => (await import('./commands/certify-client.ts')).runCertifyClient,
  'judge-journal': async () => (await import('./commands/judge-journal.ts')).runJudgeJournal,
  proxy: async () => (await import('./commands/proxy.ts')).runProxy,
  judge: async () => (await import('./commands/judge.ts')).runJudge,
  keygen: async () => (await import('./commands/keygen.ts')).runKeygen,
  verify: async () => (await import('./commands/verify.ts')).runVerify,
  merge: async () => (await import('./commands/merge.ts')).runMerge,
  resources: async () => (await import('./commands/resources.ts')).runResources,
  selftest: async () => (await import('./commands/selftest.ts')).runSelftest,
  init: async () => (await import('./commands/init.ts')).createInit(loadDefinitions),
  completion: async () =>
    (await import('./commands/completion.ts')).createCompletion(loadDefinition),
};

const commands: ReadonlyMap<string, () => Promise<Command>> = new Map(Object.entries(loaders));

/** The options of every command, in the order of the help. */
export async function loadDefinitions(): Promise<readonly CommandDefinition[]> {
  const loaded = await Promise.all([...commands.values()].map((load) => load()));
  return loaded.map(({ definition }) => definition);
}

async function loadDefinition(name: string): Promise<CommandDefinition | undefined> {
  return (await commands.get(name)?.())?.definition;
}

function renderHelp(): VisibleText {
  const groups = Object.entries(commandGroups).map(([heading, commands]) => {
    const rows = Object.entries(commands).map(
      ([name, sentence]) => show`  ${padShown(showLine(name), 16)}${showLine(sentence)}`,
    );
    return joinShown([showLine(heading), ...rows], '\n');
  });
  return show`Usage: npx petstore-contract <command> [options]

${joinShown(groups, '\n\n')}

Examples
  npx petstore-contract mock my.yaml
  npx petstore-contract conform https://api.example.com/v1

npx petstore-contract <command> --help shows examples and the usual options;
<command> --help all shows every option.
Docs: https://github.com/petstore-contract/petstore-contract#readme
`;
}

/** Exit code 2 for an unknown command. Never ends the process. */
export async function runPetstore(argv: readonly string[], process: CommandIo): Promise<number> {
  const { stdout, stderr, env } = process;
  const io: CommandIo = {
    stdout: escapeWorkflowCommands(stdout),
    stderr: escapeWorkflowCommands(stderr),
    workflow: stdout,
    env,
    get signal() {
      return process.signal;
    },
  };
  try {
    return await run(argv, io);
  } catch (error) {
    await printUncaughtError(error, process);
    return 2;
  }
}

/** Prints an error that no command caught. The module that explains it is loaded late. */
export async function printUncaughtError(
  error: unknown,
  { stderr, env }: Pick<CommandIo, 'stderr' | 'env'>,
): Promise<void> {
  const { explainError } = await import('./io/command-failure.ts');
  escapeWorkflowCommands(stderr).write(show`petstore: ${showLine(explainError(error, env))}\n`);
}

async function run([name = 'help', ...rest]: readonly string[], io: CommandIo): Promise<number> {
  if (['version', '--version', '-v'].includes(name)) {
    io.stdout.write(show`${showLine(await readVersion())}\n`);
    return 0;
  }
  const isHelp = ['help', '--help', '-h'].includes(name);
  // The help of `petstore`, or of a named command. Without one, `all` has no effect.
  const [wanted = 'all', ...words] = isHelp ? rest : [name, ...rest];
  if (isHelp && wanted === 'all') {
    io.stdout.write(renderHelp());
    return 0;
  }
  const load = commands.get(wanted);
  if (load !== undefined) return await (await load())(isHelp ? ['--help', ...words] : words, io);
  const { suggestName } = await import('../contract/error/unknown-name.ts');
  const meant = suggestName(wanted, [...commands.keys(), 'help', 'version']);
  const reason = `There is no command ${JSON.stringify(wanted)}.${meant} See npx petstore-contract --help.`;
  io.stderr.write(show`petstore: ${showLine(reason)}\n`);
  return 2;
}
