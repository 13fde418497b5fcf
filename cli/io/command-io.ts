import type { VisibleText } from '../../view/visible.ts';

/** What a command may see of the process: it never reads `process`, so that tests can run it. */
export interface CommandIo {
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the command shall end: SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

/** Where a command prints. No text reaches it that did not pass `showLine` and its like. */
export interface TextSink {
  write(text: VisibleText): unknown;
  /** True for a terminal. */
  readonly isTTY?: boolean;
  /** Columns of a terminal. */
  readonly columns?: number;
}
