import { renderJson, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { requirementId } from '../../contract/requirement/requirement.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { mayRefuse, tagBody, type BodyTemplate } from '../generate/valid-body.ts';
import { statusOf, validIntent, type Exchange } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import type { Run } from './probe.ts';

/** What the valid requests of an operation that adds or changes items share. */
export interface Writer {
  readonly resource: Resource;
  readonly operation: Operation;
  readonly template: BodyTemplate;
  readonly plain: JsonObject;
}

/** What is changed of a plain body, and the requirements that it tests. */
export interface Variant {
  readonly changes: JsonObject;
  readonly exercises: readonly string[];
}

/** A valid request with some members changed; to an item, its path is still to come. */
export function variantRequest(
  { resource, operation, template, plain }: Writer,
  { changes, exercises }: Variant,
  run: Run,
): Request {
  const base = tagBody(template, plain, run.nextTag(), run.known.references(resource));
  const body = { ...base, ...changes };
  const left = leftOut(template).filter(({ name }) => !Object.hasOwn(body, name));
  const refusable = mayRefuse(template, body, base, run.known.knowsReferences(resource));
  const intent = validIntent([...exercises, ...left.map(({ facet }) => facet)], refusable);
  return { operation, body: renderJson(body), intent };
}

/** Members that a body may leave out, with the requirement that it may. */
export function leftOut({ node, operation }: BodyTemplate) {
  const { required, properties } = node.shape();
  return [...properties]
    .filter(([name, member]) => !required.has(name) && !member.shape().readOnly)
    .map(([name, member]) => ({
      name,
      member,
      facet: requirementId.requestFacet(operation.id, [name], 'optional'),
    }));
}

/** The id of the requirement that every value of a member's schema is taken. */
export function takenId({ id }: Operation, name: string): string {
  return requirementId.requestFacet(id, [name], 'taken');
}

/** A value for the id of a probe. */
export function describe(value: JsonValue): string {
  const text = renderJson(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Whether a request was answered with a 4xx. */
export function isRefused(exchange: Exchange): boolean {
  const status = statusOf(exchange) ?? 0;
  return status >= 400 && status < 500;
}
