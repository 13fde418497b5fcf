import { unknownName } from '../../contract/index.ts';
import { quoteFish, quoteShell } from '../../page/view/quote/shell.ts';
import { joinShown, showLine } from '../../page/view/visible.ts';
import { type Command, createCommand } from '../options/command.ts';
import { type CommandForm, type Flag, flagName, listFlags, kindOf } from '../options/flags.ts';

const shells = new Map([
  ['bash', renderBash],
  ['zsh', renderZsh],
  ['fish', renderFish],
]);

const form = {
  name: 'completion',
  takes: '<bash|zsh|fish>',
  about: [
    'Prints a script that completes commands, options, files and words in your shell. Add the line to the start-up file of your shell:',
    `  ~/.bashrc                   eval "$(petstore completion bash)"
  ~/.zshrc                    source <(petstore completion zsh)
  ~/.config/fish/config.fish  petstore completion fish | source`,
  ],
  flags: {},
  examples: [],
  page: 'configuration.md',
  exits: '0 printed, 2 not printed',
  isPlain: true,
} satisfies CommandForm;

/** `petstore completion`. `loadForms` loads the options of all commands. */
export function createCompletion(loadForms: () => Promise<readonly CommandForm[]>): Command {
  return createCommand(form, async ({ words: [shell = ''] }, { stdout }) => {
    const render = shells.get(shell);
    if (render === undefined) throw unknownName('argument', 'shell', shell, [...shells.keys()]);
    const script = render(listOffers(await loadForms()));
    stdout.write(joinShown(script.split('\n').map(showLine), '\n'));
    return 0;
  });
}

/** What can be completed somewhere on a command line: these words, files, or nothing that is known. */
type Offer = readonly string[] | 'files' | undefined;

/** A command as a shell completes it. */
interface CommandOffer {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly FlagOffer[];
  /** What the words are that are not flags. */
  readonly words: Offer;
  /** A command to run follows `--`. */
  readonly runs: boolean;
}

interface FlagOffer {
  /** Without its dashes. */
  readonly name: string;
  readonly about: string;
  /** It may be repeated. */
  readonly isMany: boolean;
  /** What follows it, as the help shows it; undefined for a switch. */
  readonly value: string | undefined;
  readonly values: Offer;
}

/** What the shells complete, of the forms of all commands and of `help`. */
function listOffers(forms: readonly CommandForm[]): readonly CommandOffer[] {
  const words = forms.map(({ name }) => name);
  const about = 'Shows the options of a command.';
  return [
    ...forms.map((form) => offerCommand(form, forms)),
    { name: 'help', about, flags: [], words, runs: false },
  ];
}

function offerCommand(form: CommandForm, forms: readonly CommandForm[]): CommandOffer {
  const flags = Object.entries(listFlags(form)).map(([name, flag]) => ({
    name: flagName(name),
    about: firstSentence(flag.help),
    isMany: flag.many === true,
    value: flag.value,
    values: offerValue(flag),
  }));
  const { name, about, takes } = form;
  return {
    name,
    about: firstSentence(about[0] ?? ''),
    flags,
    words: offerWords(takes, forms),
    runs: takes.includes(' -- '),
  };
}

function offerValue(flag: Flag): Offer {
  const accepts = flag.read?.accepts;
  if (accepts?.kind === 'words') return accepts.words;
  return kindOf(flag) === 'path' ? 'files' : undefined;
}

/** What the words of `<file> [<file> ...]`, `<bash|zsh|fish>` or `[<command> ...]` may be. */
function offerWords(takes: string, forms: readonly CommandForm[]): Offer {
  const [, word = ''] = /^\[?<([^>]+)>/.exec(takes) ?? [];
  if (word.includes('|')) return word.split('|');
  if (word === 'command') return forms.filter(({ isPlain }) => !isPlain).map(({ name }) => name);
  return word === '' || word.startsWith('url') ? undefined : 'files';
}

function firstSentence(text: string): string {
  return /^.*?[.:;](?= |$)/s.exec(text)?.[0].replace(/[.:;]$/, '') ?? text;
}

/** The script for bash, from version 3.2 on. */
function renderBash(commands: readonly CommandOffer[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `# bash completion of petstore: eval "$(petstore completion bash)"
_petstore_words() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

_petstore_files() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$cur"))
  compopt -o filenames 2>/dev/null
}

_petstore() {
  local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local command=\${COMP_WORDS[1]} at
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    _petstore_words "${names} --help --version"
    return
  fi
  # bash takes --flag=value for three words.
  if [ "$cur" = = ]; then
    cur=
  elif [ "$previous" = = ]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
${commands
  .filter(({ runs }) => runs)
  .map(renderBashRun)
  .join('')}  case "$command $previous" in
${commands.flatMap(renderBashValues).join('')}  esac
  case "$command" in
${commands.map(renderBashCommand).join('')}  esac
}

complete -F _petstore petstore
`;
}

/** After the mark \`--\` the command to run, and then its own words. */
function renderBashRun({ name }: CommandOffer): string {
  return `  if [ "$command" = ${name} ]; then
    for ((at = 2; at < COMP_CWORD; at++)); do
      [ "\${COMP_WORDS[at]}" = -- ] || continue
      if [ "$((at + 1))" -eq "$COMP_CWORD" ]; then
        COMPREPLY=($(compgen -c -- "$cur"))
      else
        _petstore_files
      fi
      return
    done
  fi
`;
}

/** A line for all flags of a command that take the same. */
function renderBashValues({ name, flags }: CommandOffer): readonly string[] {
  const valued = flags.filter(({ value }) => value !== undefined);
  const groups = Map.groupBy(valued, ({ values }) => renderBashOffer(values));
  return [...groups].map(([offer, members]) => {
    const patterns = members.map((flag) => `"${name} --${flag.name}"`).join(' | ');
    return `    ${patterns}) ${offer}; return ;;\n`;
  });
}

function renderBashCommand({ name, flags, words }: CommandOffer): string {
  const names = flags.map((flag) => `--${flag.name}`).join(' ');
  return `    ${name})
      case "$cur" in
        -*) _petstore_words "${names}" ;;
        *) ${renderBashOffer(words)} ;;
      esac ;;
`;
}

function renderBashOffer(offer: Offer): string {
  if (offer === undefined) return ':';
  return offer === 'files' ? '_petstore_files' : `_petstore_words "${offer.join(' ')}"`;
}

/** The script for zsh: it may be sourced, or saved in \`$fpath\` as \`_petstore\`. */
function renderZsh(commands: readonly CommandOffer[]): string {
  const names = commands.map(({ name, about }) => `    ${quoteShell(`${name}:${about}`)}\n`);
  return `#compdef petstore
# zsh completion of petstore: source <(petstore completion zsh)
_petstore() {
  local -a commands
  commands=(
${names.join('')}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(renderZshCommand).join('')}  esac
}

if [ "$funcstack[1]" = _petstore ]; then
  _petstore "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -u; }
  compdef _petstore petstore
fi
`;
}

function renderZshCommand({ name, flags, words, runs }: CommandOffer): string {
  // For a word that cannot be completed, zsh would print a message instead of completing a flag.
  const offer = runs ? 'files' : words;
  const known = offer === undefined ? [] : [quoteShell(`*:word:${renderZshOffer(offer)}`)];
  const specs = [...flags.map(renderZshFlag), ...known];
  return `    ${name})\n      _arguments \\\n        ${specs.join(' \\\n        ')} ;;\n`;
}

function renderZshFlag({ name, about, isMany, value, values }: FlagOffer): string {
  const text = about.replaceAll(/[[\]\\:]/g, (mark) => `\\${mark}`);
  const noun = (value ?? '').replaceAll(/[<>]/g, '').replaceAll(':', '\\:');
  const [equals, rest] =
    value === undefined ? ['', ''] : ['=', `:${noun}:${renderZshOffer(values)}`];
  return quoteShell(`${isMany ? '*' : ''}--${name}${equals}[${text}]${rest}`);
}

function renderZshOffer(offer: Offer): string {
  if (offer === undefined) return ' ';
  return offer === 'files' ? '_files' : `(${offer.join(' ')})`;
}

/** The script for fish. */
function renderFish(commands: readonly CommandOffer[]): string {
  return `# fish completion of petstore: petstore completion fish | source
complete -c petstore -f
${commands.map(renderFishCommand).join('')}`;
}

function renderFishCommand({ name, about, flags, words, runs }: CommandOffer): string {
  const seen = `-n '__fish_seen_subcommand_from ${name}'`;
  const first = `complete -c petstore -n __fish_use_subcommand -a ${name} -d ${quoteFish(about)}\n`;
  const offer = runs ? 'files' : words;
  const own = offer === undefined ? '' : `complete -c petstore ${seen}${renderFishOffer(offer)}\n`;
  return first + own + flags.map((flag) => renderFishFlag(flag, seen)).join('');
}

function renderFishFlag({ name, about, value, values }: FlagOffer, seen: string): string {
  const taken = value === undefined ? '' : ` -r${renderFishOffer(values)}`;
  return `complete -c petstore ${seen} -l ${name}${taken} -d ${quoteFish(about)}\n`;
}

function renderFishOffer(offer: Offer): string {
  if (offer === undefined) return ' -f';
  return offer === 'files' ? ' -F' : ` -f -a ${quoteFish(offer.join(' '))}`;
}
