import type { ServerResponse } from 'node:http';
import type { TrafficFailure } from '../judge/traffic-judge.ts';

/** Answers with a problem (RFC 9457), in the place of the target. */
export function sendProblem(
  response: ServerResponse,
  status: 403 | 404 | 502,
  title: string,
  members: Readonly<Record<string, unknown>> = {},
): void {
  const body = JSON.stringify({ type: 'about:blank', title, status, ...members });
  const fields = { 'content-type': 'application/problem+json' };
  response.writeHead(status, { ...fields, 'content-length': Buffer.byteLength(body) }).end(body);
}

/** The findings as members of a problem: each requirement with its place in the document. */
export function renderFindings(failures: readonly TrafficFailure[]): readonly object[] {
  return failures.map(({ requirement, expected, received }) => ({
    requirement: requirement.id,
    sentence: requirement.sentence,
    pointer: requirement.pointer,
    expected,
    received,
  }));
}
