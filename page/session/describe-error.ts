/** An error in a sentence for the page. */
export function describeError(error: unknown): string {
  if (error instanceof TypeError) return 'The mock does not respond.';
  return error instanceof Error ? error.message : String(error);
}
