import type { CommandOffer, Offer } from './offer.ts';

/** The script for bash, from version 3.2 on. */
export function renderBash(commands: readonly CommandOffer[]): string {
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
  .map(renderRun)
  .join('')}  case "$command $previous" in
${commands.flatMap(renderValues).join('')}  esac
  case "$command" in
${commands.map(renderCommand).join('')}  esac
}

complete -F _petstore petstore
`;
}

/** After the mark \`--\` the command to run, and then its own words. */
function renderRun({ name }: CommandOffer): string {
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
function renderValues({ name, flags }: CommandOffer): readonly string[] {
  const valued = flags.filter(({ value }) => value !== undefined);
  const groups = Map.groupBy(valued, ({ values }) => renderOffer(values));
  return [...groups].map(([offer, members]) => {
    const patterns = members.map((flag) => `"${name} ${flag.name}"`).join(' | ');
    return `    ${patterns}) ${offer}; return ;;\n`;
  });
}

function renderCommand({ name, flags, words }: CommandOffer): string {
  const names = flags.map((flag) => flag.name).join(' ');
  return `    ${name})
      case "$cur" in
        -*) _petstore_words "${names}" ;;
        *) ${renderOffer(words)} ;;
      esac ;;
`;
}

function renderOffer(offer: Offer): string {
  if (offer.kind === 'words') return `_petstore_words "${offer.words.join(' ')}"`;
  return offer.kind === 'files' ? '_petstore_files' : ':';
}
