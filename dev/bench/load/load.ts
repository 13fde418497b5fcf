import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { responseLength } from './response-length.ts';

export interface LoadJob {
  readonly port: number;
  readonly request: string;
  /** The status of each response; any other ends the run. */
  readonly status: number;
  readonly milliseconds: number;
  readonly connections: number;
}

/** The same for a server that has to be warm: so many requests, however long they take. */
export interface WarmUp {
  readonly least: number;
  /** A slow server is given so much longer at most. */
  readonly mostMilliseconds: number;
}

export interface LoadRun {
  readonly requests: number;
  readonly milliseconds: number;
  /** Processor time of the client: close to `milliseconds`, it was the client that was measured. */
  readonly clientMilliseconds: number;
}

/** Sends requests until a server has had enough of them to be warm, on a busy machine too. */
export async function warmUp(job: LoadJob, { least, mostMilliseconds }: WarmUp): Promise<void> {
  let [requests, milliseconds] = [0, 0];
  do {
    const run = await load(job);
    requests += run.requests;
    milliseconds += run.milliseconds;
  } while (requests < least && milliseconds < mostMilliseconds);
}

interface Tally {
  requests: number;
  isOver: boolean;
}

/** Sends a request again and again over some connections. Rejects for any unexpected response. */
export async function load(job: LoadJob): Promise<LoadRun> {
  const sockets = await Promise.all(Array.from({ length: job.connections }, () => open(job.port)));
  const tally: Tally = { requests: 0, isOver: false };
  const cpu = process.cpuUsage();
  const started = performance.now();
  const counted = new Promise<LoadRun>((resolve) => {
    setTimeout(() => {
      tally.isOver = true;
      const { user, system } = process.cpuUsage(cpu);
      resolve({
        requests: tally.requests,
        milliseconds: performance.now() - started,
        clientMilliseconds: (user + system) / 1000,
      });
    }, job.milliseconds);
  });
  try {
    await Promise.all(sockets.map((socket) => drive(socket, job, tally)));
    return await counted;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket.setEncoding('latin1');
}

function drive(socket: Socket, { request, status }: LoadJob, tally: Tally): Promise<void> {
  const expected = `HTTP/1.1 ${status} `;
  return new Promise((resolve, reject) => {
    let pending = '';
    const read = (text: string): void => {
      pending += text;
      const length = responseLength(pending);
      if (length === undefined || pending.length < length) return;
      if (pending.length > length || !pending.startsWith(expected))
        throw new Error(`Not the one response of status ${status}:\n${pending}`);
      pending = '';
      tally.requests += 1;
      if (tally.isOver) resolve();
      else socket.write(request);
    };
    socket.on('data', (text: string) => {
      try {
        read(text);
      } catch (error) {
        reject(error);
      }
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The server closed a connection.')));
    socket.write(request);
  });
}
