/** One finding about the document itself. */
export interface DocumentIssue {
  readonly source: string;
  /** JSON pointer into the document, `#/...`. */
  readonly pointer: string;
  readonly reason: string;
}

/**
 * `error`: a part of the document is set aside. `warning`: it is read as it was probably meant.
 * `hint`: it is read as written, and could be written better.
 */
export type DiagnosticLevel = 'error' | 'warning' | 'hint';

/** One problem of a document, its place in the text, and what to do about it. */
export interface Diagnostic extends DocumentIssue {
  readonly level: DiagnosticLevel;
  /** One sentence: what would put the document right. */
  readonly remedy: string;
  /** Nobody can say how much of the document is missing: its text ends here, or is broken. */
  readonly isCut: boolean;
  /** From 1; found in the text when it is first asked for. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** One line: `petstore.yaml:3:5 warning #/info: title is missing. Add a title.` */
export function renderDiagnostic(diagnostic: Diagnostic): string {
  const { source, line, column, level, pointer, reason, remedy } = diagnostic;
  const rendered = `${source}:${line}:${column} ${level} ${pointer}: ${sentence(reason)} ${remedy}`;
  return rendered.replaceAll(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));
}

function sentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

/** One line: `petstore.yaml#/paths: has no operation`; no pointer for the whole file. */
export function renderDocumentIssue({ source, pointer, reason }: DocumentIssue): string {
  return `${source}${pointer === '#' ? '' : pointer}: ${reason}`;
}

/** The document cannot be used as a contract. Its message has one line for each issue. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly issues: readonly DocumentIssue[];

  constructor(issues: readonly DocumentIssue[], options?: ErrorOptions) {
    super(issues.map(renderDocumentIssue).join('\n'), options);
    this.issues = issues;
  }
}

/** The error of one issue, by default about the whole file. */
export function documentError(
  source: string,
  reason: string,
  { pointer = '#', cause }: { pointer?: string; cause?: unknown } = {},
): ContractError {
  return new ContractError([{ source, pointer, reason }], { cause });
}

/** Throws a ContractError where there is an error or a warning among the diagnostics. */
export function refuseFaults(diagnostics: readonly Diagnostic[]): void {
  const faults = diagnostics.filter(({ level }) => level !== 'hint');
  const distinct = new Map(faults.map((fault) => [renderDocumentIssue(fault), fault]));
  if (faults.length > 0) throw new ContractError([...distinct.values()]);
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
