import { quoteFish } from '../../../view/quote/shell.ts';
import type { CommandOffer, FlagOffer, Offer } from './offer.ts';

/** The script for fish. */
export function renderFish(commands: readonly CommandOffer[]): string {
  return `# fish completion of petstore: petstore completion fish | source
complete -c petstore -f
${commands.map(renderCommand).join('')}`;
}

function renderCommand({ name, about, flags, words, runs }: CommandOffer): string {
  const seen = `-n '__fish_seen_subcommand_from ${name}'`;
  const first = `complete -c petstore -n __fish_use_subcommand -a ${name} -d ${quoteFish(about)}\n`;
  const rest = runs ? 'files' : words.kind;
  const own =
    rest === 'unknown'
      ? ''
      : `complete -c petstore ${seen}${renderOffer(runs ? { kind: 'files' } : words)}\n`;
  return first + own + flags.map((flag) => renderFlag(flag, seen)).join('');
}

function renderFlag({ name, about, value, values }: FlagOffer, seen: string): string {
  const taken = value === undefined ? '' : ` -r${renderOffer(values)}`;
  return `complete -c petstore ${seen} -l ${name.slice(2)}${taken} -d ${quoteFish(about)}\n`;
}

function renderOffer(offer: Offer): string {
  if (offer.kind === 'words') return ` -f -a ${quoteFish(offer.words.join(' '))}`;
  return offer.kind === 'files' ? ' -F' : ' -f';
}
