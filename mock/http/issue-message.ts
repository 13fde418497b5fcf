import type { Issue } from '../../contract/schema/schema-node.ts';
import { parsePointer } from '../../contract/json/pointer.ts';

const mostIssues = 5;

/** The issues of a body in words, with JSON pointers: `name is required (at /name)`. */
export function renderIssues(issues: readonly Issue[]): string {
  const parts = issues.slice(0, mostIssues).map(renderIssue);
  const left = issues.length - parts.length;
  return left > 0 ? `${parts.join('; ')}; and ${left} more` : parts.join('; ');
}

function renderIssue({ at, message }: Issue): string {
  if (at === '') return `The body ${message}`;
  return `${parsePointer(at).at(-1)} ${message} (at ${at})`;
}
