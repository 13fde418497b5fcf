/** An argument that cannot be used. The message names it. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}
