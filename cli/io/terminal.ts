// Of the report only what lays out text: every start of the mock loads this.
import { wrapText } from '../../report/text/columns.ts';
import { type TextLayout, plainLayout } from '../../report/text/layout.ts';
import { ansiPaint, plainPaint } from '../../report/text/paint.ts';
import { joinShown, show, showLine } from '../../page/view/visible.ts';
import type { CommandIo, TextSink } from './command-io.ts';

export function isTerminal(sink: TextSink, env: CommandIo['env']): boolean {
  return sink.isTTY === true && env['TERM'] !== 'dumb';
}

/**
 * The layout for what is printed: as wide as the terminal, in colour unless NO_COLOR is set
 * (no-color.org). Without a terminal: plain, of the given width.
 */
export function layoutFor(
  { stdout, env }: Pick<CommandIo, 'stdout' | 'env'>,
  width = plainLayout.width,
): TextLayout {
  if (!isTerminal(stdout, env)) return { ...plainLayout, width };
  return {
    width: Math.max(40, stdout.columns ?? plainLayout.width),
    paint: env['NO_COLOR'] ? plainPaint : ansiPaint,
  };
}

/** A text without user and password of the addresses in it. */
function withoutUsers(text: string): string {
  return text.replace(/(?<=\/\/)[^/?#\s]*@/g, '');
}

/** Prints an error or a note on stderr: one line, wrapped to fit a terminal. */
export function tellError(
  { stderr, env }: Pick<CommandIo, 'stderr' | 'env'>,
  command: string,
  message: string,
): void {
  const line = show`petstore ${showLine(command)}: ${showLine(withoutUsers(message))}`;
  const width = isTerminal(stderr, env) ? Math.max(40, stderr.columns ?? 80) : undefined;
  stderr.write(show`${width === undefined ? line : joinShown(wrapText(line, width), '\n')}\n`);
}
