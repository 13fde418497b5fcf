import type { IncomingMessage } from 'node:http';
import type { RequestContent } from '../../http/message.ts';
import { createContentCollector } from '../in-process/content-collector.ts';

/** A body on any other method has no meaning (RFC 9110 section 9.3.1), and is left unread. */
const methodsWithContent = new Set<string | undefined>(['POST', 'PUT', 'PATCH', 'DELETE']);

/** A request brings a body that is read. */
export function hasContent({ method, headers }: IncomingMessage): boolean {
  return (
    methodsWithContent.has(method) &&
    (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0')
  );
}

/**
 * Hands over the body, or `too-large` as soon as it is known to have more than so many bytes; the rest
 * is read and dropped.
 */
export function readContent(
  request: IncomingMessage,
  most: number,
  done: (content: RequestContent) => void,
): void {
  if (Number(request.headers['content-length']) > most) {
    done('too-large');
    return;
  }
  const collector = createContentCollector(most);
  const onData = (chunk: Buffer): void => {
    if (collector.add(chunk)) return;
    request.off('data', onData).off('end', onEnd).resume();
    done('too-large');
  };
  const onEnd = (): void => done(collector.content());
  request
    .on('data', onData)
    .on('end', onEnd)
    .on('error', () => {});
}
