/** One finding about the document itself. */
export interface DocumentIssue {
  readonly source: string;
  /** JSON pointer into the document, `#/...`. */
  readonly pointer: string;
  readonly reason: string;
}
