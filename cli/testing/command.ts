import { runPetstore } from '../main.ts';

/** A command that runs, with what it has written so far. */
export interface Command {
  readonly ended: Promise<number>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolved with the match as soon as what was written to stdout and stderr has one. */
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
    env: {},
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
