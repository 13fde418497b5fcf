import { setFlagsFromString } from 'node:v8';
import {
  wrapText,
  ansiPaint,
  plainLayout,
  plainPaint,
  type TextLayout,
} from '../../report/text/layout.ts';
import { joinShown, reshape, show, showLine, type VisibleText } from '../../page/view/visible.ts';

// Import only text layout from report/: every start of the mock loads this file.

/**
 * What a command may use of the process. Commands never read `process`, so that tests can run them.
 */
export interface CommandIo {
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Stdout for workflow commands of a CI server, which `stdout` escapes. Default: `stdout`. */
  readonly workflow?: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Aborted by SIGINT or SIGTERM. A command that has read this property must end itself on abort;
   * before that, the signal ends the process.
   */
  readonly signal: AbortSignal;
}

/**
 * Where a command prints. It only accepts text made by `show` and `showLine`: page/view/visible.ts.
 */
export interface TextSink {
  write(text: VisibleText): unknown;
  /** True if it is a terminal. */
  readonly isTTY?: boolean;
  /** Columns of a terminal. */
  readonly columns?: number | undefined;
}

/** A stream that escapes lines which a CI server would execute as commands. */
export function escapeWorkflowCommands(stream: TextSink): TextSink {
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
 * GitHub Actions executes lines that begin with `::name`, also after white space, and contain a
 * second `::`. The second colon is printed as an escape.
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
 * The layout of printed text: as wide as the terminal, in colour unless NO_COLOR is set
 * (no-color.org). Without a terminal: plain, with the given width.
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
 * Prints an error or a note on stderr in one line, wrapped to fit a terminal. Removes user and
 * password from URLs.
 */
export function printError(
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
 * Tunes V8 to save memory at the cost of speed: while a foreign document is read, and in commands
 * that end. It slows a start by a tenth, and a server by a fifth.
 */
export function optimiseForMemory(isThread = false): void {
  // Short-lived objects, such as those made while a document is read, are collected sooner:
  // otherwise the young generation grows to 128 MB. That of a thread has a limit.
  if (!isThread) setFlagsFromString('--semi-space-growth-factor=1');
  // The old generation is compacted after it has grown by 40 %, not by up to 300 %.
  setFlagsFromString('--heap-growing-percent=40');
}

/** Tunes V8 for speed again, as a listening server needs. */
export function optimiseForSpeed(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--heap-growing-percent=0');
}
