import { unknownName } from '../../contract/error/unknown-name.ts';
import { joinShown, show, showLine } from '../../page/view/visible.ts';
import type { CommandIo } from '../io/command-io.ts';
import { listCommands } from '../options/command-list.ts';
import { type Command, createCommand } from '../options/command.ts';
import { type CommandDefinition, flagName, kindOf, listFlags } from '../options/flags.ts';

/**
 * The shell runs `petstore completion words`, followed by the words before the cursor, each time
 * Tab is pressed. The output is one candidate per line, or `:files`.
 */
const scripts: ReadonlyMap<string, string> = new Map([
  [
    'bash',
    `# bash completion of petstore: eval "$(petstore completion bash)"
_petstore() {
  local IFS=$'\\n' current=\${COMP_WORDS[COMP_CWORD]#=}
  COMPREPLY=($(petstore completion words "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null | cut -f 1))
  if [ "\${COMPREPLY[0]}" = :files ]; then
    COMPREPLY=($(compgen -f -- "$current"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _petstore petstore
`,
  ],
  [
    'zsh',
    `#compdef petstore
# zsh completion of petstore: source <(petstore completion zsh)
_petstore() {
  local -a found
  found=("\${(@f)$(petstore completion words "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ $found[1] = :files ]]; then
    compset -P '*='
    _files
  else
    found=("\${(@)found//$'\\t'/:}")
    _describe petstore found
  fi
}
if [ "$funcstack[1]" = _petstore ]; then
  _petstore "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -u; }
  compdef _petstore petstore
fi
`,
  ],
  [
    'fish',
    `# fish completion of petstore: petstore completion fish | source
function __petstore
  set -l found (petstore completion words (commandline -opc) (commandline -ct) 2>/dev/null)
  if test "$found[1]" = :files
    set -l flag (string match -r -- '^--[^=]*=' (commandline -ct))
    set -l path (string replace -- "$flag" '' (commandline -ct))
    printf '%s\\n' "$flag"(__fish_complete_path "$path")
  else
    printf '%s\\n' $found
  end
end
complete -c petstore -f -a '(__petstore)'
`,
  ],
]);

type LoadDefinition = (command: string) => Promise<CommandDefinition | undefined>;

/** `petstore completion`. `loadDefinition` loads the options of one command. */
export function createCompletion(loadDefinition: LoadDefinition): Command {
  const print = createCommand(
    {
      name: 'completion',
      usage: '<bash|zsh|fish>',
      description: [
        'Prints a script that completes commands, options, files and words in your shell. Add the line to the start-up file of your shell:',
        `  ~/.bashrc                   eval "$(petstore completion bash)"
  ~/.zshrc                    source <(petstore completion zsh)
  ~/.config/fish/config.fish  petstore completion fish | source`,
      ],
      flags: {},
      examples: [],
      page: 'configuration.md',
      exitCodes: ['printed'],
      ignoresSettings: true,
    },
    ({ words: [shell = ''] }, { stdout }) => {
      const script = scripts.get(shell);
      if (script === undefined) throw unknownName('argument', 'shell', shell, [...scripts.keys()]);
      stdout.write(joinShown(script.split('\n').map(showLine), '\n'));
      return Promise.resolve(0);
    },
  );
  const start = async (argv: readonly string[], io: CommandIo): Promise<number> => {
    if (argv[0] !== 'words') return await print(argv, io);
    // bash passes `--flag=value` as three words.
    const typed = argv
      .slice(2)
      .flatMap((word, at) => (word !== '=' ? [word] : at === argv.length - 3 ? [''] : []));
    const found = await offer(typed, loadDefinition);
    const lines =
      found === 'files'
        ? [show`:files\n`]
        : found
            .filter(([word]) => word.startsWith(typed.at(-1) ?? ''))
            .map(([word, about]) => show`${showLine(word)}\t${showLine(about)}\n`);
    io.stdout.write(joinShown(lines, ''));
    return 0;
  };
  return Object.assign(start, { definition: print.definition });
}

/** Candidates with their descriptions, or files. */
type Offer = readonly (readonly [word: string, about: string])[] | 'files';

/** Candidates for the last of the words. The words begin with the command. */
async function offer(
  [command = '', ...words]: readonly string[],
  loadDefinition: LoadDefinition,
): Promise<Offer> {
  const commands: Offer = [...listCommands(), ['help', 'Show the options of a command.']];
  if (words.length === 0 || command === 'help') return commands;
  const definition = await loadDefinition(command);
  if (definition === undefined) return [];
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (before.includes('--')) return 'files';
  const flags = Object.entries(listFlags(definition)).map(
    ([name, flag]) => [`--${flagName(name)}`, flag] as const,
  );
  const [, joined] = /^(--[^=]+)=/.exec(current) ?? [];
  const name = joined ?? before.at(-1);
  const flag = flags.find(([each, { value }]) => each === name && value !== undefined)?.[1];
  if (flag !== undefined) {
    const prefix = joined === undefined ? '' : `${joined}=`;
    if (flag.words !== undefined) return flag.words.map((word) => [`${prefix}${word}`, '']);
    return kindOf(flag) === 'path' ? 'files' : [];
  }
  if (current.startsWith('-')) return flags.map(([each, { help }]) => [each, firstSentence(help)]);
  const [, operand = ''] = /^\[?<([^>]+)>/.exec(definition.usage) ?? [];
  if (operand.includes('|')) return operand.split('|').map((word) => [word, '']);
  if (operand === 'command') return commands;
  return operand === '' || operand.startsWith('url') ? [] : 'files';
}

function firstSentence(text: string): string {
  return /^.*?[.:;](?= |$)/s.exec(text)?.[0].replace(/[.:;]$/, '') ?? text;
}
