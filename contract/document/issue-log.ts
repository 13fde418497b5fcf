import { ContractError } from './contract-error.ts';
import type { DocumentIssue } from './issue.ts';

/** Collects findings about one document while it is compiled. */
export interface IssueLog {
  readonly errors: readonly DocumentIssue[];
  readonly warnings: readonly DocumentIssue[];
  readonly error: (pointer: string, reason: string) => void;
  readonly warn: (pointer: string, reason: string) => void;
  /** Takes over errors that were found elsewhere. */
  readonly add: (errors: readonly DocumentIssue[]) => void;
}

export function createIssueLog(source: string): IssueLog {
  const errors: DocumentIssue[] = [];
  const warnings: DocumentIssue[] = [];
  return {
    errors,
    warnings,
    error: (pointer, reason) => void errors.push({ source, pointer, reason }),
    warn: (pointer, reason) => void warnings.push({ source, pointer, reason }),
    add: (found) => void errors.push(...found),
  };
}

/** The issues, each once: a thing that is referenced often has its issues as often. */
export function distinctIssues(issues: readonly DocumentIssue[]): readonly DocumentIssue[] {
  const seen = new Map(
    issues.map((issue) => [`${issue.source} ${issue.pointer} ${issue.reason}`, issue]),
  );
  return [...seen.values()];
}

/** Throws a ContractError with the issues, each once, where there are any. */
export function refuseIssues(issues: readonly DocumentIssue[]): void {
  if (issues.length > 0) throw new ContractError(distinctIssues(issues));
}
