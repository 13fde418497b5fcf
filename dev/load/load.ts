import { Connection } from './connection.ts';

export interface LoadJob {
  readonly port: number;
  readonly request: string;
  /** The status of each response; any other ends the run. */
  readonly status: number;
  readonly milliseconds: number;
  readonly connections: number;
}

export interface LoadRun {
  readonly requests: number;
  readonly milliseconds: number;
  /** Processor time of the client: if it is close to `milliseconds`, the client was the bottleneck. */
  readonly clientMilliseconds: number;
}

/** Sends a request again and again over some connections. Rejects for any unexpected response. */
export async function load(job: LoadJob): Promise<LoadRun> {
  const connections = Array.from({ length: job.connections }, () => new Connection(job.port));
  await Promise.all(connections.map((connection) => connection.open()));
  const cpu = process.cpuUsage();
  const started = performance.now();
  const end = started + job.milliseconds;
  let requests = 0;
  const drive = async (connection: Connection): Promise<void> => {
    while (performance.now() < end) {
      const status = await connection.exchange(job.request);
      if (status !== job.status)
        throw new Error(`The status was ${status}, not ${job.status}:\n${job.request}`);
      requests += 1;
    }
  };
  try {
    await Promise.all(connections.map(drive));
  } finally {
    for (const connection of connections) connection.close();
  }
  const { user, system } = process.cpuUsage(cpu);
  const milliseconds = performance.now() - started;
  return { requests, milliseconds, clientMilliseconds: (user + system) / 1000 };
}

/** Sends enough requests to warm up a server, even on a busy machine; a slow one gets fewer. */
export async function warmUp(job: LoadJob, least: number): Promise<void> {
  const end = performance.now() + 5 * job.milliseconds;
  let requests = 0;
  while (requests < least && performance.now() < end) requests += (await load(job)).requests;
}
