/** What a command may see of the process: it never reads `process`, so that tests can run it. */
export interface CommandIo {
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the command shall end: SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

export interface TextSink {
  write(text: string): unknown;
  /** True for a terminal. */
  readonly isTTY?: boolean;
  /** Columns of a terminal. */
  readonly columns?: number;
}
