import type { DocumentIssue } from './contract.ts';

/**
 * The document cannot be used as a contract. Its message has one line for each issue: file, pointer, reason.
 */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly issues: readonly DocumentIssue[];

  constructor(issues: readonly DocumentIssue[], options?: ErrorOptions) {
    super(issues.map(renderDocumentIssue).join('\n'), options);
    this.issues = issues;
  }
}

/** One line: `petstore.yaml#/paths: has no operation`. */
export function renderDocumentIssue(issue: DocumentIssue): string {
  return `${issue.source}${issue.pointer}: ${issue.reason}`;
}
