import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type MockResponse, framedHeaders } from '../../http/message.ts';
import { type Refusal, refuse } from '../../operation/response/refusal.ts';

/** Bytes of a request line and its header fields. */
export const mostHead = 16_384;

/** Refuses what `node:http` cannot read as a request. */
export function refuseMalformed(
  core: { refuse(refusal: Refusal, connection?: object): MockResponse },
  error: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  sendRaw(socket, core.refuse(malformedRefusal(error.code), socket));
}

function malformedRefusal(code: string | undefined): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refuse(
        'headers_too_large',
        `The request line and headers are larger than ${mostHead} bytes.`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse('request_timeout', 'The request did not arrive in time.');
    case undefined:
    default:
      return refuse('malformed_request', 'The request is not valid HTTP.');
  }
}

/** What is wrong with the `Host` of a request (RFC 9112 section 3.2); undefined for nothing. */
export function findHostFault({
  headers,
  rawHeaders,
  httpVersion,
}: IncomingMessage): string | undefined {
  const { host } = headers;
  if (host === undefined)
    return httpVersion === '1.1' ? 'The request has no Host header.' : undefined;
  if (!/^[^\s/?#@,\\]*$/.test(host)) return 'The Host header is not a valid host.';
  const count = rawHeaders.filter((text, at) => at % 2 === 0 && /^host$/i.test(text)).length;
  return count > 1 ? 'The request has more than one Host header.' : undefined;
}

/** Responds on a socket that `node:http` has given up on, and closes it. */
export function sendRaw(socket: Duplex, response: MockResponse): void {
  const { status, body } = response;
  const headers = framedHeaders(response, Buffer.byteLength(body), true);
  const lines = [`HTTP/1.1 ${status} `];
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  socket.on('error', () => {});
  socket.end([...lines, '', body].join('\r\n'));
}
