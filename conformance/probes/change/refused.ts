import { refusalStatus } from '../../../contract/requirement/reachable-responses.ts';
import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { listInvalidBodies, type InvalidBody } from '../../generate/invalid-body.ts';
import { tagBody } from '../../generate/valid-body.ts';
import { absentId, itemRequest } from '../valid-request.ts';
import { createProbe, type Probe } from '../probe.ts';
import { invalidProbe } from '../request.ts';
import { seenIds } from '../state.ts';
import type { ItemResource } from './item.ts';
import type { Changer } from './write.ts';

/** Changes that break the contract in one way each, to an item that is to stay as it is. */
export function listInvalidChangeProbes(changer: Changer): readonly Probe[] {
  const { operation, template, resource, plain, act } = changer;
  const status = refusalStatus(operation);
  if (status === undefined) return [];
  const valid = tagBody(template, plain, 'tag-00000000');
  const required = operation.requestBody?.required ?? false;
  const invalid = listInvalidBodies(operation.id, template.node, required, valid);
  const { idParameter } = resource;
  const sent = invalid.filter((each) => !isOpenRemoval(each, operation));
  return inTurn(sent, act).map((each) => {
    const probe = invalidProbe(template, each, status, ({ known }) => {
      const id = known.own(resource, 'stay');
      return id === undefined ? undefined : { [idParameter.name]: id };
    });
    return { ...probe, phase: 'refused-change' };
  });
}

/**
 * One body for each requirement first, then a second one, and so on; of those the ones that hold
 * a member by which they are known again, so that it shows whether they were written.
 */
function inTurn(bodies: readonly InvalidBody[], act: Changer['act']): readonly InvalidBody[] {
  const turns = new Map<string, number>();
  const ranked = bodies.map((each, index) => {
    const turn = turns.get(each.requirement) ?? 0;
    turns.set(each.requirement, turn + 1);
    const order = [turn, kindOf(each, act), -index] as const;
    return { ...each, rank: each.rank + Math.min(turn, 2), order };
  });
  return ranked.toSorted(({ order: a }, { order: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
}

/** What a replacement lacks first, then single values, then the body as a whole. */
function kindOf({ text, way }: InvalidBody, act: Changer['act']): number {
  const isWhole = text === undefined || way.startsWith('the body');
  if (isWhole) return 2;
  return way.endsWith(' is missing') && act === 'replace' ? 0 : 1;
}

/** A merge patch takes null for the removal of a member, whatever its schema says (RFC 7396). */
function isOpenRemoval({ way }: InvalidBody, { requestBody }: Operation): boolean {
  const isMerge = requestBody?.content[0]?.mediaType === 'application/merge-patch+json';
  return isMerge && way.endsWith(' is null');
}

/** A change or a removal of an item that is not there; undefined where the document has no 404. */
export function absentProbe(
  resource: ItemResource,
  operation: Operation,
  body: (tag: string) => string | undefined,
): Probe | undefined {
  const requirement = requirementId.status(operation.id, 404);
  if (!operation.responses.some(({ status }) => status === '404')) return undefined;
  return createProbe({
    id: `${operation.id}/absent`,
    phase: 'remove',
    writes: true,
    proves: [requirement],
    run: async (run) => {
      const asked = run.session.exchanges.flatMap(({ intent: each }) =>
        each.kind === 'absent' ? [each.id] : [],
      );
      const seen = [...seenIds(resource, run), ...asked];
      const id = absentId(resource.idParameter, run, seen, true);
      const request = itemRequest(operation, resource, id, { kind: 'absent', requirement, id });
      const text = body(run.nextTag());
      await run.session.send(text === undefined ? request : { ...request, body: text });
    },
  });
}
