import { valueAt, withValueAt } from '../../contract/json/place.ts';
import type { Contract } from '../../contract/contract.ts';
import { isJsonObject, parseJson, renderJson } from '../../contract/json/value.ts';
import { refusalStatus } from '../../contract/openapi/refusal.ts';
import { tagBody } from '../generate/template.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { inTurns, listInvalidBodies, refusedBody, type InvalidBody } from './broken-body.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import { itemPath, withPathId, writersOf, type Path, type Writer } from './requests.ts';

/** Additions that break the contract in one way each, and have to be refused. */
export function listInvalidProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources
    .flatMap((resource) => writersOf(contract)(resource).slice(0, 1))
    .filter((create) => create.operation === create.resource.create)
    .flatMap((create) => listBroken(contract, create).map((each) => invalidProbe(create, each)));
}

/**
 * The same for changes, to an item that is to stay as it is: one body for each requirement first, then
 * a second one, and so on; of those the ones that hold a member by which they are known again, so that
 * it shows whether they were written.
 */
export function listInvalidChangeProbes(contract: Contract, writer: Writer): readonly Probe[] {
  const { requestBody } = writer.operation;
  // A merge patch takes null for the removal of a member, whatever its schema says (RFC 7396).
  const isMerge = requestBody?.content[0]?.mediaType === 'application/merge-patch+json';
  const sent = listBroken(contract, writer).filter(
    ({ way }) => !(isMerge && way.endsWith(' is null')),
  );
  /** What a replacement lacks first, then single values, then the body as a whole. */
  const kindOf = ({ path, way }: InvalidBody): number => {
    if (path.length === 0) return 2;
    return way.endsWith(' is missing') && writer.act === 'replace' ? 0 : 1;
  };
  return inTurns(sent)
    .toReversed()
    .toSorted((a, b) => a.turn - b.turn || kindOf(a) - kindOf(b))
    .map(({ turn, ...each }) => ({ ...each, rank: each.rank + Math.min(turn, 2) }))
    .map((each) => ({ ...invalidProbe(writer, each), phase: 'refused-change' }));
}

function listBroken(contract: Contract, { operation, template }: Writer): readonly InvalidBody[] {
  if (refusalStatus(operation) === undefined) return [];
  const valid = template.wrap(tagBody(template, template.plain(), 'tag-00000000'));
  return listInvalidBodies(contract, operation, valid);
}

/** A request with an invalid body; to change an item, none is sent where there is no item. */
function invalidProbe(writer: Writer, invalid: InvalidBody): Probe {
  const { operation, resource, act } = writer;
  const { requirement, way, text, rank } = invalid;
  return createProbe(operation, `invalid: ${way}`, {
    phase: 'invalid',
    rank,
    proves: [
      requirement,
      ...[400, 422].map((each) => requirementId.state(operation.id, `not-written.${each}`)),
    ],
    run: async (run) => {
      const id = act === 'create' ? undefined : run.known.own(resource, 'stay');
      if (act !== 'create' && id === undefined) return;
      const path = id === undefined ? {} : itemPath(resource, id);
      const sent = text && retag(writer, text, invalid.path, path, run);
      const refused = refusedBody({ ...invalid, text: sent }, refusalStatus(operation) ?? 400);
      await run.session.send({ operation, path, ...refused });
    },
  });
}

/** Gives an invalid body the run's tag and known references where those members are valid. */
function retag(
  writer: Writer,
  text: string,
  brokenPath: InvalidBody['path'],
  path: Path,
  { known, nextTag }: Run,
): string {
  const { resource, template } = writer;
  const whole = parseJson(text);
  const body = valueAt(whole, template.place);
  const broken = brokenPath[template.place.length];
  if (!isJsonObject(body)) return text;
  const tagged = tagBody(template, body, nextTag(), known.references(resource));
  const kept = Object.entries(withPathId(writer, path, tagged)).filter(([name]) =>
    Object.hasOwn(body, name),
  );
  const item = Object.fromEntries(
    kept.map(([name, value]) => [name, name === broken ? body[name] : value]),
  );
  return renderJson(withValueAt(whole, template.place, item));
}
