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

/** Longer bodies are left to `node:http`, where those are counted that wait for their clients. */
const mostCharacters = 16_384;

/** Lines of so many fields are remembered; a document has few. */
const mostFields = 1000;

/** A field as it was rendered last: the value of most is always the same. */
interface KnownLine {
  value: string;
  line: string;
}

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
  const renderLine = createLines();
  return ({ status, headers, body, delivery }, method) => {
    if (delivery !== undefined || status < 200 || body.length > mostCharacters) return undefined;
    let text = `HTTP/1.1 ${status} ${phrases[status] ?? 'unknown'}\r\n`;
    for (let at = 0; at < headers.length; at += 2) {
      const line = renderLine(headers[at] ?? '', headers[at + 1] ?? '');
      if (line === undefined) return undefined;
      text += line;
    }
    const length = Buffer.byteLength(body);
    if (status !== 204) text += `Content-Length: ${length}\r\n`;
    text += end;
    if (method !== 'HEAD' && status !== 204 && status !== 304) text += body;
    return { text, encoding: length === body.length ? 'latin1' : 'utf8' };
  };
}

/** Renders a field as a line; undefined for one that is not plain. */
function createLines(): (name: string, value: string) => string | undefined {
  const known = new Map<string, KnownLine>();
  return (name, value) => {
    const last = known.get(name);
    if (last?.value === value) return last.line;
    if (/[^\t\x20-\x7E]/.test(value)) return undefined;
    // In one piece: a text that is kept as its parts is put together again for every response.
    const line = [name, ': ', value, '\r\n'].join('');
    if (last !== undefined) {
      last.value = value;
      last.line = line;
      return line;
    }
    if (!/^[a-z\d-]+$/i.test(name) || framingFields.test(name)) return undefined;
    if (known.size < mostFields) known.set(name, { value, line });
    return line;
  };
}
