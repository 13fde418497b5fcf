/**
 * Loaded into the mock with `--import`: answers each message of the parent process with what the
 * mock uses once everything unreachable was collected.
 */
export interface Usage {
  readonly heapBytes: number;
  /** What keeps the process running, sorted: `TCPServerWrap`, `TCPSocketWrap`, ... */
  readonly resources: readonly string[];
}

process.on('message', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const resources = process.getActiveResourcesInfo().toSorted();
  const usage: Usage = { heapBytes: process.memoryUsage().heapUsed, resources };
  process.send?.(usage);
});
// The mock ends as it does without a parent.
process.channel?.unref();
