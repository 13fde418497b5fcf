/** What something gives a flag: the command line, the environment or the configuration file. */
export interface GivenFlag {
  /** As on a command line; `true` or `false` of a switch. */
  readonly texts: readonly string[];
  /** How errors call it: `--port`, `PETSTORE_MOCK_PORT`, `petstore.config.json:3: /mock/port`. */
  readonly name: string;
}

/** By the name of the flag in its table: `readOnly`. */
export type GivenFlags = ReadonlyMap<string, GivenFlag>;
