import type { Watcher } from '../../../conformance/index.ts';
import { listPlan } from '../../../report/index.ts';
import type { Contract } from '../../../contract/index.ts';
import type { CommandIo } from '../../io/command-io.ts';
import type { ConformArguments } from './options.ts';
import { nameReason } from '../../io/progress-line.ts';
import { createProgress, createProgressLog } from '../../io/run-progress.ts';
import type { OpenTarget } from '../../conformance/embedded-mock.ts';
import { wrapText } from '../../../report/text/columns.ts';
import { type VisibleText, joinShown, show, showLine } from '../../../view/visible.ts';
import { isTerminal, layoutFor } from '../../io/terminal.ts';

/**
 * Creates what is told while a run goes on: lines on stdout, and the progress on stderr, on a terminal
 * as a bar. `--quiet` tells nothing.
 */
export function createRunWatcher(
  contract: Contract,
  wanted: ConformArguments,
  place: OpenTarget,
  io: CommandIo,
): Disposable & { readonly watcher: Watcher } {
  if (wanted.quiet) return { watcher: {}, [Symbol.dispose]: () => {} };
  const isMoved = place.clock !== undefined;
  const { width } = layoutFor(io, Number.POSITIVE_INFINITY);
  const isSeen = isTerminal(io.stderr, io.env);
  const progress = isSeen ? createProgress(io.stderr, !isMoved) : createProgressLog(io.stderr);
  const say = (...lines: readonly VisibleText[]): void => {
    progress.erase();
    const wrapped = lines.flatMap((line) => wrapText(line, width));
    io.stdout.write(show`${joinShown(wrapped, '\n')}\n\n`);
  };
  return {
    watcher: {
      onPlan: (plan) => {
        say(
          show`Judging ${showLine(place.target.baseUrl)} by ${showLine(`${contract.title} ${contract.version}`)}, seed ${wanted.seed}.`,
          ...listPlan(plan, contract, isMoved ? undefined : place.plan),
          ...(isMoved
            ? [show`The mock's clock is moved instead of waiting for the rate limit.`]
            : []),
        );
        progress.watcher.onPlan?.(plan);
      },
      onExchange: (exchange) => progress.watcher.onExchange?.(exchange),
      onWait: (milliseconds, reason) => {
        progress.watcher.onWait?.(milliseconds, reason);
        const seconds = Math.ceil(milliseconds / 1000);
        if (isMoved && reason === 'limit')
          say(
            show`The mock's clock is moved ahead by ${seconds} s, to where the rate limit lets requests through again.`,
          );
        else if (!isSeen) say(show`Waiting ${seconds} s for ${nameReason(reason)}.`);
      },
    },
    [Symbol.dispose]: () => progress[Symbol.dispose](),
  };
}
