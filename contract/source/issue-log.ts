import { ContractError } from './contract-error.ts';
import type { DocumentIssue } from './issue.ts';
import { mostDiagnostics } from './bounds.ts';

/** Collects findings about one document while it is compiled. */
export interface IssueLog {
  readonly errors: readonly DocumentIssue[];
  readonly warnings: readonly DocumentIssue[];
  /** The part is set aside. `remedy`: a sentence. */
  readonly error: (pointer: string, reason: string, remedy?: string) => void;
  /** Without a remedy it may well be meant so, and is told as a hint. */
  readonly warn: (pointer: string, reason: string, remedy?: string) => void;
  /** Takes over errors that were found elsewhere. */
  readonly add: (errors: readonly DocumentIssue[]) => void;
}

/** Told of each finding when it is made. */
export type IssueListener = (
  pointer: string,
  finding: {
    readonly level: 'error' | 'warning' | 'hint';
    readonly reason: string;
    readonly remedy: string;
  },
) => void;

export function createIssueLog(source: string, tell: IssueListener = () => {}): IssueLog {
  const errors: DocumentIssue[] = [];
  const warnings: DocumentIssue[] = [];
  const error: IssueLog['error'] = (
    pointer,
    reason,
    remedy = 'Correct it; until then it is left out.',
  ) => {
    keep(errors, { source, pointer, reason });
    tell(pointer, { level: 'error', reason, remedy });
  };
  return {
    errors,
    warnings,
    error,
    warn: (pointer, reason, remedy) => {
      keep(warnings, { source, pointer, reason });
      tell(
        pointer,
        remedy === undefined
          ? { level: 'hint', reason, remedy: 'Look whether it is meant so.' }
          : { level: 'warning', reason, remedy },
      );
    },
    add: (found) => {
      for (const { pointer, reason } of found) error(pointer, reason);
    },
  };
}

/** Those that nobody would read are not kept. */
function keep(list: DocumentIssue[], issue: DocumentIssue): void {
  if (list.length < mostDiagnostics) list.push(issue);
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
