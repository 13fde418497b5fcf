import type { Contract } from '../../contract/contract.ts';
import { valueAt } from '../../contract/json/place.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  renderJson,
} from '../../contract/json/value.ts';
import { largest } from '../../contract/list/list.ts';
import { openMember } from '../../contract/openapi/open-question.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { documentedResponse, refusalStatuses } from '../../contract/openapi/response.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { possibleDefault, type SchemaNode } from '../../contract/schema/schema-node.ts';
import { requirementsByOperation, requirementsOf } from '../family/requirements.ts';
import { refusesTaken } from '../family/state.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import { isEmptyList, limitEdges, sentValues } from '../generate/edges.ts';
import { isLarge } from '../generate/plain-value.ts';
import { freshNumbers, sampleTag } from '../generate/tag.ts';
import { distinctValue } from '../generate/template.ts';
import { hardText, textValuesFor, type TextValue } from '../generate/text-values.ts';
import { lazy } from '../../contract/memo/once.ts';
import { changesOf } from '../judge/trace/collection.ts';
import { isShownAsSent, memberSchema } from '../judge/trace/item.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { idIn, renderPlain, successId } from '../judge/trace/trace.ts';
import { headerOf, readJson, statusOf, takenId, validIntent } from '../transport/exchange.ts';
import { readSentBody } from '../transport/sent-body.ts';
import { absentProbes, absentRequest, notFoundOf, longestList } from './reads.ts';
import { listInvalidChangeProbes } from './broken-body.ts';
import {
  createProbe,
  NothingToSend,
  shareOf,
  type PlanContext,
  type Probe,
  type Run,
} from './probe.ts';
import {
  addedId,
  addItem,
  describe,
  drawnRequest,
  isRefused,
  isServed,
  itemPath,
  itemRequest,
  leftOut,
  membersOf,
  ownItem,
  putWriterOf,
  readBack,
  takenIds,
  variantRequest,
  withPathId,
  writersOf,
  type Writer,
} from './requests.ts';

/** Valid additions: all required members with each optional member, then edge cases one by one. */
export function listCreateProbes({ contract }: PlanContext): Iterable<Probe> {
  return contract.resources.values().flatMap((resource) => {
    const [create] = writersOf(contract)(resource);
    if (create === undefined) return [];
    const put = putWriterOf(contract)(resource);
    const first = [togetherProbe(create), ...(put === undefined ? [] : [putProbe(put)])];
    // Bodies of a PUT are tested with the changes.
    if (create === put) return first;
    return [
      ...first,
      ...memberProbes(create, contract),
      ...untaggedProbe(create),
      ...twinProbe(create, contract),
      ...takenProbe(create, contract),
      // An id that is read before it exists: a later read then shows whether a cache keeps the 404.
      ...absentProbes(contract, resource.get, 'next', { phase: 'values' }),
      ...textProbes(create, contract),
    ];
  });
}

/** Requests that replace, update and remove the run's own items. */
export function listChangeProbes({ contract }: PlanContext): Iterable<Probe> {
  return contract.resources.values().flatMap((resource) => {
    const changes = changesOf(resource).map(({ operation }) => operation);
    const [create, ...changers] = writersOf(contract)(resource);
    if (create === undefined || resource.idParameter === undefined)
      return changes.map((operation) => cannotProbe(contract, operation));
    const { remove } = resource;
    const judged = changers
      .map(({ operation }) => operation)
      .filter((operation) => notFoundOf(contract, operation) !== undefined);
    return [
      ...interleave(
        changers.map((changer) => [
          ...(changer.act === 'replace' ? replaceProbes(changer) : updateProbes(changer)),
          ...memberProbes(changer, contract),
          ...textProbes(changer, contract),
        ]),
      ),
      ...changers.map((changer) => changesTogetherProbe(changer)),
      ...interleave(changers.map((changer) => listInvalidChangeProbes(contract, changer))),
      ...(remove === undefined ? [] : removalProbes(contract, resource, remove, judged)),
      ...[...judged, remove].flatMap((operation) =>
        absentProbes(contract, operation, 'far', { phase: 'remove' }),
      ),
      ...(changes.length === 0 ? [] : [stayProbe(resource, changes)]),
    ];
  });
}

/** Takes from the lists in turn: the first of each, then the second of each. */
function interleave(lists: readonly (readonly Probe[])[]): readonly Probe[] {
  const sizes = lists.map((list) => list.length);
  return Array.from({ length: largest(sizes, 0) }, (_, at) =>
    lists.flatMap((list) => list[at] ?? []),
  ).flat();
}

/**
 * Requirements of an operation that changes items can only be tested if the suite can add items.
 */
function cannotProbe(contract: Contract, operation: Operation): Probe {
  const own = (requirementsByOperation(contract).get(operation.id) ?? []).filter(
    ({ family }) => family === 'state' || family === 'concurrency',
  );
  return createProbe(operation, 'an item of its own', {
    phase: 'change',
    rank: 0,
    requests: 0,
    proves: own.map(({ id }) => id),
    run: () => Promise.reject(new NothingToSend('the suite found no operation that adds an item')),
  });
}

/**
 * The members in which a body differs from the plain one, starting with the tested member, if any.
 */
type Changes = (run: Tagger) => JsonObject;

type Tagger = Pick<Run, 'tag' | 'nextTag'> & Partial<Pick<Run, 'known'>>;

const unchanged: Changes = () => ({});

/** Stands in for a run when bodies are planned: its tags have the form of real ones. */
const sample = { tag: sampleTag, nextTag: () => sampleTag };

/**
 * Sends bodies in turn until one is accepted, then reads back what it stored, unless disabled.
 * References are left out if the target accepts only existing records.
 */
function writeProbe(
  writer: Writer,
  name: string,
  rank: number,
  bodies: readonly Changes[],
  more: Pick<Probe, 'isPart'> & { proves?: readonly string[]; isRead?: boolean } = {},
): Probe {
  const { operation, resource, act, template } = writer;
  const isCreate = act === 'create';
  const { proves = [], isRead = !isCreate || rank > 1, ...rest } = more;
  const facets = ['stored', 'id-kept', 'others-kept'] as const;
  const stored = facets.map((each) => requirementId.state(operation.id, each));
  return createProbe(operation, name, {
    ...rest,
    phase: isCreate ? 'values' : 'change',
    rank,
    requests: isRead ? 2 : 1,
    proves: [
      ...(isCreate ? [] : [successId(operation), ...stored]),
      ...(writer.accepted().size === 0
        ? []
        : bodies.flatMap((changes) => takenIds(writer, changes(sample)))),
      ...proves,
    ],
    run: async (run) => {
      const { restricted } = run.known;
      const own = isCreate ? undefined : await ownItem(run, resource, act);
      if (!isCreate && own === undefined) return;
      const path = own === undefined ? undefined : itemPath(resource, own);
      for (const changes of bodies) {
        const changed = changes(run);
        const [member = ''] = Object.keys(changed);
        const isReference = template.references.has(member);
        if (isReference && restricted.has(member)) continue;
        const sent = await run.session.send(variantRequest(writer, run, changed, path));
        if (isReference && isCreate && takesNoFresh(run, operation, member)) restricted.add(member);
        if ((statusOf(sent) ?? 0) >= 400) continue;
        const id = own ?? addedId(sent, run, resource);
        if (isRead && id !== undefined) await readBack(run, resource, id);
        return;
      }
    },
  });
}

/**
 * Whether the target refused two new references and accepted none. A single refusal may be about
 * the value itself.
 */
function takesNoFresh({ session }: Run, { id }: Operation, name: string): boolean {
  const fresh = session.exchanges.filter(({ probe }) => probe.startsWith(`${id}/edge: ${name} `));
  return fresh.length >= 2 && fresh.every(isRefused);
}

/** Requests that are sent concurrently, at most. */
const together = 4;

function togetherProbe(writer: Writer): Probe {
  const { operation } = writer;
  const edges = leftOut(writer)
    .values()
    .flatMap(({ name, member }) =>
      valuesOf(writer, name, member).map((value) => ({ [name]: value })),
    )
    .take(together - 1)
    .toArray();
  const variants = Array.from({ length: together }, (_, at) => edges[at - 1] ?? {});
  return createProbe(operation, 'together', {
    phase: 'create',
    rank: 0,
    requests: together,
    proves: [
      successId(operation),
      ...writer.optional(),
      ...variants.flatMap((changes) => takenIds(writer, changes)),
      requirementId.concurrency(operation.id, 'unique'),
      requirementId.state(operation.id, 'created'),
    ],
    run: async (run) => {
      const { properties } = writer.template.node.shape();
      const requests = variants.map((changes) => {
        const distinct = Object.entries(changes).map(([name, value]) => {
          return [name, distinctValue(name, properties.get(name), value, run.nextTag())] as const;
        });
        return variantRequest(writer, run, Object.fromEntries(distinct));
      });
      const sent = await run.session.sendTogether(requests);
      if (sent.every(isServed) || !sent.some(isServed)) return;
      // If some failed, one of each kind, sent alone, shows whether concurrency was the cause.
      for (const [index, changes] of variants.entries())
        if (!isServed(sent[index])) await run.session.send(variantRequest(writer, run, changes));
    },
  });
}

const purposes = ['replace', 'update', 'race'] as const;

/** Changes different items concurrently, then reads each. */
function changesTogetherProbe(changer: Writer): Probe {
  const { operation, resource } = changer;
  return createProbe(operation, 'together', {
    phase: 'change',
    rank: 2,
    requests: 2 * purposes.length,
    proves: [requirementId.concurrency(operation.id, 'stored')],
    run: async (run) => {
      const own = new Set<string>();
      for (const purpose of purposes) {
        const id = await ownItem(run, resource, purpose);
        if (id !== undefined) own.add(id);
      }
      if (own.size < 2) return;
      await run.session.sendTogether(
        [...own].map((id) => variantRequest(changer, run, {}, itemPath(resource, id))),
      );
      for (const id of own) await readBack(run, resource, id);
    },
  });
}

/** Adds two items at unused paths and replaces the first one. Both are read back. */
function putProbe(put: Writer): Probe {
  const { operation, resource } = put;
  const facets = ['created', 'stored', 'id-kept'] as const;
  return createProbe(operation, 'two new items, one replaced', {
    phase: 'values',
    requests: resource.get === undefined ? 3 : 6,
    proves: [
      successId(operation),
      requirementId.status(operation.id, 201),
      ...facets.map((facet) => requirementId.state(operation.id, facet)),
    ],
    run: async (run) => {
      const first = await addItem(run, resource, put);
      const other = await addItem(run, resource, put);
      if (first === undefined || other === undefined) return;
      await readBack(run, resource, first);
      const replacement = { ...put, act: 'replace' } as const;
      await run.session.send(variantRequest(replacement, run, {}, itemPath(resource, first)));
      for (const id of [first, other]) await readBack(run, resource, id);
    },
  });
}

/** A body without the tag, if the tagged member is optional. */
function untaggedProbe(writer: Writer): readonly Probe[] {
  const { tagged } = writer.template;
  const left = leftOut(writer).filter(({ name }) => name === tagged);
  const proves = left.map(({ optionalId }) => optionalId);
  const name = `without ${tagged}`;
  return left.map(() => writeProbe(withoutTag(writer), name, 2, [unchanged], { proves }));
}

/** A writer whose bodies lack the tag. */
function withoutTag(writer: Writer): Writer {
  return { ...writer, template: { ...writer.template, tagged: undefined } };
}

/**
 * Adds the same item twice: nothing says that items must differ. Not sent if the document may allow
 * refusing duplicates.
 */
function twinProbe({ operation }: Writer, { openQuestions }: Contract): readonly Probe[] {
  const refusals = openQuestions.length > 0 ? [409, 422] : [400, 409, 422];
  if (refusals.some((status) => documentedResponse(operation, status) !== undefined)) return [];
  const probe = createProbe(operation, 'the same again', {
    phase: 'values',
    proves: [successId(operation)],
    run: async ({ session }) => {
      const first = session.exchanges.find(
        (each) =>
          each.request.operation === operation.id && each.intent.kind === 'valid' && isServed(each),
      );
      const { body, headers = [] } = first?.request ?? {};
      if (first === undefined || body === undefined) return;
      const contentType = headerOf({ headers }, 'content-type') ?? '';
      const same = { body, headers: { 'content-type': contentType } };
      await session.send({ operation, intent: first.intent, ...same });
    },
  });
  return [probe];
}

/**
 * Adds an item with the identifier of another one, where clients choose it, or else the same item
 * again, where the document says that it refuses what exists.
 */
function takenProbe(writer: Writer, contract: Contract): readonly Probe[] {
  const { operation, resource, template } = writer;
  const unique = requirementId.state(operation.id, 'id-unique');
  const assigned = requirementId.state(operation.id, 'id-assigned');
  const requirements = requirementsOf(contract);
  const isAssigned = requirements.has(assigned);
  if (!requirements.has(unique) || (isAssigned && !refusesTaken(operation))) return [];
  const itemIn = (body: JsonValue | undefined) => objectOf(valueAt(body, template.place));
  const idIsIn = (id: string, item: JsonObject): boolean =>
    renderPlain(idIn(item, resource) ?? '') === id;
  const probe = createProbe(operation, takenId, {
    phase: 'values',
    proves: [unique],
    run: async (run) => {
      const request = variantRequest(writer, run);
      // Some services accept an identifier and assign another one.
      for (const [id, { exchange }] of run.known.added(resource)) {
        const first = itemIn(readSentBody(operation, exchange.request).body);
        const path = itemPath(resource, id);
        const item = isAssigned ? first : withPathId(writer, path, itemIn(readJson(request.body)));
        if (!isAssigned && (!idIsIn(id, first) || !idIsIn(id, item))) continue;
        const intent = { kind: 'unspecified', way: takenId } as const;
        await run.session.send({ ...request, body: renderJson(template.wrap(item)), intent });
        return;
      }
    },
  });
  return [probe];
}

/**
 * All members at once, with the most demanding values that the target accepts; then only the
 * required ones.
 */
function replaceProbes(writer: Writer): readonly Probe[] {
  const { template } = writer;
  const all = lazy(() =>
    Object.fromEntries(otherMembers(writer).map(({ name, value }) => [name, value])),
  );
  // A reference that a double would round, unless records must exist.
  const [reference = ''] = template.references.keys();
  const node = template.node.shape().properties.get(reference);
  const value = node && sentValues(node)[1];
  const large = (): JsonObject => (value === undefined ? all() : { [reference]: value, ...all() });
  const bodies = value === undefined ? [] : [...textBodies(writer, hardText, large), large];
  const proves = writer.optional();
  return [
    writeProbe(writer, 'all members', 1, [...bodies, all]),
    ...(leftOut(writer).length === 0
      ? []
      : [writeProbe(writer, 'required members', 2, [unchanged], { proves })]),
  ];
}

/**
 * Each member alone. A plain one goes first: if it is accepted, a later refusal is about the value.
 */
function updateProbes(writer: Writer): readonly Probe[] {
  const { tagged = 'required members' } = writer.template;
  const proves = writer.optional();
  const singles = otherMembers(writer, writer.isMerged ? fewMembers : Infinity).map(
    ({ name, value }, at) => {
      const changes = (): JsonObject => ({ [name]: value });
      return writeProbe(withoutTag(writer), `only ${name}`, at === 0 ? 1 : 2, [changes], {
        proves,
      });
    },
  );
  const bodies = [...textBodies(writer, hardText), unchanged];
  return singles.toSpliced(1, 0, writeProbe(writer, `only ${tagged}`, 1, bodies, { proves }));
}

/** The values that a member is sent with: lists with objects only if items show them as sent. */
function valuesOf(
  { resource, operation }: Writer,
  name: string,
  member: SchemaNode,
): readonly JsonValue[] {
  const shown = memberSchema(resource, name);
  return sentValues(member, shown !== undefined && isShownAsSent(member, shown, operation));
}

/** Members that are changed alone, if they are tested as parts of the whole body. */
const fewMembers = 3;

/** The first optional members with a value each, except the tagged one and references. */
function otherMembers(writer: Writer, most = Infinity) {
  const { tagged, references } = writer.template;
  return leftOut(writer)
    .values()
    .flatMap(({ name, member }) => {
      if (name === tagged || references.has(name)) return [];
      const sent = valuesOf(writer, name, member);
      const all = member.shape().values === undefined ? sent : sent.toReversed();
      const value = all.find((each) => isTelling(each, member)) ?? all[0];
      return value === undefined ? [] : [{ name, value }];
    })
    .take(most)
    .toArray();
}

/** Whether a value is none that an item has by itself, such as 0, null or the default. */
function isTelling(value: JsonValue, member: SchemaNode): boolean {
  return Boolean(value) && !isEmptyList(value) && value !== possibleDefault(member);
}

/**
 * Bodies with a text in the tagged member, if it is valid there. If one is refused, the next one is
 * tried.
 */
function textBodies(
  { template }: Writer,
  { build, milder = [] }: TextValue,
  others: () => JsonObject = () => ({}),
): readonly Changes[] {
  const { tagged = '' } = template;
  const member = template.node.shape().properties.get(tagged);
  return [build, ...milder]
    .filter((each) => member?.isValid(each(sampleTag)) === true)
    .map((each) => ({ nextTag }) => ({ ...others(), [tagged]: each(nextTag()) }));
}

type Value = (run: Tagger) => JsonValue;

/**
 * Each member alone: its edge values, for references until one shows that records must exist; then
 * the ends of limits that no other probe sends, for enumerated, tagged and nested members.
 */
function memberProbes(writer: Writer, contract: Contract): readonly Probe[] {
  const { template, act } = writer;
  const { openQuestions } = contract;
  const isCreate = act === 'create';
  const { required } = template.node.shape();
  const open = new Set(openQuestions.map(openMember));
  const choose = chooserOf(writer);
  return membersOf(writer).flatMap(({ name, member }) => {
    const { values, readOnly } = member.shape();
    if (readOnly || (writer.isMerged && !writer.accepted().has(name))) return [];
    const isReference = template.references.has(name);
    const isTagged = name === template.tagged;
    const all = valuesOf(writer, name, member).filter((value) => !isTagged || value === null);
    const [usual] = all;
    const isReferring = usual !== undefined && template.referring(name) && !required.has(name);
    const edges = [
      ...(isReferring ? [['of an item', valueOfItem(writer, name, member, usual)] as const] : []),
      ...(isCreate && values ? [] : edgeValues(member, all, isCreate && isReference)),
    ];
    const sent = isCreate && values && required.has(name) ? [] : all;
    const isLimited = !open.has(name) && !isReference;
    const known = new Set(sent);
    const ends = (isLimited ? limitEdges(member) : []).filter(
      ({ value, isShownBy }) => !known.has(value) && !sent.some(isShownBy),
    );
    const single = edges.map(([label, value], index) => {
      const rank = isCreate ? (index < 4 ? 1 : index < 6 ? 3 : 4) : index < 4 && !values ? 2 : 3;
      const turn = label === maxTellingLabel ? 0 : rank > 1 ? index : undefined;
      const others = isCreate && turn !== undefined ? choose(turn) : {};
      const changes: Changes = (run) => ({
        [name]: null,
        ...others,
        [name]: isReferring ? value(run) : distinctValue(name, member, value(run), run.nextTag()),
      });
      return writeProbe(writer, `edge: ${name} ${label}`, rank, [changes]);
    });
    const limits = ends.map(({ value }, index) => {
      const changes: Changes = ({ nextTag }) => ({
        [name]: distinctValue(name, member, value, nextTag()),
      });
      const title = `limit ${index + 1}: ${name} ${describe(value)}`;
      // A list or object that every body has: no other request changes it.
      const isRead = index === 0 && !isCreate && sent.length === 1 && required.has(name);
      return writeProbe(writer, title, isRead ? 2 : 4, [changes], { isPart: true, isRead });
    });
    return [...single, ...limits];
  });
}

/** A reference to an item of another resource; where none is known that is valid, another value. */
function valueOfItem(
  { resource }: Writer,
  name: string,
  member: SchemaNode,
  other: JsonValue,
): Value {
  return ({ known }) => {
    const id = known?.references(resource).get(name);
    return id !== undefined && member.isValid(id, 'request') ? id : other;
  };
}

/**
 * The edge values of a member, with names. The ones most often corrupted come first, so that few
 * reads reveal them.
 */
function edgeValues(
  member: SchemaNode,
  values: readonly JsonValue[],
  isNewReference: boolean,
): readonly (readonly [string, Value])[] {
  const telling = tellingIntegers.filter((each) => values.includes(each));
  const edges = [...new Set([...telling, ...values])].map(
    (value) => [describe(value), () => value] as const,
  );
  if (!isNewReference) return edges;
  const fresh = freshReferences.filter(([, value]) => member.isValid(value(sample)));
  return [...fresh.slice(0, 1), ...edges, ...fresh.slice(1)];
}

/** Negative, and no double holds it: an item with it has all optional members, and is read again. */
const maxTelling = -(2n ** 53n) - 1n;

const maxTellingLabel = describe(maxTelling);

const tellingIntegers: readonly JsonValue[] = [0, maxTelling, 2n ** 63n - 1n, -(2n ** 63n)];

/**
 * References that no earlier run has sent: if one is accepted, records need not exist. The first
 * goes before the edge values; the others can wait.
 */
const freshReferences: readonly (readonly [string, Value])[] = [
  ['of no record', ({ tag }) => freshNumbers(tag)[0]],
  ['of no record, large', ({ tag }) => freshNumbers(tag)[1]],
  ['of no record, a text', ({ nextTag }) => nextTag()],
  ['of no record, another text', ({ nextTag }) => nextTag()],
];

/**
 * The optional members, turn by turn with each of their values from the last one on, then without
 * one: what an addition has besides shows what is lost once there are many items.
 */
function chooserOf(writer: Writer): (turn: number) => JsonObject {
  const optional = lazy(() =>
    leftOut(writer).map(({ name, member }) => ({ name, values: valuesOf(writer, name, member) })),
  );
  return (turn) => {
    const chosen: Record<string, JsonValue> = {};
    for (const { name, values } of optional()) {
      const value = values.at(-1 - (turn % (values.length + 1)));
      if (value !== undefined) chosen[name] = value;
    }
    return chosen;
  };
}

function textProbes(writer: Writer, contract: Contract): readonly Probe[] {
  const { operation, template, act } = writer;
  const { tagged = '' } = template;
  const proves = [requirementId.state(operation.id, `echo.${tagged}`)];
  const texts = textValuesFor(contract);
  const choose = chooserOf(writer);
  return texts.slice(0, shareOf(texts.length, contract)).flatMap((text, index) => {
    const rank = act === 'create' ? text.rank : text.rank === 1 ? 2 : 4;
    const isFull = act === 'create' && rank > 1;
    const others = (): JsonObject => ({ [tagged]: '', ...(isFull ? choose(index) : {}) });
    const bodies = textBodies(writer, text, others);
    if (bodies.length === 0) return [];
    return [writeProbe(writer, `text: ${text.name}`, rank, bodies, { proves })];
  });
}

/** Reads the item that must be unchanged after all refused requests. */
function stayProbe(resource: Resource, changes: readonly Operation[]): Probe {
  return createProbe(resource.list, 'look back', {
    phase: 'look-back',
    writes: true,
    proves: changes.flatMap(({ id }) => notWrittenIds(id)),
    run: async (run) => {
      const id = run.known.own(resource, 'stay');
      if (id !== undefined) await readBack(run, resource, id);
    },
  });
}

function notWrittenIds(operation: string): readonly string[] {
  return refusalStatuses.map((status) => requirementId.state(operation, `not-written.${status}`));
}

/** Removals, followed by checks of what is left. `changers`: operations with a documented 404. */
function removalProbes(
  contract: Contract,
  resource: Resource,
  remove: Operation,
  changers: readonly Operation[],
): readonly Probe[] {
  const { create, get } = resource;
  const success = successId(remove);
  const removed = requirementId.state(remove.id, 'removed');
  /**
   * Removes an item (the run's own, or a new one), then adds another or requests the removed one.
   */
  const removal = (
    name: string,
    looks: readonly (Operation | undefined)[],
    proves: readonly string[],
    isOwn = false,
    isAnother = false,
  ): Probe => {
    const asked = looks.flatMap((operation) => notFoundOf(contract, operation) ?? []);
    // If the document has no 404, the error is an open question, but the item must still be gone.
    const isSilent = get !== undefined && looks.includes(get) && !notFoundOf(contract, get);
    return createProbe(remove, name, {
      phase: 'remove',
      rank: isOwn ? 1 : 2,
      requests: 1 + asked.length + Number(isSilent) + Number(!isOwn) + Number(isAnother),
      proves: [...proves, ...asked],
      run: async (run) => {
        const id = await (isOwn ? ownItem(run, resource, 'remove') : addItem(run, resource));
        if (id === undefined) return;
        const request = itemRequest(remove, resource, id, validIntent([success]));
        if (isRefused(await run.session.send(request))) return;
        if (isAnother) await addItem(run, resource);
        const gone = { kind: 'unspecified', way: 'item that was removed' } as const;
        if (isSilent) await run.session.send(itemRequest(get, resource, id, gone));
        for (const operation of looks) {
          const look = absentRequest(run, operation, id);
          if (look !== undefined) await run.session.send(look);
        }
      },
    });
  };
  const probes = [removal('own item', [get, remove], [success, removed], true)];
  if (create !== undefined) {
    // The id of the last item must not be reused.
    const fresh = requirementId.state(create.id, 'id-fresh');
    probes.push(removal('the last item, then another', [], [fresh, success], false, true));
  }
  if (changers.length > 0)
    probes.push(removal('an item, then its change', [...changers, get], [removed]));
  return probes;
}

/** Upper bound of generated additions per collection in a plan. */
const maxGenerated = 120;

/**
 * Additions generated from the schema: any valid value, not only the ones somebody thought of. A
 * list precedes them, because later lists may be too long to show what refused requests left
 * behind.
 */
export function listGeneratedProbes({ contract }: PlanContext): Iterable<Probe> {
  const generated = { phase: 'generated', rank: 5 } as const;
  return contract.resources.values().flatMap((resource) => {
    const [create] = writersOf(contract)(resource);
    if (create === undefined || isLarge(create.template.node)) return [];
    const { operation, template } = create;
    const lookBack = createProbe(operation, 'look back', {
      ...generated,
      writes: false,
      proves: notWrittenIds(operation.id),
      run: ({ session }) => session.send(longestList(resource)),
    });
    const additions = Array.from({ length: shareOf(maxGenerated, contract) }, (_, index) =>
      createProbe(operation, `generated ${index + 1}`, {
        ...generated,
        leaves: resource.remove === undefined ? 0 : 1,
        proves: [successId(operation)],
        run: async (run) => {
          const salt = `generated ${operation.id} ${index}`;
          const [drawn] = run.random.sample(arbitraryOf(template.node), 1, salt);
          if (isJsonObject(drawn)) await run.session.send(drawnRequest(create, run, drawn));
        },
      }),
    );
    return [lookBack, ...additions];
  });
}
