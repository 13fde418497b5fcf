import {
  joinShown,
  padShown,
  show,
  showLine,
  spaces,
  type VisibleText,
} from '../../page/view/visible.ts';
import { wrapWords } from '../../report/index.ts';
import { type CommandDefinition, type Flag, flagName, helpOf, listFlags } from './flags.ts';

const width = 80;

/** Column where descriptions of options start; longer options get a line of their own. */
const column = 28;

/** URL of docs/. */
const docs = 'https://github.com/petstore-contract/petstore-contract/blob/main/docs/';

/** The help of a command: with the common flags, or with all flags in groups. */
export function renderHelp(definition: CommandDefinition, extent: 'usual' | 'all'): VisibleText {
  const { name, usage, description, examples, page, exitCodes } = definition;
  const flags = Object.entries(listFlags(definition));
  const usual = flags.filter(([, { group }]) => group === undefined);
  const others = flags.filter(([, { group }]) => group !== undefined);
  const groups = Map.groupBy(
    extent === 'all' ? [...usual, ...others] : usual,
    ([, { group = 'Options' }]) => group,
  );
  const isShort = extent === 'usual' && others.length > 0;
  const parts = [
    [showLine(`Usage: npx petstore-contract ${name} ${usage}`)],
    ...description.map((part) =>
      part.startsWith(' ') ? part.split('\n').map(showLine) : wrapWords(showLine(part), width),
    ),
    examples.length === 0 ? [] : [show`Examples`, ...examples.flatMap(renderExample(name))],
    ...[...groups].map(([group, rows]) => [showLine(group), ...rows.flatMap(renderFlag)]),
    isShort
      ? [showLine(`npx petstore-contract ${name} --help all shows ${others.length} more options.`)]
      : [],
    wrapWords(showLine(describeExitCodes(exitCodes)), width),
    [showLine(`Docs: ${docs}${page}`)],
  ];
  const filled = parts.filter((lines) => lines.length > 0);
  return show`${joinShown(
    filled.map((lines) => joinShown(lines, '\n')),
    '\n\n',
  )}\n`;
}

/** A command with two results can also be inconclusive. */
function describeExitCodes([zero, one]: CommandDefinition['exitCodes']): string {
  return one === undefined
    ? `Exit codes: 0 ${zero}, 2 error.`
    : `Exit codes: 0 ${zero}; 1 ${one}; 2 no result: inconclusive, or an error.`;
}

function renderExample(name: string) {
  return ([words, effect]: CommandDefinition['examples'][number]): readonly VisibleText[] => [
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
