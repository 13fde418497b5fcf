import { isJsonObject } from '../../contract/json/value.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import { openMember } from '../../contract/openapi/open-question.ts';
import { limitEdges, mostLimitedMembers } from '../generate/valid-body.ts';
import { withoutIncomplete, type Finding } from './trace/finding.ts';
import { judgeIntents } from './intent.ts';
import type { Trace } from './trace/trace.ts';

/**
 * Judges what is taken as the body of a request: one that breaks its schema in one way is refused,
 * one that keeps it is not.
 */
export function judgeRequest(trace: Trace): Iterable<Finding> {
  return withoutIncomplete(judgeIntents(trace, 'request'), (id) => lacksEdge(id, trace));
}

/** Whether a member whose values have to be accepted has a limit at whose end none was. */
function lacksEdge(id: string, { contract, readings }: Trace): boolean {
  const { subject, operation: wanted } = contract.requirementOf(id) ?? {};
  if (subject?.kind !== 'request' || subject.facet !== 'taken') return false;
  const [name = ''] = subject.path;
  const operation = contract.operations.find((each) => each.id === wanted);
  const schema = jsonContent(operation?.requestBody?.content ?? [])?.schema;
  const { properties } = schema?.shape() ?? {};
  const member = properties?.get(name);
  // What is accepted of it is an open question.
  const isOpen = contract.openQuestions.some((question) => openMember(question) === name);
  const isWide = (properties?.size ?? 0) > mostLimitedMembers;
  if (member === undefined || isOpen || isWide) return false;
  const accepted = readings.flatMap(({ operation: { id: of }, succeeded, sent }) => {
    const value = of === wanted && succeeded && isJsonObject(sent) ? sent[name] : undefined;
    return value === undefined ? [] : [value];
  });
  return limitEdges(member).some(({ isShownBy }) => !accepted.some(isShownBy));
}
