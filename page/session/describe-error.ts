/** An error in a sentence for the page. `noResponse`: what is said where nobody responded. */
export function describeError(error: unknown, noResponse = 'The mock does not respond.'): string {
  if (error instanceof TypeError) return noResponse;
  return error instanceof Error ? error.message : String(error);
}

/** What is said where a request to the service got no response. */
export const brokenOff = 'No response: the connection was broken.';
