import { createControlClient } from '../../mock/control/client.ts';
import { runPetstore } from '../../cli/main.ts';
import { stripColours } from './picture.ts';

/** A request of the recording, and what is done to a sandbox before it. */
interface Scene {
  /** What it shows, for readers of the page. */
  readonly about: string;
  readonly key?: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly before?: (control: ReturnType<typeof createControlClient>) => Promise<unknown>;
}

export const scenes: readonly Scene[] = [
  {
    about: 'A list, with one of the keys that are printed at the start.',
    key: 'demo-free',
    path: '/pets?limit=2',
  },
  {
    about: 'An addition.',
    key: 'demo-free',
    method: 'POST',
    path: '/pets',
    body: '{"name":"Rex","categoryId":1}',
  },
  {
    about: 'An addition that is refused, with every reason and its place.',
    key: 'demo-free',
    method: 'POST',
    path: '/pets',
    body: '{"name":7,"status":"gone"}',
  },
  { about: 'An animal that is not there.', key: 'demo-free', path: '/pets/99' },
  {
    about: 'A key that nobody was given. The log shows no keys.',
    key: 'nobody-knows-me',
    path: '/pets',
  },
  {
    about: "A key of one's own: the sandbox `alice`.",
    key: 'free_alice',
    path: '/pets?status=sold',
  },
  {
    about: 'What a browser asks before an addition.',
    method: 'OPTIONS',
    path: '/pets',
    headers: { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' },
  },
  {
    about: 'The requests of the minute are spent.',
    key: 'free_alice',
    path: '/pets',
    before: (control) =>
      control.call('setQuota', { sandbox: 'alice', plan: 'free', body: { used: { minute: 60 } } }),
  },
  {
    about: 'A fault that was asked for in the sandbox `bob`.',
    key: 'pro_bob',
    path: '/pets',
    before: (control) =>
      control.call('addFault', {
        sandbox: 'bob',
        body: { operation: 'listPets', status: 503, count: 1 },
      }),
  },
  {
    about: 'A response that the request itself asks for.',
    key: 'pro_bob',
    path: '/pets',
    headers: { Prefer: 'code=429' },
  },
  {
    about: 'The day on which an operation goes.',
    key: 'pro_bob',
    path: '/pets/1',
    before: (control) =>
      control.call('setClock', { sandbox: 'bob', body: { now: '2030-12-05T00:00:00Z' } }),
  },
];

/** Where the recording's time stands. */
const NOON = '2026-06-01T12:00:00Z';

/**
 * Runs `petstore mock` on a free port, plays the scenes, and gives all that its terminal, of 100
 * columns, gets.
 */
export async function recordConsole(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const stop = new AbortController();
  const ready = Promise.withResolvers<string>();
  let text = '';
  const write = (part: string): void => {
    text += part;
    const url = /mocked at (http[\w.:/]+)\n/.exec(stripColours(text))?.[1];
    if (url !== undefined) ready.resolve(url);
  };
  const ended = runPetstore(['mock', '--port', '0', '--no-watch'], {
    stdout: { write, isTTY: true, columns: 100 },
    stderr: { write },
    env,
    signal: stop.signal,
  });
  const url = await Promise.race([
    ready.promise,
    ended.then(() => Promise.reject(new Error(text))),
  ]);
  await playScenes(url);
  stop.abort();
  await ended;
  return text.replaceAll(new URL(url).host, '127.0.0.1:4010');
}

async function playScenes(url: string): Promise<void> {
  const control = createControlClient(url);
  for (const sandbox of ['main', 'alice', 'bob'])
    await control.call('setClock', { sandbox, body: { now: NOON, frozen: true } });
  for (const { before, key, method = 'GET', path, headers, body } of scenes) {
    await before?.(control);
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    await response.arrayBuffer();
  }
}
