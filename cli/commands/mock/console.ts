import type { CommandIo } from '../../io/command-io.ts';
import { isColoured, isTerminal } from '../../io/text-sink.ts';

/**
 * What the mock prints goes here: how wide it may be, and in which colours. Small, since every
 * start loads it.
 */
export interface MockConsole {
  /**
   * Columns; without end where there is no terminal, so that each request is one line for other
   * programs.
   */
  readonly width: number;
  readonly colour: Colour;
}

/** Gives a text a colour, or leaves it as it is. */
export type Colour = (name: ColourName, text: string) => string;

export type ColourName = keyof typeof CODES;

/**
 * Select Graphic Rendition (ECMA-48 section 8.3.117), in the terminal's own colours so that they
 * fit its background.
 */
const CODES = { good: '32', doubtful: '33', bad: '1;31', quiet: '2', strong: '1' } as const;

export const plainColour: Colour = (_name, text) => text;

const sgrColour: Colour = (name, text) =>
  text === '' ? '' : `\u001B[${CODES[name]}m${text}\u001B[0m`;

/** How wide a terminal is taken to be that does not say. */
const USUAL_WIDTH = 100;

/** The console that a command writes to. */
export function openConsole({ stdout, env }: Pick<CommandIo, 'stdout' | 'env'>): MockConsole {
  const width = isTerminal(stdout, env)
    ? Math.max(60, stdout.columns ?? USUAL_WIDTH)
    : Number.POSITIVE_INFINITY;
  return { width, colour: isColoured(stdout, env) ? sgrColour : plainColour };
}
