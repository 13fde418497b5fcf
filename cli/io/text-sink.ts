import type { CommandIo, TextSink } from './command-io.ts';

/** Whether a text goes to a terminal that can redraw a line. */
export function isTerminal(sink: TextSink, env: CommandIo['env']): boolean {
  return sink.isTTY === true && env['TERM'] !== 'dumb';
}

/** Whether it may have colours: on a terminal, unless NO_COLOR is set (no-color.org). */
export function isColoured(sink: TextSink, env: CommandIo['env']): boolean {
  return isTerminal(sink, env) && !env['NO_COLOR'];
}
