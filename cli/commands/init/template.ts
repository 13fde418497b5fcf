import { defaultOf, type FlagRows, helpOf, kindOf } from '../../config/flag-row.ts';
import { renderJson } from '../../../contract/index.ts';
import { wrapWords } from '../../../report/index.ts';
import { quoteScript as quote } from '../../../view/quote/script.ts';
import type { CommandForm, Flag, FlagTable } from '../../io/flags.ts';
import { sharedFlags } from '../../io/run-flags.ts';

const width = 96;

/** `petstore.config.ts` with every option of some commands as a comment. */
export function renderTemplate(forms: readonly CommandForm[]): string {
  const sections = forms.map(({ name, flags }) => {
    const member = /^\w+$/.test(name) ? name : `'${name}'`;
    return `  // petstore ${name}\n  ${member}: {\n${renderOptions(withoutShared(flags), 4)}  },\n`;
  });
  return `import type { Config } from 'petstore-contract/config';

// The options of petstore. A flag of the command line goes before a PETSTORE_ variable, that before
// this file, and this file before the default. Remove the // before an option to set it.
export default {
  // Of every command that has them.
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
      const help = flag.help === undefined ? [] : wrapWords(helpOf(flags, name), width - indent);
      const option = `${name}: ${renderExample(flag)},`;
      return [...help, option].map((line) => `${margin}${line}\n`).join('');
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
      return String(defaultOf(flag) ?? exampleNumber(flag));
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

/** The number that the help says is the default, else one within the bounds. */
function exampleNumber({ help = '', read }: Flag): number {
  const [, told] = /Default: (\d+)/.exec(help) ?? [];
  const most = read?.accepts?.kind === 'whole' ? read.accepts.most : 100;
  return Math.min(told === undefined ? 100 : Number(told), most);
}

/** `petstore.config.json` with the default of every option of some commands that has one. */
export function renderJsonTemplate(forms: readonly CommandForm[]): string {
  const sections = forms.map(({ name, flags }) => [name, listDefaults(flags)] as const);
  const schema = './node_modules/petstore-contract/docs/config.schema.json';
  return `${renderJson({ $schema: schema, ...Object.fromEntries(sections) }, 2)}\n`;
}

function listDefaults(rows: FlagRows) {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, row]) => {
      const value = defaultOf(row);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
