import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingMessage,
  request as plainRequest,
  type Agent,
} from 'node:http';
import { request as secureRequest } from 'node:https';
import { pairsOf, passOn, type RawFields, valuesOf, withField } from './fields.ts';

/** Where requests go, and over which connections. */
export interface Destination {
  readonly origin: URL;
  readonly agent: Agent;
}

/** Bytes of the fields of a message that are taken: more than servers do, who are to refuse them. */
export const maxFieldBytes = 128 * 1024;

/** Methods of which Node frames no body that nobody announced. */
const bodiless = /^(GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT)$/;

/** Whether a request says that a body follows (RFC 9112 section 6.3). */
export function hasBody(fields: RawFields): boolean {
  if (valuesOf(fields, 'transfer-encoding').length > 0) return true;
  return valuesOf(fields, 'content-length').some((length) => Number(length) > 0);
}

/**
 * Opens the request to the target that stands for one of a client: the same method, target and
 * fields, in the same order and case, but for `Host`, which names the target, and those of the
 * connection. A request without a body whose method has one as a rule says `Content-Length: 0`, as
 * it should (RFC 9110 section 8.6).
 */
export function openRequest(
  { method = 'GET', url = '/', rawHeaders }: IncomingMessage,
  { origin, agent }: Destination,
): ClientRequest {
  const open = origin.protocol === 'https:' ? secureRequest : plainRequest;
  return open({
    protocol: origin.protocol,
    hostname: origin.hostname.replace(/^\[|\]$/g, ''),
    port: origin.port,
    method,
    path: pathOf(url),
    headers: composeFields(method, rawHeaders, origin.host),
    agent,
    maxHeaderSize: maxFieldBytes,
  });
}

function composeFields(method: string, raw: RawFields, host: string): string[] {
  const fields = [...withField(passOn(raw), 'Host', host)];
  if (valuesOf(raw, 'transfer-encoding').length > 0) fields.push('Transfer-Encoding', 'chunked');
  else if (!bodiless.test(method) && valuesOf(raw, 'content-length').length === 0)
    fields.push('Content-Length', '0');
  return fields;
}

/** Path and query of a request target; of one in absolute form, without the origin. */
export function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}

/** Passes a body on as it comes, and its trailer fields after it. */
export function passBody(
  from: IncomingMessage,
  to: OutgoingMessage & { addTrailers(fields: [string, string][]): void },
  onChunk: (chunk: Buffer) => void,
): void {
  const wait = (): void => {
    from.pause();
    to.once('drain', () => from.resume());
  };
  from.on('data', (chunk: Buffer) => {
    onChunk(chunk);
    // Where nobody takes it any more, the rest is left.
    if (to.destroyed) from.pause();
    else if (!to.write(chunk)) wait();
  });
  if (to.writableNeedDrain) wait();
  else from.resume();
  from.once('end', () => {
    if (to.destroyed) return;
    if (from.rawTrailers.length > 0)
      to.addTrailers(
        pairsOf(from.rawTrailers).map(([name, value]): [string, string] => [name, value]),
      );
    to.end();
  });
}
