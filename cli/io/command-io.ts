import { setFlagsFromString } from 'node:v8';
import {
  wrapText,
  ansiPaint,
  plainLayout,
  plainPaint,
  type TextLayout,
} from '../../report/text/layout.ts';
import { joinShown, reshape, show, showLine, type VisibleText } from '../../page/view/visible.ts';

// Of the report only what lays out text: every start of the mock loads this.

/** What a command may see of the process: it never reads `process`, so that tests can run it. */
export interface CommandIo {
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Stdout for the commands of a CI server, which `stdout` breaks. Default: `stdout`. */
  readonly workflow?: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Aborted when the command shall end: SIGINT or SIGTERM. A command that reads it ends by itself;
   * until then, and where none does, the signal ends the process.
   */
  readonly signal: AbortSignal;
}

/** Where a command prints. Only a text of `show` and `showLine` can be written: page/view/visible.ts. */
export interface TextSink {
  write(text: VisibleText): unknown;
  /** True for a terminal. */
  readonly isTTY?: boolean;
  /** Columns of a terminal. */
  readonly columns?: number | undefined;
}

/** A stream that prints no line that a CI server would take for a command. */
export function guardSink(stream: TextSink): TextSink {
  return {
    write: (text) => stream.write(reshape(text, breakCommands)),
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns;
    },
  };
}

/**
 * GitHub Actions runs a line that begins with `::name` and has a second pair of colons, whatever
 * space precedes it: the second colon of such a line is printed as an escape.
 */
function breakCommands(text: string): string {
  return text
    .split(/([\n\r])/)
    .map((line) => line.replace(commandLine, String.raw`$1:\u{3a}`))
    .join('')
    .replace(/##(?=\w*\[)/g, String.raw`#\u{23}`);
}

const commandLine = /^((?:\s|\p{Cc}\[[\d;]*m)*)::(?=.*::)/su;

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

/**
 * Prints an error or a note on stderr, without user and password of the addresses in it: one line,
 * wrapped to fit a terminal.
 */
export function tellError(
  { stderr, env }: Pick<CommandIo, 'stderr' | 'env'>,
  command: string,
  message: string,
): void {
  const shown = message.replace(/(?<=\/\/)[^/?#\s]*@/g, '');
  const line = show`petstore ${showLine(command)}: ${showLine(shown)}`;
  const width = Math.max(40, stderr.columns ?? 80);
  const lines = isTerminal(stderr, env) ? wrapText(line, width) : [line];
  stderr.write(show`${joinShown(lines, '\n')}\n`);
}

/**
 * Makes memory matter more than time: while a foreign document is read, and in commands that end. It
 * costs a start a tenth of its time, and a server a fifth of its requests.
 */
export function spareMemory(): void {
  // What is made and dropped again, as while a document is read, is cleared sooner: what is set aside
  // for it would grow to 128 MB.
  setFlagsFromString('--semi-space-growth-factor=1');
  // And what stays is compacted when it has grown by two fifths, not by up to four times.
  setFlagsFromString('--heap-growing-percent=40');
}

/** Makes time matter again, as it does in a server that listens. */
export function spareTime(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--heap-growing-percent=0');
}
