import {
  type CommandForm,
  type Flag,
  type FlagTable,
  kindOf,
  sharedFlags,
} from '../../cli/options/flags.ts';
import { wrapWords } from '../../report/index.ts';

/** The types of a configuration file: the text of `config.d.ts`. */
export function renderConfigTypes(forms: readonly CommandForm[]): string {
  const sections = forms.filter(({ isPlain }) => !isPlain);
  const members = sections.map(
    ({ name, about, flags }) =>
      `${renderComment(about[0] ?? '', 2)}  readonly ${nameOf(name)}?: {\n${renderFlags(flags, 4)}  } | undefined;\n`,
  );
  return `// Written by \`npm run record\` of the flags of the commands.

/** What petstore.config.ts exports. Flags and the environment win. */
export interface Config {
${renderFlags(sharedFlags, 2)}${members.join('')}}

/** The environment variable that has a secret. */
export interface SecretVariable {
  readonly env: string;
}

/** Gives back what it is given, for editors that complete by the type of an argument. */
export declare function defineConfig(config: Config): Config;
`;
}

function renderFlags(flags: FlagTable, indent: number): string {
  return Object.entries(flags)
    .map(
      ([name, flag]) =>
        `${renderComment(flag.help, indent)}${' '.repeat(indent)}readonly ${nameOf(name)}?: ${typeOf(flag)} | undefined;\n`,
    )
    .join('');
}

function renderComment(text: string, indent: number): string {
  const margin = ' '.repeat(indent);
  const lines = wrapWords(text.replaceAll('*/', '*\\/'), 96 - indent);
  if (lines.length === 1) return `${margin}/** ${lines.join('')} */\n`;
  return `${margin}/**\n${lines.map((line) => `${margin} * ${line}\n`).join('')}${margin} */\n`;
}

function nameOf(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`;
}

function typeOf(flag: Flag): string {
  const one = typeOfOne(flag);
  if (!flag.many) return one;
  const list = `readonly ${one.includes('|') ? `(${one})` : one}[]`;
  return kindOf(flag) === 'pair' ? `${list} | Readonly<Record<string, string | number>>` : list;
}

function typeOfOne(flag: Flag): string {
  const accepts = flag.read?.accepts;
  switch (kindOf(flag)) {
    case 'switch':
      return 'boolean';
    case 'integer':
      return 'number';
    case 'id':
      return 'string | number';
    case 'secret':
      return 'string | SecretVariable';
    case 'pair':
    case 'path':
    case 'text':
      return accepts?.kind === 'words'
        ? accepts.words.map((word) => `'${word}'`).join(' | ')
        : 'string';
  }
}
