/** An error in a sentence for the page. `noResponse`: the sentence if there was no response. */
export function describeError(error: unknown, noResponse = 'The mock does not respond.'): string {
  if (error instanceof TypeError) return noResponse;
  return error instanceof Error ? error.message : String(error);
}

/** The sentence for a request to the service without a response. */
export const brokenOff = 'No response: the connection was broken.';
