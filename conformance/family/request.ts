import { refusalStatus } from '../../contract/openapi/response.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import { valueAt } from '../../contract/json/place.ts';
import { isForm, memberContent } from '../../contract/openapi/media-type.ts';
import { openMember } from '../../contract/openapi/open-question.ts';
import { facetOf } from '../../contract/schema/keywords.ts';
import { carriedMembers, readAsSent } from '../generate/request-body.ts';
import { limitEdges } from '../generate/edges.ts';
import { withoutIncomplete, type Finding } from '../judge/trace/finding.ts';
import { judgeIntents } from './intent.ts';
import type { Trace } from '../judge/trace/trace.ts';
import { isContentIgnored, type Operation } from '../../contract/openapi/operation.ts';
import {
  type Resource,
  resourceOf,
  sentPlace,
  sentSchema,
} from '../../contract/resource/resource.ts';
import { type IsWhole, listBodyFacets, listOwnFacets, nameMember } from './body-facet.ts';
import {
  type BodyPath,
  type Draft,
  type Drafts,
  draftsOf,
  type Level,
} from '../judge/trace/requirement.ts';

/**
 * Which request bodies are refused, facet by facet, and which are accepted: separate requirements,
 * because their faults are opposite.
 */
export function* listRequestRequirements(
  operation: Operation,
  resources: readonly Resource[],
  isWhole: IsWhole,
): Drafts {
  const { id, method, responses, requestBody: body } = operation;
  if (body === undefined || isContentIgnored(method)) return;
  const hasMembers = !isWhole(operation, 'request');
  const draft = (path: BodyPath, facet: string, demand: string, at: string, level: Level): Draft =>
    draftsOf(operation)({ kind: 'request', path, facet }, `${id} ${demand}.`, at, level);
  const { mediaType = '', schema } = memberContent(operation) ?? {};
  if (refusalStatus(operation) !== undefined) {
    const listed = ['400', '422'].filter((code) => responses.some(({ status }) => status === code));
    const refusal = listed.length > 0 ? listed.join(' or ') : 'a 4xx';
    // A response for all errors does not say that this is an error.
    const isSure = responses.some(({ status }) => /^4(00|22|XX)$/i.test(status));
    const level = isSure ? 'must' : 'should';
    const sentence = `returns ${refusal} for a request without a body`;
    if (body.required && !mayBeEmpty(body))
      yield draft([], 'required', sentence, body.pointer, level);
    const facets = hasMembers ? listBodyFacets(schema, 'request') : listOwnFacets(schema);
    for (const { path, facet, demand, pointer } of facets) {
      if (!isBreakable(operation, path, facet)) continue;
      const unless = `returns ${refusal} for a body unless ${nameMember(path)} ${demand}`;
      yield draft(path, facet, unless, pointer, level);
    }
  }
  if (!hasMembers) return;
  const acceptance = resourceOf(resources, operation) ? 'must' : 'should';
  const place = sentPlace(resources, operation);
  const { properties, required } = sentSchema(resources, operation)?.shape() ?? {
    properties: [],
    required: new Set(),
  };
  for (const [name, member] of properties) {
    if (member.shape().readOnly) continue;
    const { pointer } = member;
    const taken = `accepts every value of \`${name}\` that its schema allows`;
    const isUnread = isForm(mediaType) && member.shape().types.includes('object');
    if (!isUnread) yield draft([...place, name], 'taken', taken, pointer, acceptance);
    if (!required.has(name))
      yield draft(
        [...place, name],
        'optional',
        `accepts a body without \`${name}\``,
        pointer,
        'must',
      );
  }
}

/** Whether a body can break a facet. Forms have only texts, so no text has the wrong type. */
function isBreakable(operation: Operation, [name, ...inner]: BodyPath, facet: string): boolean {
  const { mediaType = '', schema } = memberContent(operation) ?? {};
  if (!isForm(mediaType)) return true;
  const member = schema?.shape().properties.get(name ?? '');
  if (name === undefined || member === undefined || inner.length > 0) return false;
  if (facet === 'required') return true;
  // Services read objects in forms in several ways.
  if (member.shape().types.includes('object')) return false;
  const limits = member.shape().limits();
  return limits.some(({ facet: own, wrong }) => {
    const values = own === facet ? (wrong?.() ?? []) : [];
    return values.some(({ value }) => {
      const read = valueAt(readAsSent(operation, { [name]: value }), [name]);
      const issues = read === undefined ? [] : member.validate(read, 'request');
      return issues.some(({ at, keyword }) => at === '' && facetOf(keyword) === facet);
    });
  });
}

/** Whether an empty body is valid: a text, a file, or a form without required fields. */
function mayBeEmpty({ content }: NonNullable<Operation['requestBody']>): boolean {
  return content.some(
    ({ mediaType, schema }) =>
      !/json|xml|^multipart\//i.test(mediaType) && (schema?.shape().required.size ?? 0) === 0,
  );
}

/**
 * Judges which request bodies are accepted: valid ones, and none that breaks its schema in one way.
 */
export function judgeRequest(trace: Trace): Iterable<Finding> {
  return withoutIncomplete(judgeIntents(trace, 'request'), (id) => lacksEdge(id, trace));
}

/** Whether no accepted request had a value at one of the limits of a member. */
function lacksEdge(id: string, { contract, requirements, readings }: Trace): boolean {
  const { subject, operation: wanted } = requirements.get(id) ?? {};
  if (subject?.kind !== 'request' || subject.facet !== 'taken') return false;
  const name = subject.path.at(-1) ?? '';
  const operation = contract.operations.find((each) => each.id === wanted);
  const schema = operation && sentSchema(contract.resources, operation);
  const { properties } = schema?.shape() ?? {};
  const member = properties?.get(name);
  // Which of its values are accepted is an open question.
  const isOpen = contract.openQuestions.some((question) => openMember(question) === name);
  if (operation === undefined || member === undefined || isOpen) return false;
  const accepted = readings.flatMap(({ operation: { id: of }, succeeded, sent }) => {
    const value = of === wanted && succeeded && isJsonObject(sent) ? sent[name] : undefined;
    return value === undefined ? [] : [value];
  });
  const edges = limitEdges(member).filter(({ value }) =>
    Object.hasOwn(carriedMembers(operation, { [name]: value }), name),
  );
  return edges.some(({ isShownBy }) => !accepted.some(isShownBy));
}
