import type { Duplex } from 'node:stream';
import { type MockResponse, framedHeaders } from '../../http/message.ts';
import { type Refusal, refuse } from '../../operation/response/refusal.ts';

/** Refuses what `node:http` cannot read as a request. */
export function refuseMalformed(
  core: { refuse(refusal: Refusal): MockResponse },
  error: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  sendRaw(socket, core.refuse(malformedRefusal(error.code)));
}

function malformedRefusal(code: string | undefined): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refuse('headers_too_large', 'The headers of the request are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse('request_timeout', 'The request did not arrive in time.');
    case undefined:
    default:
      return refuse('malformed_request', 'The request is not valid HTTP.');
  }
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
