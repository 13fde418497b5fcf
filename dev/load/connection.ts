import { once } from 'node:events';
import { type Socket, connect } from 'node:net';

/** A request to send; undefined for no key or body. */
export interface RequestText {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string | undefined;
}

/** The bytes of a request (RFC 9112 section 3). `more`: header lines, each with its line end. */
export function renderRequest({ method, path, key, body }: RequestText, more = ''): string {
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  const content =
    body === undefined
      ? ''
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}${content}${more}\r\n${body ?? ''}`;
}

/** The caller that waits for a response. */
interface Waiting {
  readonly request: string;
  readonly resolve: (status: number) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A connection that sends each request after the previous response, and reconnects when closed. A client
 * library would cost more than the measured server.
 */
export class Connection {
  readonly #port: number;
  #socket: Socket | undefined;
  #waiting: Waiting | undefined;
  #received = '';

  constructor(port: number) {
    this.#port = port;
  }

  /** The status of the response to a request. Rejects if the server closes without one, or sends more. */
  async exchange(request: string): Promise<number> {
    const socket = await this.open();
    return await new Promise((resolve, reject) => {
      this.#waiting = { request, resolve, reject };
      socket.write(request);
    });
  }

  /** The same for a request after which the server closes the connection. Waits until it is closed. */
  async exchangeLast(request: string): Promise<number> {
    const status = await this.exchange(request);
    const socket = this.#socket;
    if (socket !== undefined && !socket.closed) await once(socket, 'close');
    return status;
  }

  /** Sends part of a request and aborts the connection. */
  async breakOff(part: string): Promise<void> {
    const socket = await this.open();
    await new Promise<void>((resolve) => void socket.write(part, () => resolve()));
    socket.resetAndDestroy();
  }

  async open(): Promise<Socket> {
    if (this.#socket?.destroyed === false && this.#socket.writable) return this.#socket;
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    this.#socket = socket;
    await once(socket, 'connect');
    this.#received = '';
    return socket
      .setEncoding('latin1')
      .on('data', (text: string) => this.#read(text))
      .on('error', () => undefined)
      .on('close', () => this.#fail());
  }

  close(): void {
    this.#socket?.destroy();
  }

  #read(text: string): void {
    this.#received += text;
    const length = responseLength(this.#received);
    if (length === undefined || this.#received.length < length) return;
    if (this.#received.length > length) return this.#fail();
    const status = Number(this.#received.slice(9, 12));
    this.#received = '';
    this.#waiting?.resolve(status);
  }

  /** Has no effect on a request that has its response. */
  #fail(): void {
    const text = `${this.#waiting?.request.slice(0, 500)}\n${this.#received.slice(0, 500)}`;
    this.#waiting?.reject(new Error(`There is not one response to:\n${text}`));
  }
}

/**
 * Length of the first HTTP/1.1 response in a text with one character per byte; undefined if it is
 * incomplete.
 */
export function responseLength(text: string): number | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return headEnd + 4 + Number(length);
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return headEnd + 4;
  const end = text.indexOf('\r\n0\r\n\r\n', headEnd);
  return end < 0 ? undefined : end + 7;
}
