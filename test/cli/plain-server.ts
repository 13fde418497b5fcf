import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import { onTestFinished } from 'vitest';

/** A server on a free port until the test ends. @returns its base URL, with a version segment */
export async function startPlainServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
}
