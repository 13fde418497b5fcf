import { writeFile } from 'node:fs/promises';
import { renderJson, unknownName } from '../../contract/index.ts';
import { wrapWords } from '../../report/index.ts';
import { quoteScript as quote } from '../../page/view/quote/script.ts';
import { show, showLine } from '../../page/view/visible.ts';
import { listConfigs, usualConfig } from '../options/config-file.ts';
import { argumentError } from '../io/command-failure.ts';
import { type Command, createCommand } from '../options/command.ts';
import {
  type CommandForm,
  type Flag,
  type FlagTable,
  defaultOf,
  helpOf,
  kindOf,
  sharedFlags,
} from '../options/flags.ts';

const form = {
  name: 'init',
  takes: '[<command> ...] [options]',
  about: [
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
  exits: ['written'],
  isPlain: true,
} satisfies CommandForm;

/** `petstore init`. `loadForms` loads the options of all commands. */
export function createInit(loadForms: () => Promise<readonly CommandForm[]>): Command {
  return createCommand(form, async ({ values: { json, force }, words }, { stdout }) => {
    const sections = chooseSections(await loadForms(), words);
    const name = json ? usualConfig : 'petstore.config.ts';
    const there = listConfigs();
    const other = there.find((each) => each !== name);
    if (other !== undefined) throw argumentError(`${other} already exists. Remove it first.`);
    if (there.length > 0 && !force)
      throw argumentError(`${name} already exists. Use --force to replace it.`);
    await writeFile(name, json ? renderJsonTemplate(sections) : renderTemplate(sections));
    const commands = sections.map((section) => section.name).join(', ');
    const reading = json ? 'in this folder' : `with --config ${name}`;
    stdout.write(
      show`${name} was written. It is read by ${showLine(commands)} ${showLine(reading)}.\n`,
    );
    return 0;
  });
}

function chooseSections(
  forms: readonly CommandForm[],
  words: readonly string[],
): readonly CommandForm[] {
  const known = new Map(forms.flatMap((one) => (one.isPlain ? [] : [[one.name, one] as const])));
  const wanted: readonly string[] = words.length === 0 ? ['mock', 'conform'] : words;
  const names: readonly string[] = [...known.keys()];
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownName('argument', 'command', unknown, names);
  return [...known.values()].filter(({ name }) => wanted.includes(name));
}

const width = 96;

/** `petstore.config.ts` with every option of some commands as a comment. */
function renderTemplate(forms: readonly CommandForm[]): string {
  const sections = forms.map(({ name, flags }) => {
    const member = /^\w+$/.test(name) ? name : `'${name}'`;
    return `  // petstore ${name}\n  ${member}: {\n${renderOptions(withoutShared(flags), 4)}  },\n`;
  });
  return `import type { Config } from 'petstore-contract/config';

// The options of petstore. The command line overrides PETSTORE_ variables, which override this file.
// Remove the // before an option to set it.
export default {
  // Shared by all commands that have them.
${renderOptions(sharedFlags, 2)}
${sections.join('\n')}} satisfies Config;
`;
}

function withoutShared(flags: FlagTable): FlagTable {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => !(name in sharedFlags)));
}

function renderOptions(flags: FlagTable, indent: number): string {
  const margin = `${' '.repeat(indent)}// `;
  return Object.entries(flags)
    .map(([name, flag]) => {
      const option = `${name}: ${renderExample(flag)},`;
      return [...wrapWords(helpOf(flag), width - indent), option]
        .map((line) => `${margin}${line}\n`)
        .join('');
    })
    .join('');
}

/** The default, or what another value looks like. */
function renderExample(flag: Flag): string {
  const words = quote(flag.value ?? '');
  switch (kindOf(flag)) {
    case 'switch':
      return 'true';
    case 'integer':
      return String(defaultOf(flag) ?? 100);
    case 'secret':
      return `{ env: ${quote(flag.variable ?? 'PETSTORE_API_KEY')} }`;
    case 'pair':
      return `{ ${(flag.value ?? '').split('=').map(quote).join(': ')} }`;
    case 'id':
    case 'path':
    case 'text':
      return flag.many ? `[${words}]` : quote(String(defaultOf(flag) ?? flag.value));
  }
}

/** `petstore.config.json` with the default of every option of some commands that has one. */
function renderJsonTemplate(forms: readonly CommandForm[]): string {
  const sections = forms.map(({ name, flags }) => [name, listDefaults(flags)] as const);
  const schema = './node_modules/petstore-contract/dist/config.schema.json';
  return `${renderJson({ $schema: schema, ...Object.fromEntries(sections) }, 2)}\n`;
}

function listDefaults(rows: FlagTable) {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, row]) => {
      const value = defaultOf(row);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
