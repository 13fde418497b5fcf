import type { MockResponse } from '../../http/message.ts';

/** A response as one text for a connection. */
export interface PlainResponse {
  readonly text: string;
  /** `latin1` where all is ASCII: it is written faster. */
  readonly encoding: 'latin1' | 'utf8';
}

/** The text of a response to a method; undefined for one that is for `node:http` to send. */
export type RenderPlainResponse = (
  response: MockResponse,
  method: string,
) => PlainResponse | undefined;

/** Fields that say how a message is framed, or what becomes of its connection. */
const framingFields =
  /^(?:connection|content-length|keep-alive|trailer|transfer-encoding|upgrade)$/i;

/** Fields that were found to be plain are remembered; a document has few. */
const mostFields = 1000;

/**
 * Renders responses as `node:http` does, byte for byte.
 *
 * @param phrases reason phrases by status
 * @param seconds for which an idle connection stays open
 */
export function createPlainRenderer(
  phrases: Readonly<Record<number, string | undefined>>,
  seconds: number,
): RenderPlainResponse {
  const end = `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`;
  /** The first value of each: that of most fields is always the same. */
  const known = new Map<string, string>();
  const isPlain = (name: string, value: string): boolean => {
    const first = known.get(name);
    if (first === value) return true;
    if (/[^\t\x20-\x7E]/.test(value)) return false;
    if (first !== undefined) return true;
    if (!/^[a-z\d-]+$/i.test(name) || framingFields.test(name)) return false;
    if (known.size < mostFields) known.set(name, value);
    return true;
  };
  return ({ status, headers, body, delivery }, method) => {
    if (delivery !== undefined || status < 200) return undefined;
    let text = `HTTP/1.1 ${status} ${phrases[status] ?? 'unknown'}\r\n`;
    for (let at = 0; at < headers.length; at += 2) {
      const name = headers[at] ?? '';
      const value = headers[at + 1] ?? '';
      if (!isPlain(name, value)) return undefined;
      text += `${name}: ${value}\r\n`;
    }
    const length = Buffer.byteLength(body);
    if (status !== 204) text += `Content-Length: ${length}\r\n`;
    text += end;
    if (method !== 'HEAD' && status !== 204 && status !== 304) text += body;
    return { text, encoding: length === body.length ? 'latin1' : 'utf8' };
  };
}
