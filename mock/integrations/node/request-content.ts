import type { IncomingMessage } from 'node:http';
import type { RequestContent } from '../../http/message.ts';
import { isContentIgnored } from '../../../contract/openapi/operation.ts';
import { type Refusal, refuse } from '../../operation/response/refusal.ts';
import { createContentCollector } from '../in-process/content-collector.ts';

/** Bytes of the request bodies in transit, over all connections. */
export const mostReceiving = 128 * 1024 * 1024;

/** A request brings a body that is read. */
export function hasContent({ method = 'GET', headers }: IncomingMessage): boolean {
  return (
    !isContentIgnored(method) &&
    (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0')
  );
}

/** How much of bodies is being received at once, over all connections. */
export class Receiving {
  #bytes = 0;

  /** Adds bytes; false where that is more than is received at once, and then they are not added. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > mostReceiving) return false;
    this.#bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** What becomes of a body. */
interface Reading {
  /** Bytes of the largest body that is kept. */
  readonly most: number;
  readonly receiving: Receiving;
  /**
   * Takes the body, or `too-large` as soon as it is known to have more bytes than that; the rest is
   * read and dropped.
   */
  readonly done: (content: RequestContent) => void;
  /** More is received at once than may be; the rest is read and dropped. */
  readonly crowded: () => void;
}

/** Reads the body of a request. */
export function readContent(
  request: IncomingMessage,
  { most, receiving, done, crowded }: Reading,
): void {
  if (Number(request.headers['content-length']) > most) {
    done('too-large');
    return;
  }
  const collector = createContentCollector(most);
  let taken = 0;
  const leave = (): void => {
    receiving.give(taken);
    request.off('data', onData).off('end', onEnd).off('close', leave);
  };
  const onData = (chunk: Buffer): void => {
    const isRoom = receiving.take(chunk.length);
    if (isRoom) taken += chunk.length;
    if (isRoom && collector.add(chunk)) return;
    leave();
    request.resume();
    if (isRoom) done('too-large');
    else crowded();
  };
  const onEnd = (): void => {
    leave();
    done(collector.content());
  };
  request
    .on('data', onData)
    .on('end', onEnd)
    .on('close', leave)
    .on('error', () => {});
}

/** The refusal of a body where more are being received than may be. */
export function refuseCrowd(): Refusal {
  const most = mostReceiving / 2 ** 20;
  return refuse(
    'memory',
    `The mock receives at most ${most} MiB of request bodies at once. Try again.`,
  );
}
