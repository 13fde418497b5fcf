/** How far the rules let a client go: its clock, timers and network are not those of the mock. */
export const limits = {
  /** Milliseconds that a wait in seconds may be too short: timers fire early, clocks tick. */
  early: 100,
  /** Milliseconds that a wait until a date or a time in whole seconds may be too short. */
  earlyDate: 500,
  /** Milliseconds after a response within which the next request may have been on its way. */
  onTheWay: 100,
  /** The same where the request is the same as the one answered: rather the next try. */
  onTheWayAgain: 10,
  /** The same where its connection was opened before the response: a slow machine needs longer. */
  onTheWayOpened: 1000,
  /** Waits in a row that it takes to see whether they grow. */
  waits: 3,
  /** How many times as long as one before it a wait has to be for the waits to grow. */
  growth: 1.1,
  /** And by how many milliseconds: less is the chance of timers. */
  growthLeast: 50,
  /** Requests in a row with a key that is answered 401. */
  refusedKey: 3,
  /** Repetitions of a request that may have been done. */
  repeats: 1,
} as const;
