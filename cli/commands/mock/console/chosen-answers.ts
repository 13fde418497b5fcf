/** How the mock was told to answer what the document leaves open. */
export interface ChosenAnswers {
  /** Choices other than the document's default, by question. */
  readonly choices: Readonly<Record<string, string>>;
  /** What was taken from a report; undefined where none was given. */
  readonly like: TakenAnswers | undefined;
}

/** What a report had to say, by question. */
export interface TakenAnswers {
  readonly file: string;
  /** Choices of it that the mock makes, the document's defaults included. */
  readonly taken: Readonly<Record<string, string>>;
  /** Why others could not be taken, a line each. */
  readonly leftOut: readonly string[];
}
