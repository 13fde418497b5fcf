import { type Socket, connect } from 'node:net';
import type { MockResponse } from '../../../mock/index.ts';

/** What came over a connection. */
export interface Received {
  readonly responses: readonly MockResponse[];
  /** It was closed, and what is left is no whole response. */
  readonly end: 'open' | 'closed' | 'late';
}

/** Milliseconds after which nothing more is expected. */
const patience = 30_000;

/** A connection that is opened anew when it is closed; it keeps no more than one response. */
export class HostileConnection {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** One response to a request. */
  async exchange(bytes: Buffer, method: string): Promise<Received> {
    const isUsed = this.#socket?.destroyed === false;
    const received = await this.#exchange(bytes, method, 'one');
    // The server may have closed an idle connection meanwhile (RFC 9112 section 9.3.1).
    if (received.responses.length > 0 || received.end !== 'closed' || !isUsed) return received;
    return await this.#exchange(bytes, method, 'one');
  }

  /** All responses to what is sent, on a connection of its own that this side closes. */
  async exchangeAll(bytes: Buffer, method: string): Promise<Received> {
    this.close();
    const received = await this.#exchange(bytes, method, 'all');
    this.close();
    return received;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    if (this.#socket?.destroyed === false && this.#socket.writable) return this.#socket;
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    socket.on('error', () => undefined);
    this.#socket = socket;
    return socket;
  }

  async #exchange(bytes: Buffer, method: string, wanted: 'one' | 'all'): Promise<Received> {
    const socket = this.#open();
    return await new Promise((resolve) => {
      let chunks: Buffer[] = [];
      let length = 0;
      let least = 0;
      const finish = (end: Received['end']): void => {
        clearTimeout(timer);
        socket.off('data', read).off('close', close);
        const { responses, isLast } = readResponses(Buffer.concat(chunks), method);
        if (isLast || end !== 'open') this.close();
        resolve({ responses, end });
      };
      const read = (chunk: Buffer): void => {
        chunks.push(chunk);
        length += chunk.length;
        if (wanted === 'all' || length < least) return;
        const whole = Buffer.concat(chunks);
        chunks = [whole];
        const { responses, needed } = readResponses(whole, method);
        least = needed;
        if (responses.length > 0) finish('open');
      };
      const close = (): void => finish('closed');
      const timer = setTimeout(() => finish('late'), patience);
      socket.on('data', read).once('close', close);
      if (wanted === 'all') socket.end(bytes);
      else socket.write(bytes);
    });
  }
}

/** The whole responses in bytes, interim ones left out, and how many bytes there are to be. */
function readResponses(
  bytes: Buffer,
  method: string,
): {
  readonly responses: readonly MockResponse[];
  readonly needed: number;
  readonly isLast: boolean;
} {
  const responses: MockResponse[] = [];
  let isLast = false;
  let at = 0;
  while (at < bytes.length) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (headEnd < 0) return { responses, needed: bytes.length + 1, isLast };
    const [start = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1]);
    const headers = lines.flatMap((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    const told = headers[headers.findIndex((text) => /^content-length$/i.test(text)) + 1];
    const isChunked = /\r\ntransfer-encoding: *chunked/i.test(`\r\n${lines.join('\r\n')}`);
    const isBodiless = method === 'HEAD' || status === 204 || status === 304 || status < 200;
    const length = isBodiless || isChunked ? 0 : Number(told ?? 0);
    const end = headEnd + 4 + length;
    if (bytes.length < end) return { responses, needed: end, isLast };
    if (status >= 200 || Number.isNaN(status))
      responses.push({ status, headers, body: bytes.toString('utf8', headEnd + 4, end) });
    isLast = /\r\nconnection: *close/i.test(`\r\n${lines.join('\r\n')}`) || isChunked;
    at = end;
  }
  return { responses, needed: bytes.length + 1, isLast };
}
