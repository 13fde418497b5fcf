import { wrapWords } from '../../report/index.ts';
import { type CommandForm, type FlagTable, flagName, listFlags } from './flags.ts';

const width = 80;

/** Most columns of a flag with what follows it, where its sentences begin on the same line. */
const longestFlag = 24;

export function renderHelp(form: CommandForm): string {
  const { name, takes, about, exits } = form;
  const rows = listRows(listFlags(form));
  const column =
    4 + Math.max(...rows.map(([flag]) => (flag.length > longestFlag ? 0 : flag.length)));
  const parts = [
    `Usage: petstore ${name} ${takes}`,
    ...about.map((part) => (part.startsWith(' ') ? part : wrapWords(part, width).join('\n'))),
    rows.map(([flag, help]) => renderRow(flag, help, column)).join('\n'),
    wrapWords(`Exit codes: ${exits}.`, width).join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The flags that share their sentences in one row. */
function listRows(flags: FlagTable): readonly (readonly [flags: string, help: string])[] {
  const shared: string[] = [];
  return Object.entries(flags).flatMap(([name, { value, help }]) => {
    shared.push(`--${flagName(name)}${value === undefined ? '' : ` ${value}`}`);
    return help === undefined ? [] : [[shared.splice(0).join(', '), help] as const];
  });
}

function renderRow(flag: string, help: string, column: number): string {
  const indent = ' '.repeat(column);
  const head = `  ${flag}`;
  const text = wrapWords(help, width - column).join(`\n${indent}`);
  return head.length + 2 > column ? `${head}\n${indent}${text}` : `${head.padEnd(column)}${text}`;
}
