import { writeFile } from 'node:fs/promises';
import { listConfigs, usualConfig } from '../../config/config-file.ts';
import { unknownName } from '../../../contract/index.ts';
import { argumentError } from '../../io/command-failure.ts';
import { type Command, createCommand } from '../../io/command.ts';
import type { CommandForm } from '../../io/flags.ts';
import { show, showLine } from '../../../view/visible.ts';
import { renderJsonTemplate, renderTemplate } from './template.ts';

const form = {
  name: 'init',
  takes: '[<command> ...] [options]',
  about: [
    'Writes petstore.config.ts into this folder: every option of these commands, with what it does, as a comment. So nothing changes until a comment is removed. Default: mock conform.',
  ],
  flags: {
    json: {
      help: 'Writes petstore.config.json in its place: no comments, and the default of every option that has one.',
    },
    force: { help: 'Replaces a file of that name.' },
  },
  exits: '0 written, 2 not',
  isPlain: true,
} satisfies CommandForm;

/** `petstore init`. `loadForms` tells what the commands take. */
export function createInit(loadForms: () => Promise<readonly CommandForm[]>): Command {
  return createCommand(form, async ({ values: { json, force }, words }, { stdout }) => {
    const sections = chooseSections(await loadForms(), words);
    const name = json ? usualConfig : 'petstore.config.ts';
    const there = listConfigs();
    const other = there.find((each) => each !== name);
    if (other !== undefined)
      throw argumentError(`${other} is there already, and is not replaced: remove it first.`);
    if (there.length > 0 && !force)
      throw argumentError(`${name} is there already, and is not replaced without --force.`);
    await writeFile(name, json ? renderJsonTemplate(sections) : renderTemplate(sections));
    const commands = sections.map((section) => `petstore ${section.name}`).join(', ');
    const reading = json ? 'in this folder' : `with --config ${name}`;
    stdout.write(
      show`${name} is written. It is read by ${showLine(commands)} ${showLine(reading)}.\n`,
    );
    return 0;
  });
}

function chooseSections(
  forms: readonly CommandForm[],
  words: readonly string[],
): readonly CommandForm[] {
  const known = forms.filter(({ isPlain }) => !isPlain);
  const names = words.length === 0 ? ['mock', 'conform'] : words;
  const unknown = names.find((name) => !known.some((each) => each.name === name));
  if (unknown !== undefined)
    throw unknownName(
      'argument',
      'command',
      unknown,
      known.map(({ name }) => name),
    );
  return known.filter(({ name }) => names.includes(name));
}
