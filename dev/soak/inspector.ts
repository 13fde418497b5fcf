import { setTimeout as sleep } from 'node:timers/promises';

/** Looks into a Node.js process from outside, by its inspector (Chrome DevTools Protocol). */
export interface Inspector {
  /** Bytes of the heap that are in use after everything unreachable was collected. */
  readHeapBytes(): Promise<number>;
  /** What keeps the process running, sorted: `TCPServerWrap`, `TCPSocketWrap`, ... */
  readResources(): Promise<readonly string[]>;
  close(): void;
}

/** Arguments of Node.js by which a process is open to inspection, without a word on its output. */
export function inspectable(port: number): readonly string[] {
  return [`--inspect=127.0.0.1:${port}`, '--inspect-publish-uid=http'];
}

/** Connects to the inspector at a loopback port. Rejects if there is none within 10 seconds. */
export async function openInspector(port: number): Promise<Inspector> {
  const socket = new WebSocket(await findUrl(port));
  await new Promise<void>((resolve, reject) => {
    const fail = (): void => reject(new Error('The inspector cannot be reached.'));
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('error', fail, { once: true });
  });
  let id = 0;
  const call = async (method: string, params: object = {}): Promise<Reply> => {
    id += 1;
    const reply = nextReply(socket, id);
    socket.send(JSON.stringify({ id, method, params }));
    return await reply;
  };
  return {
    close: () => socket.close(),
    async readHeapBytes() {
      await call('HeapProfiler.collectGarbage');
      await call('HeapProfiler.collectGarbage');
      return (await call('Runtime.getHeapUsage')).usedSize ?? Number.NaN;
    },
    async readResources() {
      const expression = 'JSON.stringify(process.getActiveResourcesInfo().toSorted())';
      const resources: readonly string[] = JSON.parse(
        (await call('Runtime.evaluate', { expression })).result?.value ?? '[]',
      );
      return resources;
    },
  };
}

interface Reply {
  readonly usedSize?: number;
  readonly result?: { readonly value?: string };
}

interface Message {
  readonly id?: number;
  readonly result?: Reply;
  readonly error?: { readonly message: string };
}

function nextReply(socket: WebSocket, id: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const { signal } = stop;
    socket.addEventListener(
      'message',
      ({ data }) => {
        const message: Message = JSON.parse(String(data));
        if (message.id !== id) return;
        stop.abort();
        if (message.result === undefined) reject(new Error(message.error?.message));
        else resolve(message.result);
      },
      { signal },
    );
    socket.addEventListener('close', () => reject(new Error('The process ended.')), { signal });
  });
}

async function findUrl(port: number): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined);
    const targets: readonly { readonly webSocketDebuggerUrl: string }[] =
      response === undefined ? [] : JSON.parse(await response.text());
    if (targets[0] !== undefined) return targets[0].webSocketDebuggerUrl;
    await sleep(100);
  }
  throw new Error('The process cannot be inspected.');
}
