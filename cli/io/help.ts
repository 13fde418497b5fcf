import { largest } from '../../contract/index.ts';
import { wrapWords } from '../../report/index.ts';
import {
  type VisibleText,
  joinShown,
  padShown,
  show,
  showLine,
  spaces,
} from '../../view/visible.ts';
import { type CommandForm, type FlagTable, flagName, listFlags } from './flags.ts';

const width = 80;

/** Most columns of a flag with what follows it, where its sentences begin on the same line. */
const longestFlag = 24;

export function renderHelp(form: CommandForm): VisibleText {
  const { name, takes, about, exits } = form;
  const rows = listRows(listFlags(form));
  const column = 4 + largest(rows.map(([flag]) => (flag.length > longestFlag ? 0 : flag.length)));
  const parts = [
    show`Usage: petstore ${showLine(name)} ${showLine(takes)}`,
    ...about.map((part) =>
      joinShown(
        part.startsWith(' ') ? part.split('\n').map(showLine) : wrapWords(showLine(part), width),
        '\n',
      ),
    ),
    joinShown(
      rows.map(([flag, help]) => renderRow(flag, help, column)),
      '\n',
    ),
    joinShown(wrapWords(showLine(`Exit codes: ${exits}.`), width), '\n'),
  ];
  return show`${joinShown(parts, '\n\n')}\n`;
}

/** The flags that share their sentences in one row. */
function listRows(flags: FlagTable): readonly (readonly [flags: string, help: string])[] {
  const shared: string[] = [];
  return Object.entries(flags).flatMap(([name, { value, help }]) => {
    shared.push(`--${flagName(name)}${value === undefined ? '' : ` ${value}`}`);
    return help === undefined ? [] : [[shared.splice(0).join(', '), help] as const];
  });
}

function renderRow(flag: string, help: string, column: number): VisibleText {
  const indent = spaces(column);
  const head = show`  ${showLine(flag)}`;
  const [first = show``, ...rest] = wrapWords(showLine(help), width - column);
  const text = joinShown([first, ...rest.map((line) => show`${indent}${line}`)], '\n');
  return head.length + 2 > column
    ? show`${head}\n${indent}${text}`
    : show`${padShown(head, column)}${text}`;
}
