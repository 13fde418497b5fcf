import { writeFile } from 'node:fs/promises';
import { renderJson } from '../../contract/json/value.ts';
import { unknownName } from '../../contract/error/unknown-name.ts';
import { quoteScript as quote } from '../../page/view/quote/script.ts';
import { show, showLine } from '../../page/view/visible.ts';
import { wrapWords } from '../../report/index.ts';
import { argumentError } from '../io/command-failure.ts';
import { type Command, createCommand } from '../options/command.ts';
import { listConfigs, defaultConfig } from '../options/settings.ts';
import {
  type CommandDefinition,
  type Flag,
  type FlagTable,
  defaultOf,
  helpOf,
  kindOf,
  sharedFlags,
} from '../options/flags.ts';

/** `petstore init`. `loadDefinitions` loads the options of all commands. */
export function createInit(loadDefinitions: () => Promise<readonly CommandDefinition[]>): Command {
  return createCommand(
    {
      name: 'init',
      usage: '[<command> ...] [options]',
      description: [
        'Writes petstore.config.ts into the current folder, with every option of these commands as a comment. Nothing changes until you remove a comment mark. Default: mock conform.',
      ],
      examples: [['--json', 'Write petstore.config.json, which is read without --config.']],
      page: 'configuration.md',
      flags: {
        json: {
          help: 'Write petstore.config.json instead: without comments, with the default of every option that has one.',
        },
        force: { help: 'Replace an existing file.' },
      },
      exitCodes: ['written'],
      ignoresSettings: true,
    },
    async ({ values: { json, force }, words }, { stdout }) => {
      const wanted: readonly string[] = words.length === 0 ? ['mock', 'conform'] : words;
      const definitions = (await loadDefinitions()).filter(
        ({ ignoresSettings }) => !ignoresSettings,
      );
      const names: readonly string[] = definitions.map((definition) => definition.name);
      const unknown = wanted.find((each) => !names.includes(each));
      if (unknown !== undefined) throw unknownName('argument', 'command', unknown, names);
      const sections = definitions.filter((definition) => wanted.includes(definition.name));
      const name = json ? defaultConfig : 'petstore.config.ts';
      const there = listConfigs();
      const other = there.find((each) => each !== name);
      if (other !== undefined) throw argumentError(`${other} already exists. Remove it first.`);
      if (there.length > 0 && !force)
        throw argumentError(`${name} already exists. Use --force to replace it.`);
      await writeFile(name, json ? renderDefaults(sections) : renderTemplate(sections));
      const readers = showLine(sections.map((section) => section.name).join(', '));
      const reading = json ? show`in this folder` : show`with --config ${showLine(name)}`;
      stdout.write(show`${showLine(name)} was written. It is read by ${readers} ${reading}.\n`);
      return 0;
    },
  );
}

/** `petstore.config.ts` with every option of these commands as a comment. */
function renderTemplate(definitions: readonly CommandDefinition[]): string {
  const sections = definitions.map(({ name, flags }) => {
    const own = Object.entries(flags).filter(([flag]) => !(flag in sharedFlags));
    const member = /^\w+$/.test(name) ? name : `'${name}'`;
    return `
  // petstore ${name}
  ${member}: {
${renderOptions(Object.fromEntries(own), '    // ')}  },
`;
  });
  return `import type { Config } from 'petstore-contract/config';

// The options of petstore. The command line overrides PETSTORE_ variables, which override this file.
// Remove the // before an option to set it.
export default {
  // Shared by all commands that have them.
${renderOptions(sharedFlags, '  // ')}${sections.join('')}} satisfies Config;
`;
}

const width = 99;

function renderOptions(flags: FlagTable, margin: string): string {
  const lines = Object.entries(flags).flatMap(([name, flag]) => [
    ...wrapWords(helpOf(flag), width - margin.length),
    `${name}: ${renderExample(flag)},`,
  ]);
  return lines.map((line) => `${margin}${line}\n`).join('');
}

/** The default, or an example of another value. */
function renderExample(flag: Flag): string {
  const { value = '', variable = 'PETSTORE_API_KEY', many } = flag;
  switch (kindOf(flag)) {
    case 'switch':
      return 'true';
    case 'integer':
      return String(defaultOf(flag) ?? 100);
    case 'secret':
      return `{ env: ${quote(variable)} }`;
    case 'pair':
      return `{ ${value.split('=').map(quote).join(': ')} }`;
    case 'id':
    case 'path':
    case 'text':
      return many ? `[${quote(value)}]` : quote(String(defaultOf(flag) ?? value));
  }
}

/** `petstore.config.json` with the default of every option of these commands that has one. */
function renderDefaults(definitions: readonly CommandDefinition[]): string {
  const file: Record<string, string | Record<string, string | number>> = {
    $schema: './node_modules/petstore-contract/dist/config.schema.json',
  };
  for (const { name, flags } of definitions) {
    const section: Record<string, string | number> = {};
    for (const [flag, row] of Object.entries(flags)) {
      const value = defaultOf(row);
      if (value !== undefined) section[flag] = value;
    }
    file[name] = section;
  }
  return `${renderJson(file, 2)}\n`;
}
