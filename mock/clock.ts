/** Where the mock takes the time from. Everything that depends on time asks it, so moving it moves all. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };
