import { writes } from '../transport/target.ts';
import { lazy } from '../memo/once.ts';
import { plainRequestValue } from '../generate/plain-value.ts';
import { listGeneralOperations, shownByRefusal } from './general.ts';
import type { Contract } from '../../contract/contract.ts';
import { isJsonObject, parseJson, renderJson } from '../../contract/json/value.ts';
import { refusalStatus } from '../../contract/openapi/refusal.ts';
import { tagBody } from '../generate/template.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import type { Intent } from '../transport/exchange.ts';
import { inTurns, listInvalidBodies, refusalsOf, type InvalidBody } from './broken-body.ts';
import { createProbe, NothingToSend, type PlanContext, type Probe, type Run } from './probe.ts';
import type { Request } from '../transport/session.ts';
import {
  bodySchema,
  itemPath,
  plainRequest,
  withPathId,
  writersOf,
  type Writer,
} from './requests.ts';

/** Additions that break the contract in one way each, and have to be refused. */
export function listInvalidProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources
    .flatMap((resource) => writersOf(contract)(resource).slice(0, 1))
    .filter((create) => create.operation === create.resource.create)
    .flatMap((create) => listBroken(contract, create).map((each) => invalidProbe(create, each)));
}

/**
 * A body for each requirement that one is refused by an operation of which nothing but its own
 * description is known: a document may have thousands, so each is made when it is sent.
 */
export function listGeneralInvalidProbes({ contract }: PlanContext): readonly Probe[] {
  return listGeneralOperations(contract).flatMap((operation) => {
    const status = refusalStatus(operation);
    if (status === undefined) return [];
    const shown = shownByRefusal(contract, operation, status);
    const bodies = lazy(() => {
      const node = bodySchema(operation);
      const valid =
        node === undefined ? {} : (plainRequestValue(node, 'all') ?? plainRequestValue(node));
      return valid === undefined ? [] : inTurns(listInvalidBodies(contract, operation, valid));
    });
    return refusalsOf(contract)(operation).map(({ id }, index) =>
      createProbe({
        id: `${operation.id}/invalid: ${id.slice(operation.id.length + 1)}`,
        phase: 'invalid',
        rank: index < 8 ? 2 : 3,
        writes: writes(operation),
        proves: [id, ...shown],
        run: async (run) => {
          const { path = {}, headers: type } = plainRequest(operation, run);
          const invalid = bodies().find(({ requirement }) => requirement === id);
          if (invalid === undefined)
            throw new NothingToSend('no body was found that breaks it and nothing else');
          // The session knows the type of JSON.
          const headers =
            bodySchema(operation) === undefined && type !== undefined ? { headers: type } : {};
          const body = invalid.text === undefined ? {} : { body: invalid.text };
          const intent = refusedIntent(invalid, status);
          await run.session.send({ operation, path, ...headers, ...body, intent });
        },
      }),
    );
  });
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

function listBroken(contract: Contract, { operation, template }: Writer) {
  if (refusalStatus(operation) === undefined) return [];
  const valid = tagBody(template, template.plain(), 'tag-00000000');
  return listInvalidBodies(contract, operation, valid);
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
  const { requirement, way, text, rank } = invalid;
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
      const body = text === undefined ? {} : { body: retag(writer, text, invalid.path, path, run) };
      const intent = refusedIntent(invalid, refusalStatus(operation) ?? 400);
      await run.session.send({ operation, path, intent, ...body });
    },
  });
}

/** What a request with an invalid body is for. */
function refusedIntent(
  { requirement, way, unless }: Pick<InvalidBody, 'requirement' | 'way' | 'unless'>,
  status: number,
): Intent {
  return { kind: 'invalid', requirement, way, status, ...(unless && { unless }) };
}

/** Gives an invalid body the run's tag and known references where those members are valid. */
function retag(
  writer: Writer,
  text: string,
  [broken]: InvalidBody['path'],
  path: NonNullable<Request['path']>,
  { known, nextTag }: Run,
): string {
  const body = parseJson(text);
  if (!isJsonObject(body)) return text;
  const { resource, template } = writer;
  const tagged = tagBody(template, body, nextTag(), known.references(resource));
  const fresh = withPathId(writer, path, tagged);
  return renderJson(
    Object.fromEntries(
      Object.entries(fresh)
        .filter(([name]) => Object.hasOwn(body, name))
        .map(([name, value]) => [name, name === broken ? body[name] : value] as const),
    ),
  );
}
