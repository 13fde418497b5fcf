import { type LoadJob, type LoadRun, load } from './load.ts';

/** What the client process answers to a job: the run, or why there is none. */
export type ClientReply = LoadRun | { readonly fault: string };

/** The client process: runs each job that its parent sends. */
async function run(job: LoadJob): Promise<ClientReply> {
  try {
    return await load(job);
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (job: LoadJob) => {
  void run(job).then((reply) => process.send?.(reply));
});
