import { once } from 'node:events';
import { connect } from 'node:net';
import { responseLength } from '../load/response-length.ts';

/** Milliseconds of each of some requests, one after another on one connection. */
export async function measureLatencies(
  port: number,
  request: string,
  count: number,
): Promise<readonly number[]> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
  await once(socket, 'connect');
  const milliseconds: number[] = [];
  let [pending, started] = ['', 0];
  const all = new Promise<void>((resolve, reject) => {
    socket.on('error', reject).on('close', () => reject(new Error('The server hung up.')));
    const send = (): void => {
      [pending, started] = ['', performance.now()];
      socket.write(request);
    };
    socket.on('data', (text: string) => {
      pending += text;
      const length = responseLength(pending);
      if (length === undefined || pending.length < length) return;
      milliseconds.push(performance.now() - started);
      if (milliseconds.length === count) resolve();
      else send();
    });
    send();
  });
  try {
    await all;
    return milliseconds;
  } finally {
    socket.destroy();
  }
}

/** The least number that this share of some numbers does not exceed. */
export function shareOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}
