import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../load.ts';
import { fetchText } from './file.ts';
import { maxBytes } from './tree.ts';

/** The errors of a document that refers to a file on a server. */
async function errorsOf(serve: RequestListener): Promise<readonly string[]> {
  const server = createServer(serve).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const { port } = typeof address === 'object' && address !== null ? address : { port: 0 };
  const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths: {}
components: { schemas: { A: { $ref: 'http://127.0.0.1:${port}/a.yaml' } } }
`;
  const { diagnostics } = await loadContract({ text }, { allowNetwork: true });
  return diagnostics.map(({ message }) => message.replace(String(port), 'PORT'));
}

test('a referenced file on a server is read', async () => {
  expect(await errorsOf((_request, response) => response.end('type: string'))).toEqual([]);
});

test('nothing is fetched once the time for all references is over', async () => {
  await expect(fetchText('http://127.0.0.1:9/a.yaml', AbortSignal.abort())).rejects.toThrow(
    'http://127.0.0.1:9/a.yaml cannot be fetched: its references take more than 30 s together',
  );
});

test('a referenced file on a server is read no further than the largest document', async () => {
  let sent = 0;
  const errors = await errorsOf((_request, response) => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    const send = (): void => {
      while (!response.destroyed && sent < 4 * maxBytes) {
        sent += chunk.length;
        if (!response.write(chunk)) return;
      }
    };
    response.on('drain', send);
    send();
  });
  expect(errors).toContain(`http://127.0.0.1:PORT/a.yaml has more than ${maxBytes} bytes`);
  expect(sent).toBeLessThan(2 * maxBytes);
});

test('a referenced file on a server must be UTF-8', async () => {
  const errors = await errorsOf((_request, response) => response.end(Buffer.from([0x61, 0xff])));
  expect(errors).toContain('the file is not UTF-8');
});
