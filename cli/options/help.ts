import {
  joinShown,
  padShown,
  show,
  showLine,
  spaces,
  type VisibleText,
} from '../../page/view/visible.ts';
import { wrapWords } from '../../report/index.ts';
import { type CommandForm, type Flag, flagName, helpOf, listFlags } from './flags.ts';

const width = 80;

/** Column of what an option does; a longer option has a line of its own. */
const column = 28;

/** Where the pages of docs/ can be read. */
const docs = 'https://github.com/petstore-contract/petstore-contract/blob/main/docs/';

/** The help of a command: with the flags that people use most, or with all of them in groups. */
export function renderHelp(form: CommandForm, extent: 'usual' | 'all'): VisibleText {
  const { name, takes, about, examples, page, exits } = form;
  const flags = Object.entries(listFlags(form));
  const usual = flags.filter(([, { group }]) => group === undefined);
  const others = flags.filter(([, { group }]) => group !== undefined);
  const groups = Map.groupBy(
    extent === 'all' ? [...usual, ...others] : usual,
    ([, { group = 'Options' }]) => group,
  );
  const isShort = extent === 'usual' && others.length > 0;
  const parts = [
    [showLine(`Usage: npx petstore-contract ${name} ${takes}`)],
    ...about.map((part) =>
      part.startsWith(' ') ? part.split('\n').map(showLine) : wrapWords(showLine(part), width),
    ),
    examples.length === 0 ? [] : [show`Examples`, ...examples.flatMap(renderExample(name))],
    ...[...groups].map(([group, rows]) => [showLine(group), ...rows.flatMap(renderFlag)]),
    isShort
      ? [showLine(`npx petstore-contract ${name} --help all shows ${others.length} more options.`)]
      : [],
    wrapWords(showLine(describeExits(exits)), width),
    [showLine(`Docs: ${docs}${page}`)],
  ];
  const filled = parts.filter((lines) => lines.length > 0);
  return show`${joinShown(
    filled.map((lines) => joinShown(lines, '\n')),
    '\n\n',
  )}\n`;
}

/** A command that can give two results can also come to none. */
function describeExits([zero, one]: CommandForm['exits']): string {
  return one === undefined
    ? `Exit codes: 0 ${zero}, 2 error.`
    : `Exit codes: 0 ${zero}; 1 ${one}; 2 no result: inconclusive, or an error.`;
}

function renderExample(name: string) {
  return ([words, effect]: CommandForm['examples'][number]): readonly VisibleText[] => [
    showLine(`  npx petstore-contract ${name} ${words}`.trimEnd()),
    ...wrapWords(showLine(effect), width - 6).map((line) => show`      ${line}`),
  ];
}

function renderFlag([name, flag]: readonly [string, Flag]): readonly VisibleText[] {
  const head = showLine(`  --${flagName(name)} ${flag.value ?? ''}`.trimEnd());
  const lines = wrapWords(showLine(helpOf(flag)), width - column);
  const [first = show``, ...rest] = lines;
  const isLong = head.length + 2 > column;
  const begun = isLong ? [head] : [show`${padShown(head, column)}${first}`];
  const indented = (isLong ? lines : rest).map((line) => show`${spaces(column)}${line}`);
  return [...begun, ...indented];
}
