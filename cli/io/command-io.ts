import { type VisibleText, reshape } from '../../page/view/visible.ts';

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
 * space stands before it: the second colon of such a line is printed as an escape.
 */
function breakCommands(text: string): string {
  return text
    .split(/([\n\r])/)
    .map((line) => line.replace(commandLine, String.raw`$1:\u{3a}`))
    .join('')
    .replace(/##(?=\w*\[)/g, String.raw`#\u{23}`);
}

const commandLine = /^((?:\s|\p{Cc}\[[\d;]*m)*)::(?=.*::)/su;
