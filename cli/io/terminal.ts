import { ansiPaint, plainLayout, plainPaint, type TextLayout } from '../../report/index.ts';
import type { CommandIo, TextSink } from './command-io.ts';
import { isColoured, isTerminal } from './text-sink.ts';

export { isTerminal } from './text-sink.ts';

/**
 * The layout for what is printed: as wide as the terminal, in colour unless NO_COLOR is set; plain
 * where there is no terminal.
 */
export function layoutFor(sink: TextSink, env: CommandIo['env']): TextLayout {
  if (!isTerminal(sink, env)) return plainLayout;
  return {
    width: Math.max(40, sink.columns ?? plainLayout.width),
    paint: isColoured(sink, env) ? ansiPaint : plainPaint,
  };
}
