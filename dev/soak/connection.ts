import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { responseLength } from '../bench/load/response-length.ts';

/** A connection on which each request follows the response before it; it is opened anew where it was closed. */
export class Connection {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** The status of the response to a request. Rejects if the server closes without one. */
  async exchange(request: string): Promise<number> {
    const socket = await this.#open();
    return await new Promise((resolve, reject) => {
      let received = '';
      const read = (text: string): void => {
        received += text;
        const length = responseLength(received);
        if (length === undefined || received.length < length) return;
        socket.off('data', read).off('close', fail);
        resolve(Number(received.slice(9, 12)));
      };
      const message = 'The server closed a connection without a response to:';
      const fail = (): void => reject(new Error(`${message}\n${request.slice(0, 500)}`));
      socket.on('data', read).once('close', fail);
      socket.write(request);
    });
  }

  /** The same for a request after which the server closes the connection. Waits until it has. */
  async exchangeLast(request: string): Promise<number> {
    const status = await this.exchange(request);
    const socket = this.#socket;
    if (socket !== undefined && !socket.closed) await once(socket, 'close');
    return status;
  }

  /** Sends a part of a request and breaks off the connection. */
  async breakOff(part: string): Promise<void> {
    const socket = await this.#open();
    await new Promise<void>((resolve) => void socket.write(part, () => resolve()));
    socket.resetAndDestroy();
  }

  close(): void {
    this.#socket?.destroy();
  }

  async #open(): Promise<Socket> {
    if (this.#socket?.destroyed === false && this.#socket.writable) return this.#socket;
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    this.#socket = socket;
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    return socket.setEncoding('latin1');
  }
}
