/** An argument that cannot be used. The message names it. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

/**
 * What is told of a command line that could not be parsed: the first sentence of the parser, and
 * where the flags stand.
 */
export function createParseFailure(command: string, error: unknown): ArgumentError {
  const [sentence = ''] = (error instanceof Error ? error.message : '').split('. ');
  return new ArgumentError(`${sentence.replace(/\.$/, '')}. See petstore ${command} --help.`);
}

/** Parses a whole number within bounds, both included. Throws `ArgumentError`. */
export function parseWhole(name: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new ArgumentError(
    `${name} must be a whole number from ${least} to ${most}, not "${text}".`,
  );
}
