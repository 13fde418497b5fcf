import { unknownName } from '../../../contract/index.ts';
import { argumentError } from '../../io/command-failure.ts';
import { type Command, createCommand } from '../../io/command.ts';
import type { CommandForm } from '../../io/flags.ts';
import { renderBash } from './bash.ts';
import { renderFish } from './fish.ts';
import { listOffers } from './offer.ts';
import { joinShown, showLine } from '../../../view/visible.ts';
import { renderZsh } from './zsh.ts';

const shells = new Map([
  ['bash', renderBash],
  ['zsh', renderZsh],
  ['fish', renderFish],
]);

const form = {
  name: 'completion',
  takes: '<bash|zsh|fish>',
  about: [
    'Prints a script by which a shell completes the commands and options of petstore, and the files and words that options take. Put its line into the file that your shell reads at the start:',
    `  ~/.bashrc                   eval "$(petstore completion bash)"
  ~/.zshrc                    source <(petstore completion zsh)
  ~/.config/fish/config.fish  petstore completion fish | source`,
  ],
  flags: {},
  exits: '0 printed, 2 not',
  isPlain: true,
} satisfies CommandForm;

/** `petstore completion`. `loadForms` tells what the commands take. */
export function createCompletion(loadForms: () => Promise<readonly CommandForm[]>): Command {
  return createCommand(form, async ({ words: [shell, ...others] }, { stdout }) => {
    if (shell === undefined || others.length > 0)
      throw argumentError('One shell is wanted: petstore completion bash, zsh or fish.');
    const render = shells.get(shell);
    if (render === undefined) throw unknownName('argument', 'shell', shell, [...shells.keys()]);
    const script = render(listOffers(await loadForms()));
    stdout.write(joinShown(script.split('\n').map(showLine), '\n'));
    return 0;
  });
}
