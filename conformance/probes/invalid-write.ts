import type { Contract } from '../../contract/contract.ts';
import { isJsonObject, parseJson, renderJson } from '../../contract/json/value.ts';
import { refusalStatus } from '../../contract/openapi/refusal.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { inTurns, listInvalidBodies, type InvalidBody } from './broken-body.ts';
import { tagBody } from '../generate/valid-body.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import { itemPath } from './valid-request.ts';
import { writersOf, type Writer } from './writer.ts';

/** Additions that break the contract in one way each, and have to be refused. */
export function listInvalidProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) =>
    writersOf(contract)(resource).flatMap((writer) =>
      writer.act === 'create'
        ? listBroken(contract, writer).map((each) => invalidProbe(writer, each))
        : [],
    ),
  );
}

/**
 * The same for changes, to an item that is to stay as it is: one body for each requirement first, then
 * a second one, and so on; of those the ones that hold a member by which they are known again, so that
 * it shows whether they were written.
 */
export function listInvalidChangeProbes(contract: Contract, writer: Writer): readonly Probe[] {
  const sent = listBroken(contract, writer).filter((each) => !isOpenRemoval(each, writer));
  return inTurns(sent)
    .toReversed()
    .toSorted((a, b) => a.turn - b.turn || kindOf(a, writer) - kindOf(b, writer))
    .map(({ turn, ...each }) => ({ ...each, rank: each.rank + Math.min(turn, 2) }))
    .map((each) => ({ ...invalidProbe(writer, each), phase: 'refused-change' }));
}

function listBroken(contract: Contract, { operation, template, plain }: Writer) {
  if (refusalStatus(operation) === undefined) return [];
  return listInvalidBodies(contract, operation, tagBody(template, plain, 'tag-00000000'));
}

/** What a replacement lacks first, then single values, then the body as a whole. */
function kindOf({ path, way }: InvalidBody, { act }: Writer): number {
  if (path.length === 0) return 2;
  return way.endsWith(' is missing') && act === 'replace' ? 0 : 1;
}

/** A merge patch takes null for the removal of a member, whatever its schema says (RFC 7396). */
function isOpenRemoval({ way }: InvalidBody, { operation: { requestBody } }: Writer): boolean {
  const isMerge = requestBody?.content[0]?.mediaType === 'application/merge-patch+json';
  return isMerge && way.endsWith(' is null');
}

/** A request with an invalid body; to change an item, none is sent where there is no item. */
function invalidProbe(writer: Writer, invalid: InvalidBody): Probe {
  const { operation, resource, act } = writer;
  const { requirement, way, text, rank, unless } = invalid;
  return createProbe({
    id: `${operation.id}/invalid: ${way}`,
    phase: 'invalid',
    rank,
    writes: true,
    proves: [
      requirement,
      ...[400, 422].map((each) => requirementId.state(operation.id, `not-written.${each}`)),
    ],
    run: async (run) => {
      const id = act === 'create' ? undefined : run.known.own(resource, 'stay');
      if (act !== 'create' && id === undefined) return;
      const path = id === undefined ? {} : itemPath(resource, id);
      const others = unless === undefined ? {} : { unless };
      const status = refusalStatus(operation) ?? 400;
      const intent = { kind: 'invalid', requirement, way, status, ...others } as const;
      const body = text === undefined ? {} : { body: retag(writer, text, invalid.path, run) };
      await run.session.send({ operation, path, intent, ...body });
    },
  });
}

/** Gives an invalid body the run's tag and known references where those members are valid. */
function retag(
  { resource, template }: Writer,
  text: string,
  [broken]: InvalidBody['path'],
  { known, nextTag }: Run,
): string {
  const body = parseJson(text);
  if (!isJsonObject(body)) return text;
  const fresh = tagBody(template, body, nextTag(), known.references(resource));
  return renderJson(
    Object.fromEntries(
      Object.entries(fresh)
        .filter(([name]) => Object.hasOwn(body, name))
        .map(([name, value]) => [name, name === broken ? body[name] : value] as const),
    ),
  );
}
