import * as quoted from '../../view/quote/curl.ts';
import type { OutgoingRequest } from './outgoing-request.ts';

/** A shell line that sends a request as it is; a certificate that nobody signed is accepted. */
export function renderCurl(request: OutgoingRequest): string {
  return quoted.renderCurl({ ...request, isInsecure: request.url.startsWith('https:') });
}
