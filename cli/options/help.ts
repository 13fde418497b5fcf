import { largest } from '../../contract/index.ts';
import { wrapWords } from '../../report/index.ts';
import {
  type VisibleText,
  joinShown,
  padShown,
  show,
  showLine,
  spaces,
} from '../../page/view/visible.ts';
import { type CommandForm, type FlagTable, flagName, listFlags } from './flags.ts';

const width = 80;

/** Most columns of a flag with what follows it, where its sentences begin on the same line. */
const longestFlag = 24;

/** Where the pages of docs/ can be read. */
const docs = 'https://github.com/petstore-contract/petstore-contract/blob/main/docs/';

/** The help of a command: with the flags that people use most, or with all of them in groups. */
export function renderHelp(form: CommandForm, extent: 'usual' | 'all'): VisibleText {
  const { name, takes, about, examples, page, exits } = form;
  const rows = listRows(listFlags(form));
  const groups = Map.groupBy(rows, ({ group }) => group);
  const shown =
    extent === 'all'
      ? [...groups].toSorted(([one], [other]) => Number(one !== '') - Number(other !== ''))
      : [['', groups.get('') ?? []] as const];
  const column =
    4 +
    largest(
      shown.flatMap(([, members]) =>
        members.map(({ flag }) => (flag.length > longestFlag ? 0 : flag.length)),
      ),
    );
  const hidden = rows.length - (groups.get('') ?? []).length;
  const parts = [
    show`Usage: npx petstore-contract ${showLine(name)} ${showLine(takes)}`,
    ...about.map((part) =>
      joinShown(
        part.startsWith(' ') ? part.split('\n').map(showLine) : wrapWords(showLine(part), width),
        '\n',
      ),
    ),
    ...renderExamples(name, examples),
    ...shown.map(([group, members]) =>
      joinShown(
        [
          showLine(group === '' ? 'Options' : group),
          ...members.map((row) => renderRow(row, column)),
        ],
        '\n',
      ),
    ),
    ...(extent === 'usual' && hidden > 0
      ? [show`npx petstore-contract ${showLine(name)} --help all shows ${hidden} more options.`]
      : []),
    joinShown(wrapWords(showLine(`Exit codes: ${exits}.`), width), '\n'),
    showLine(`Docs: ${docs}${page}`),
  ];
  return show`${joinShown(parts, '\n\n')}\n`;
}

function renderExamples(name: string, examples: CommandForm['examples']): readonly VisibleText[] {
  if (examples.length === 0) return [];
  const lines = examples.flatMap(([words, effect]) => [
    showLine(`  npx petstore-contract ${name} ${words}`.trimEnd()),
    ...wrapWords(showLine(effect), width - 6).map((line) => show`      ${line}`),
  ]);
  return [joinShown([show`Examples`, ...lines], '\n')];
}

interface HelpRow {
  /** The flag, with what follows it. */
  readonly flag: string;
  readonly help: string;
  /** Empty for what people use most. */
  readonly group: string;
}

function listRows(flags: FlagTable): readonly HelpRow[] {
  return Object.entries(flags).map(([name, { value = '', help, group = '' }]) => {
    return { flag: `--${flagName(name)} ${value}`.trimEnd(), help, group };
  });
}

function renderRow({ flag, help }: HelpRow, column: number): VisibleText {
  const indent = spaces(column);
  const head = show`  ${showLine(flag)}`;
  const [first = show``, ...rest] = wrapWords(showLine(help), width - column);
  const text = joinShown([first, ...rest.map((line) => show`${indent}${line}`)], '\n');
  return head.length + 2 > column
    ? show`${head}\n${indent}${text}`
    : show`${padShown(head, column)}${text}`;
}
