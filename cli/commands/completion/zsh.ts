import { quoteShell } from '../../../view/quote/shell.ts';
import type { CommandOffer, FlagOffer, Offer } from './offer.ts';

/** The script for zsh: it may be sourced, or stand in \`$fpath\` as \`_petstore\`. */
export function renderZsh(commands: readonly CommandOffer[]): string {
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
${commands.map(renderCommand).join('')}  esac
}

if [ "$funcstack[1]" = _petstore ]; then
  _petstore "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -u; }
  compdef _petstore petstore
fi
`;
}

function renderCommand({ name, flags, words, runs }: CommandOffer): string {
  // Where nothing is known of a word, zsh would tell so in place of completing a flag.
  const offer: Offer = runs ? { kind: 'files' } : words;
  const known = offer.kind === 'unknown' ? [] : [quoteShell(`*:word:${renderOffer(offer)}`)];
  const specs = [...flags.map(renderFlag), ...known];
  return `    ${name})\n      _arguments \\\n        ${specs.join(' \\\n        ')} ;;\n`;
}

function renderFlag({ name, about, isMany, value, values }: FlagOffer): string {
  const text = about.replaceAll(/[[\]\\:]/g, (mark) => `\\${mark}`);
  const noun = (value ?? '').replaceAll(/[<>]/g, '').replaceAll(':', '\\:');
  const taken = value === undefined ? '' : `=:${noun}:${renderOffer(values)}`;
  const [equals, rest] = taken.startsWith('=') ? ['=', taken.slice(1)] : ['', taken];
  return quoteShell(`${isMany ? '*' : ''}${name}${equals}[${text}]${rest}`);
}

function renderOffer(offer: Offer): string {
  if (offer.kind === 'words') return `(${offer.words.join(' ')})`;
  return offer.kind === 'files' ? '_files' : ' ';
}
