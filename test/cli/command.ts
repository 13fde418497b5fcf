import { runPetstore } from '../../cli/main.ts';

/** A running command, with its output so far. */
export interface Command {
  readonly ended: Promise<number>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with the match as soon as stdout or stderr contains one. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly stop: () => Promise<void>;
}

export function startCommand(...argv: readonly string[]): Command {
  const stop = new AbortController();
  const [out, err]: [string[], string[]] = [[], []];
  const waiting: (() => void)[] = [];
  const sink = (texts: string[]) => ({
    write: (text: string): void => {
      texts.push(text);
      for (const wake of waiting.splice(0)) wake();
    },
  });
  const ended = runPetstore(argv, {
    stdout: sink(out),
    stderr: sink(err),
    env: pickCompileCache(),
    signal: stop.signal,
  });
  const find = (pattern: RegExp): RegExpExecArray | null =>
    pattern.exec(out.join('')) ?? pattern.exec(err.join(''));
  return {
    ended,
    stdout: () => out.join(''),
    stderr: () => err.join(''),
    async printed(pattern) {
      for (let found = find(pattern); ; found = find(pattern)) {
        if (found !== null) return found;
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
    },
    async stop() {
      stop.abort();
      await ended;
    },
  };
}

/** Runs a command to its end. */
export async function runCommand(
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const command = startCommand(...argv);
  return { code: await command.ended, stdout: command.stdout(), stderr: command.stderr() };
}

/** The part of the environment with the compile cache of child processes. */
function pickCompileCache(): Readonly<Record<string, string>> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}
