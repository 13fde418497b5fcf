import { canonicalInteger } from '../../contract/json/number.ts';
import {
  isJsonObject,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import { boundaryValues } from '../generate/boundary.ts';
import type { Run } from '../probes/probe.ts';
import { validIntent } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import { mayRefuse, type BodyTemplate } from '../generate/valid-body.ts';
import type { Shard } from '../shard/shard.ts';
import type { FuzzTask } from './task.ts';
import { telltaleLengths } from '../generate/text.ts';

/**
 * Draws valid bodies for one probe. The very first of a run are the edges of each member, one at a
 * time. Of the others half count their free integers up from addition to addition, so that no
 * remainder is left out, a quarter do so from where types end, and a quarter have a text of the
 * next telltale length. Shards count up side by side, so that no number is left out between them.
 */
export function drawBodies(
  { template, round, resource, shard }: FuzzTask,
  run: Run,
  count: number,
): readonly JsonObject[] {
  if (template === undefined) return [];
  const drawn = run.random
    // The salt decides the draws, and so which requests a seed sends.
    .sample(arbitraryOf(template.node), count, `deep ${template.operation.id} ${round}`)
    .filter(isJsonObject);
  const edges = edgeChanges(template.node);
  const added = run.known.added(resource).size;
  return drawn.map((body, index) => {
    const edge = edges[round * count + index];
    const changed = {
      ...body,
      ...(edge ?? {
        ...countUp(template, body, added + index, run.random.seed, shard),
        ...measure(template, body, added + index),
      }),
    };
    return template.node.validate(changed).length === 0 ? changed : body;
  });
}

function edgeChanges(node: SchemaNode): readonly JsonObject[] {
  return [...node.shape().properties].flatMap(([name, member]) =>
    boundaryValues(member).map((value) => ({ [name]: value })),
  );
}

/** Where integers of fewer bytes end. */
const ends = [2n ** 31n, -(2n ** 31n), 2n ** 15n, 2n ** 32n, 2n ** 40n, 2n ** 53n] as const;

function countUp(
  { node }: BodyTemplate,
  body: JsonObject,
  position: number,
  seed: number,
  { index, count }: Pick<Shard, 'index' | 'count'> = { index: 1, count: 1 },
): JsonObject {
  if (position % 4 === 3) return {};
  const end = position % 4 === 1 ? (ends[Math.floor(position / 4) % ends.length] ?? 0n) : 0n;
  const step = Math.floor(position / 2) * count + index - 1;
  const value = canonicalInteger(end + BigInt((seed % 1000) * 7 + step));
  const free = [...node.shape().properties].filter(
    ([name, member]) =>
      Object.hasOwn(body, name) &&
      member.shape().types.includes('integer') &&
      member.shape().values === undefined,
  );
  return Object.fromEntries(free.map(([name]) => [name, value]));
}

/** The text that is to carry the tag, cut or filled to a length at which storage may end. */
function measure({ tagged: name }: BodyTemplate, body: JsonObject, position: number): JsonObject {
  const text = name === undefined ? undefined : body[name];
  const length = telltaleLengths[Math.floor(position / 4) % telltaleLengths.length];
  if (position % 4 !== 2 || name === undefined || typeof text !== 'string' || length === undefined)
    return {};
  const characters = Array.from(text).slice(0, length);
  return { [name]: characters.join('') + 'x'.repeat(length - characters.length) };
}

/** A valid, tagged addition; its references exist where the target takes no others. */
export function addition(
  { resource, template }: FuzzTask,
  drawn: JsonObject,
  run: Run,
): Request | undefined {
  if (template === undefined) return undefined;
  const { references, restricted, knowsReferences } = run.known;
  const known = Object.fromEntries(
    [...references(resource)].filter(([name]) => template.references.has(name)),
  );
  const base = Object.fromEntries(Object.entries(known).filter(([name]) => restricted.has(name)));
  const body = tagged(template, { ...drawn, ...base }, run.nextTag());
  const refusable = mayRefuse(template, body, known, knowsReferences(resource));
  const intent = validIntent([], refusable);
  return { operation: template.operation, body: renderJson(body), intent };
}

/**
 * Puts the tag into the text that was drawn: in the place of its beginning or end where it is long,
 * so that its length stays, else before or after it; in its place where both are too long.
 */
export function tagged(
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
