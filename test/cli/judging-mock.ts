import { type ControlClient, type Run, createControlClient } from '../../mock/control/client.ts';
import { readEvents } from '../../mock/control/client.ts';
import { startCommand } from './command.ts';

/** A running `petstore mock`, and what it printed. */
export interface MockOfPage extends AsyncDisposable {
  readonly origin: string;
  /** Base URL of the service. */
  readonly url: string;
  readonly control: ControlClient;
  /** All responses of the control interface, and its events. */
  readonly reported: () => string;
  /** Its output. */
  readonly printed: () => string;
  /** The run once it has ended. */
  readonly endOf: (run: Run) => Promise<Run>;
  /** The states of a run in its events, in order. */
  readonly movesOf: (id: string) => readonly Run[];
}

/** Starts `petstore mock` on a free port, and listens to its events. */
export async function startJudgingMock(...argv: readonly string[]): Promise<MockOfPage> {
  const command = startCommand('mock', '--port', '0', '--no-watch', ...argv);
  const [url = ''] = await command.printed(/https?:\/\/127\.0\.0\.1:\d+[^\s']*/);
  const { origin } = new URL(url);
  const texts: string[] = [];
  const moves: Run[] = [];
  const waiting = new Map<string, (run: Run) => void>();
  const control = createControlClient(origin, {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      texts.push(await response.clone().text());
      return response;
    },
  });
  const stopped = new AbortController();
  const events = await fetch(`${origin}/_mock/events`, { signal: stopped.signal });
  const listen = async (): Promise<void> => {
    if (events.body === null) return;
    for await (const { name, data } of readEvents(events.body)) {
      texts.push(data);
      if (name !== 'run') continue;
      const run: Run = JSON.parse(data);
      moves.push(run);
      if (run.state !== 'running') waiting.get(run.id)?.(run);
    }
  };
  const listening = listen().catch(() => undefined);
  return {
    origin,
    url,
    control,
    reported: () => texts.join('\n'),
    printed: () => command.stdout() + command.stderr(),
    endOf: async ({ id }) => {
      const ended = moves.find((run) => run.id === id && run.state !== 'running');
      return ended ?? (await new Promise((resolve) => waiting.set(id, resolve)));
    },
    movesOf: (id) => moves.filter((run) => run.id === id),
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await listening;
      await command.stop();
    },
  };
}
