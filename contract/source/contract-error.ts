import type { Diagnostic, DocumentIssue } from './diagnostic.ts';

/** The document cannot be used as a contract. Its message has one line for each issue. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly issues: readonly DocumentIssue[];

  constructor(issues: readonly DocumentIssue[], options?: ErrorOptions) {
    super(issues.map(renderDocumentIssue).join('\n'), options);
    this.issues = issues;
  }
}

/** One line: `petstore.yaml#/paths: has no operation`; no pointer for the whole file. */
export function renderDocumentIssue({ source, pointer, reason }: DocumentIssue): string {
  return `${source}${pointer === '#' ? '' : pointer}: ${reason}`;
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
