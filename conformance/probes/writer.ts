import type { Contract } from '../../contract/contract.ts';
import { renderJson, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { successResponse } from '../../contract/openapi/response.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import {
  mayRefuse,
  plainBody,
  readTemplate,
  tagBody,
  type BodyTemplate,
} from '../generate/valid-body.ts';
import { once } from '../memo/once.ts';
import { statusOf, validIntent, type Exchange } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import type { Purpose } from './known-items.ts';
import type { Run } from './probe.ts';

/** An operation of a resource that takes a JSON object, to add an item or to change one. */
export interface Writer {
  readonly resource: Resource;
  readonly operation: Operation;
  readonly act: 'create' | 'replace' | 'update';
  readonly template: BodyTemplate;
  /** A valid body of required members. */
  readonly plain: JsonObject;
}

/** The requirement of the status that tells a client that its item was added. */
export function addedStatus(operation: Operation): string {
  return requirementId.status(operation.id, successResponse(operation)?.status ?? 201);
}

/** The operations that write the items of a resource: none where the suite cannot add one. */
export const writersOf = once((contract: Contract) =>
  once((resource: Resource): readonly Writer[] => {
    const writers = (['create', 'replace', 'update'] as const).flatMap((act) => {
      const operation = resource[act];
      const template = operation && readTemplate(contract, operation);
      if (operation === undefined || template === undefined) return [];
      return [{ resource, operation, act, template, plain: plainBody(template) }];
    });
    if (writers[0]?.act !== 'create') return [];
    return resource.idParameter === undefined ? writers.slice(0, 1) : writers;
  }),
);

/** What is changed of a plain body, and the requirements that it tests. */
export interface Variant {
  readonly changes: JsonObject;
  readonly exercises: readonly string[];
}

const unchanged: Variant = { changes: {}, exercises: [] };

/** A valid request with some members changed; without a path, it adds an item. */
export function variantRequest(
  { resource, operation, template, plain }: Writer,
  run: Run,
  { changes, exercises }: Variant = unchanged,
  path: Request['path'] = {},
): Request {
  const base = tagBody(template, plain, run.nextTag(), run.known.references(resource));
  const body = { ...base, ...changes };
  const left = leftOut(template).filter(({ name }) => !Object.hasOwn(body, name));
  const refusable = mayRefuse(template, body, base, run.known.knowsReferences(resource));
  const intent = validIntent([...exercises, ...left.map(({ facet }) => facet)], refusable);
  return { operation, path, body: renderJson(body), intent };
}

/** A valid request with a body that was drawn: tagged, and with references that the target takes. */
export function drawnRequest(
  { resource, operation, template, act }: Writer,
  run: Run,
  drawn: JsonObject,
  path: Request['path'] = {},
): Request {
  // An update says nothing of what it does not send.
  const isMeant = (name = ''): boolean => act !== 'update' || Object.hasOwn(drawn, name);
  const { references, restricted, knowsReferences } = run.known;
  const all = [...references(resource)].filter(([name]) => template.references.has(name));
  const needed = all.filter(([name]) => restricted.has(name) && isMeant(name));
  const untagged = { ...drawn, ...Object.fromEntries(needed) };
  const tag = run.nextTag();
  const body = isMeant(template.tagged) ? tagDrawn(template, untagged, tag) : untagged;
  const known = Object.fromEntries(all);
  const refusable = mayRefuse(template, body, known, knowsReferences(resource));
  return { operation, path, body: renderJson(body), intent: validIntent([], refusable) };
}

/**
 * Puts the tag into the text that was drawn: in the place of its beginning or end where it is long,
 * so that its length stays, else before or after it; in its place where both are too long.
 */
export function tagDrawn(
  { tagged: name, node }: BodyTemplate,
  body: JsonObject,
  tag: string,
): JsonObject {
  const member = name === undefined ? undefined : node.shape().properties.get(name);
  if (name === undefined || member === undefined) return body;
  const text = body[name];
  const wishes: readonly JsonValue[] = typeof text === 'string' ? [putInto(text, tag), tag] : [tag];
  const fitting = wishes.find((wish) => member.validate(wish).length === 0);
  return fitting === undefined ? body : { ...body, [name]: fitting };
}

function putInto(text: string, tag: string): string {
  const characters = Array.from(text);
  const own = tag.length + 1;
  const saved = characters.length >= 2 * own ? characters.length - own : characters.length;
  return characters.length % 2 === 0
    ? `${tag} ${characters.slice(characters.length - saved).join('')}`
    : `${characters.slice(0, saved).join('')} ${tag}`;
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

/** An item that this run added, for one purpose; adds one where none is free. */
export async function ownItem(
  run: Run,
  resource: Resource,
  purpose: Purpose,
): Promise<string | undefined> {
  const known = run.known.own(resource, purpose);
  if (known !== undefined) return known;
  await addItem(run, resource);
  return run.known.own(resource, purpose);
}

/** Adds a plain item; its identifier, or undefined where none was added. */
export async function addItem(run: Run, resource: Resource): Promise<string | undefined> {
  const [create] = writersOf(run.contract)(resource);
  return create && addedId(await run.session.send(variantRequest(create, run)), run, resource);
}

/** The identifier of the item that an exchange added; undefined where none was. */
export function addedId(exchange: Exchange, { known }: Run, resource: Resource) {
  return [...known.added(resource)].findLast(([, each]) => each.exchange === exchange)?.[0];
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
