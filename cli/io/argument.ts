import { PetstoreError } from '../../contract/index.ts';
/**
 * What is told of a command line that could not be parsed: the first sentence of the parser, and
 * where the flags stand.
 */
export function createParseFailure(command: string, error: unknown): PetstoreError {
  const [sentence = ''] = (error instanceof Error ? error.message : '').split('. ');
  return new PetstoreError(
    'argument',
    `${sentence.replace(/\.$/, '')}. See petstore ${command} --help.`,
  );
}

/** Parses a whole number within bounds, both included. Throws `PetstoreError`. */
export function parseWhole(name: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new PetstoreError(
    'argument',
    `${name} must be a whole number from ${least} to ${most}, not "${text}".`,
  );
}
