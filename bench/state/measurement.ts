/** How instances of the mock keep their state, and who gets which request. */
export interface StateSetup {
  readonly state: 'in memory' | 'file:' | 'valkey:';
  readonly instances: number;
  /** By the key, as a balancer that hashes it does; by chance, any instance. */
  readonly routing: 'by key' | 'by chance';
}

/** What was measured of one setup; arrays hold one number a round, in the same order everywhere. */
export interface StateResult extends StateSetup {
  /** Additions, 16 of them under way. */
  readonly requestsPerSecond: number[];
  /** Processor time of the instances, without that of the server. */
  readonly cpuMicroseconds: number[];
  /** Additions one after another. */
  readonly medianMilliseconds: number[];
  readonly p99Milliseconds: number[];
}
