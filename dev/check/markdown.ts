/** The shell lines of the ```sh blocks of a text; a line that ends in `\` is continued. */
export function shellLinesOf(markdown: string): readonly string[] {
  const blocks = [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) =>
    block.replaceAll(/\\\n\s*/g, ' '),
  );
  return blocks
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

/** The commands joined by `&&`, `|` and `;`, as words without quotes and with variables replaced. */
export function commandsOf(line: string): readonly (readonly string[])[] {
  return line
    .split(/&&|\|\|?|;/)
    .map((command) => wordsOf(command.replace(/\s#.*$/, '').trim()))
    .map((words) => words.slice(words.findIndex((word) => !/^\w+=/.test(word))))
    .filter((words) => words.length > 0);
}

/** The targets of links within the project: relative paths, without fragments. */
export function linksOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link.replace(/#.*$/, ''))
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link));
}

/** Text between single backquotes, outside of code blocks. */
export function codeSpansOf(markdown: string): readonly string[] {
  return [...markdown.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  );
}

function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
