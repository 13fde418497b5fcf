import { canonicalInteger } from '../../contract/json/number.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import { boundaryValues } from '../generate/boundary.ts';
import { telltaleLengths } from '../generate/text.ts';
import type { BodyTemplate } from '../generate/valid-body.ts';
import type { Run } from '../probes/probe.ts';
import type { Writer } from '../probes/writer.ts';
import type { Shard } from '../shard/shard.ts';
import type { FuzzTask } from './task.ts';

/**
 * Draws valid bodies for one probe. The very first of a run are the edges of each member, one at a
 * time. Of the others half count their free integers up from addition to addition, so that no
 * remainder is left out, a quarter do so from where types end, and a quarter have a text of the
 * next telltale length. Shards count up side by side, so that no number is left out between them.
 */
export function drawBodies(
  { round, shard }: FuzzTask,
  { template, resource }: Writer,
  run: Run,
  count: number,
): readonly JsonObject[] {
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
