import { jsonContent } from '../openapi/media-type.ts';
import { isContentIgnored, type Operation } from '../openapi/operation.ts';
import { isOfResource, type Resource } from '../resource/resource.ts';
import { listBodyFacets, nameMember } from './body-facet.ts';
import { refusalStatus } from './reachable-responses.ts';
import { type BodyPath, type Draft, type Drafts, draftsOf, type Level } from './requirement.ts';

/**
 * What is refused as the body of a request, facet by facet, and what is taken: two requirements, as
 * their faults are opposite.
 */
export function* listRequestRequirements(
  operation: Operation,
  resources: readonly Resource[],
): Drafts {
  const { id, method, responses, requestBody: body } = operation;
  if (body === undefined || isContentIgnored(method)) return;
  const draft = (path: BodyPath, facet: string, demand: string, at: string, level: Level): Draft =>
    draftsOf(operation)({ kind: 'request', path, facet }, `${id} ${demand}.`, at, level);
  const schema = jsonContent(body.content)?.schema;
  if (refusalStatus(operation) !== undefined) {
    const refusal = responses.some(({ status }) => status === '400') ? '400' : 'a 4xx';
    // One response for all errors does not say that this is one.
    const isSure = responses.some(({ status }) => /^4(00|22|XX)$/i.test(status));
    const level = isSure ? 'must' : 'should';
    const sentence = `returns ${refusal} for a request without a body`;
    if (body.required) yield draft([], 'required', sentence, body.pointer, level);
    for (const { path, facet, demand, pointer } of listBodyFacets(schema, 'request')) {
      const unless = `returns ${refusal} for a body unless ${nameMember(path)} ${demand}`;
      yield draft(path, facet, unless, pointer, level);
    }
  }
  const acceptance = isOfResource(operation, resources) ? 'must' : 'should';
  const { properties, required } = schema?.shape() ?? { properties: [], required: new Set() };
  for (const [name, member] of properties) {
    if (member.shape().readOnly) continue;
    const { pointer } = member;
    const taken = `accepts every value of \`${name}\` that its schema allows`;
    yield draft([name], 'taken', taken, pointer, acceptance);
    if (!required.has(name))
      yield draft([name], 'optional', `accepts a body without \`${name}\``, pointer, 'must');
  }
}
