import { isContentIgnored, type Operation } from '../openapi/operation.ts';
import { jsonContent } from '../openapi/media-type.ts';
import { refusalStatus } from './reachable-responses.ts';
import { listBodyFacets, nameMember } from './body-facet.ts';
import { type BodyPath, type Drafts, type RequirementDraft, draftsOf } from './requirement.ts';

/**
 * What is refused as the body of a request, facet by facet, and what is taken: two requirements, as
 * their faults are opposite.
 */
export function* listRequestRequirements(operation: Operation, isOfResource: boolean): Drafts {
  const { id, requestBody: body } = operation;
  if (!body || isContentIgnored(operation.method)) return;
  const refusal = operation.responses.some(({ status }) => status === '400') ? '400' : 'a 4xx';
  const isRefused = refusalStatus(operation) !== undefined;
  const about = draftsOf({ id, pointer: body.pointer });
  // One response for all errors does not say that this is one.
  const isSure = operation.responses.some(({ status }) => /^4(00|22|XX)$/i.test(status));
  const draft = (path: BodyPath, facet: string, demand: string, at?: string): RequirementDraft =>
    about({ kind: 'request', path, facet }, `${id} ${demand}.`, at);
  const refused = (each: RequirementDraft): RequirementDraft =>
    isSure ? each : { ...each, level: 'should' };
  if (body.required && isRefused) {
    const sentence = `returns ${refusal} for a request without a body`;
    yield refused(draft([], 'required', sentence));
  }
  const schema = jsonContent(body.content)?.schema;
  if (!schema) return;
  for (const { path, facet, demand, pointer } of isRefused
    ? listBodyFacets(schema, 'request')
    : []) {
    const sentence = `returns ${refusal} for a body unless ${nameMember(path)} ${demand}`;
    yield refused(draft(path, facet, sentence, pointer));
  }
  const shape = schema.shape();
  for (const [name, member] of shape.properties) {
    if (member.shape().readOnly) continue;
    const taken = draft(
      [name],
      'taken',
      `accepts every value of \`${name}\` that its schema allows`,
      member.pointer,
    );
    yield isOfResource ? taken : { ...taken, level: 'should' };
    if (!shape.required.has(name))
      yield draft([name], 'optional', `accepts a body without \`${name}\``, member.pointer);
  }
}
