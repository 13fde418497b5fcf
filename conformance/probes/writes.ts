import { absentProbes } from './absent.ts';
import type { Contract } from '../../contract/contract.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { openMember } from '../../contract/openapi/open-question.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { refusalStatuses } from '../../contract/openapi/refusal.ts';
import { documentedResponse } from '../../contract/openapi/response.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import { limitEdges, mostLimitedMembers, sentValues } from '../generate/edges.ts';
import { freshNumbers, sampleTag } from '../generate/tag.ts';
import { textValues, textValuesFor } from '../generate/text-values.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { successId } from '../judge/trace/trace.ts';
import { statusOf } from '../transport/exchange.ts';
import { longestList } from './lists.ts';
import { createProbe, shareOf, type PlanContext, type Probe, type Run } from './probe.ts';
import {
  addedId,
  describe,
  drawnRequest,
  isRefused,
  isServed,
  itemPath,
  leftOut,
  membersOf,
  ownItem,
  putWriterOf,
  readBack,
  takenIds,
  variantRequest,
  writersOf,
  type Writer,
} from './requests.ts';

/** Most requests that are sent at the same time. */
const together = 4;

/** Valid additions: together with each optional member, then alone with edges and hard texts. */
export function listCreateProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => {
    const [create] = writersOf(contract)(resource);
    if (create === undefined) return [];
    const put = putWriterOf(contract)(resource);
    const puts = put === undefined ? [] : [putProbe(put)];
    // What a PUT accepts is tested with changes.
    if (create === put) return [togetherProbe(create), ...puts];
    return [
      togetherProbe(create),
      ...puts,
      ...edgeProbes(create),
      ...limitProbes(create, contract),
      ...untaggedProbe(create),
      ...twinProbe(create, contract),
      // One that is read later shows a 404 that a cache remembered.
      ...absentProbes(contract, resource.get, 'next', { phase: 'values' }),
      ...textProbes(create, contract),
    ];
  });
}

/** Valid changes, each read back: of all members, of some, with edges and with hard texts. */
export function listValidChanges(writer: Writer, contract: Contract): readonly Probe[] {
  return [
    ...(writer.act === 'replace' ? replaceProbes(writer) : updateProbes(writer)),
    ...edgeProbes(writer),
    ...limitProbes(writer, contract),
    ...textProbes(writer, contract),
  ];
}

/** What to send; of several, the next where one is refused. */
interface Attempt {
  /** The members that differ from a plain body, some of them made when they are sent. */
  readonly changes: (run: Pick<Run, 'tag' | 'nextTag'>) => JsonObject;
  /** The member in question. Left out where it is a reference and the target takes only records that exist. */
  readonly member?: string | undefined;
}

const unchanged: Attempt = { changes: () => ({}) };

/** A run whose values have the form of those that are sent. */
const sample = { tag: sampleTag, nextTag: () => sampleTag };

/** Sends attempts until one is served, and then reads what it stored, unless asked not to. */
function writeProbe(
  writer: Writer,
  name: string,
  rank: number,
  attempts: readonly Attempt[],
  more: Partial<Probe> & { readonly isRead?: boolean } = {},
): Probe {
  const { operation, resource, act, template } = writer;
  const isCreate = act === 'create';
  const { isRead = !isCreate || rank > 1, proves = [], ...rest } = more;
  const facets = ['stored', 'id-kept', 'others-kept'] as const;
  const shown = [
    successId(operation),
    ...facets.map((each) => requirementId.state(operation.id, each)),
  ];
  return createProbe({
    id: `${operation.id}/${name}`,
    phase: isCreate ? 'values' : 'change',
    rank,
    requests: isRead ? 2 : 1,
    writes: true,
    proves: [
      ...(isCreate ? [] : shown),
      ...attempts.flatMap(({ changes, member }) => takenIds(operation, changes(sample), member)),
      ...proves,
    ],
    run: async (run) => {
      const { restricted } = run.known;
      const own = act === 'create' ? undefined : await ownItem(run, resource, act);
      if (!isCreate && own === undefined) return;
      const path = own === undefined ? undefined : itemPath(resource, own);
      for (const { changes, member = '' } of attempts) {
        const isReference = template.references.has(member);
        if (isReference && restricted.has(member)) continue;
        const request = variantRequest(writer, run, changes(run), path, member || undefined);
        const sent = await run.session.send(request);
        if (isReference && isCreate && takesNoFresh(run, operation, member)) restricted.add(member);
        if ((statusOf(sent) ?? 0) >= 400) continue;
        const id = own ?? addedId(sent, run, resource);
        if (isRead && id !== undefined) await readBack(run, resource, id);
        return;
      }
    },
    ...rest,
  });
}

function togetherProbe(writer: Writer): Probe {
  const { operation } = writer;
  const optional = leftOut(operation);
  const edges = optional.flatMap(({ name, member }) =>
    sentValues(member).map((value) => ({ [name]: value })),
  );
  const variants = Array.from({ length: together }, (_, at) => edges[at - 1] ?? {});
  return createProbe({
    id: `${operation.id}/together`,
    phase: 'create',
    rank: 0,
    requests: together,
    writes: true,
    proves: [
      successId(operation),
      ...optional.map(({ optionalId }) => optionalId),
      ...variants.flatMap((changes) => takenIds(operation, changes)),
      requirementId.concurrency(operation.id, 'unique'),
      requirementId.state(operation.id, 'created'),
    ],
    run: async (run) => {
      const requests = variants.map((changes) => variantRequest(writer, run, changes));
      const sent = await run.session.sendTogether(requests);
      if (sent.every(isServed) || !sent.some(isServed)) return;
      // Some failed: one of each, sent alone, shows whether concurrency was the cause.
      for (const [index, changes] of variants.entries())
        if (!isServed(sent[index])) await run.session.send(variantRequest(writer, run, changes));
    },
  });
}

/** Adds two items at paths where nothing is, and replaces the first one: what changes of them is read back. */
function putProbe(put: Writer): Probe {
  const { operation, resource } = put;
  const facets = ['created', 'stored', 'id-kept'] as const;
  return createProbe({
    id: `${operation.id}/two new items, one replaced`,
    phase: 'values',
    requests: resource.get === undefined ? 3 : 6,
    writes: true,
    proves: [
      successId(operation),
      requirementId.status(operation.id, 201),
      ...facets.map((facet) => requirementId.state(operation.id, facet)),
    ],
    run: async (run) => {
      const add = async () =>
        addedId(await run.session.send(variantRequest(put, run)), run, resource);
      const first = await add();
      const other = await add();
      if (first === undefined || other === undefined) return;
      await readBack(run, resource, first);
      const replacement = { ...put, act: 'replace' } as const;
      await run.session.send(variantRequest(replacement, run, {}, itemPath(resource, first)));
      for (const id of [first, other]) await readBack(run, resource, id);
    },
  });
}

/** Without the tag, where the member that has it is optional. */
function untaggedProbe(writer: Writer): readonly Probe[] {
  const { tagged } = writer.template;
  const left = leftOut(writer.operation).filter(({ name }) => name === tagged);
  const proves = left.map(({ optionalId }) => optionalId);
  return left.length === 0
    ? []
    : [writeProbe(withoutTag(writer), `without ${tagged}`, 2, [unchanged], { proves })];
}

/** The same of bodies without the tag. */
function withoutTag(writer: Writer): Writer {
  return { ...writer, template: { ...writer.template, tagged: undefined } };
}

/**
 * The same addition again: nothing says that two items must differ. Where a refusal of that may be
 * meant, it is not sent.
 */
function twinProbe({ operation }: Writer, contract: Contract): readonly Probe[] {
  const refusals = contract.openQuestions.length > 0 ? ['409', '422'] : ['400', '409', '422'];
  if (refusals.some((status) => documentedResponse(operation, Number(status)) !== undefined))
    return [];
  return [
    createProbe({
      id: `${operation.id}/the same again`,
      phase: 'values',
      writes: true,
      proves: [successId(operation)],
      run: async ({ session }) => {
        const first = session.exchanges.find(
          (each) =>
            each.request.operation === operation.id &&
            each.intent.kind === 'valid' &&
            isServed(each),
        );
        const { body } = first?.request ?? {};
        if (first !== undefined && body !== undefined)
          await session.send({ operation, intent: first.intent, body });
      },
    }),
  ];
}

/** Every member at once, with what is hardest on servers as far as it is taken; then no more than needed. */
function replaceProbes(writer: Writer): readonly Probe[] {
  const others = otherMembers(writer);
  const changes = Object.fromEntries(others.map(({ name, value }) => [name, value]));
  const all: Attempt = { changes: () => changes };
  const large = withLargeReference(writer, changes);
  const hard = large.flatMap((each) => withHardText(writer, each, true));
  const proves = leftOut(writer.operation).map(({ optionalId }) => optionalId);
  return [
    writeProbe(writer, 'all members', 1, [...hard, ...large, all]),
    ...(proves.length > 0
      ? [writeProbe(writer, 'required members', 2, [unchanged], { proves })]
      : []),
  ];
}

/** Each member alone; first one that is plain: what is served after a refusal shows the reason. */
function updateProbes(writer: Writer): readonly Probe[] {
  const { template, operation } = writer;
  const proves = leftOut(operation).map(({ optionalId }) => optionalId);
  const texts = [false, true].flatMap((isMilder) => withHardText(writer, unchanged, isMilder));
  const name = `only ${template.tagged ?? 'required members'}`;
  const tagged = writeProbe(writer, name, 1, [...texts, unchanged], { proves });
  const [first, ...rest] = otherMembers(writer).map((each, index) => {
    const attempt = { changes: () => ({ [each.name]: each.value }) };
    const rank = index === 0 ? 1 : 2;
    return writeProbe(withoutTag(writer), `only ${each.name}`, rank, [attempt], { proves });
  });
  return [...(first === undefined ? [] : [first]), tagged, ...rest];
}

/** The optional members with a value each, but for the tagged one and references. */
function otherMembers({ template, operation }: Writer) {
  return leftOut(operation).flatMap(({ name, member }) => {
    const value = sentValues(member).at(member.shape().values === undefined ? 0 : -1);
    const isText = name === template.tagged || template.references.has(name);
    return value === undefined || isText ? [] : [{ name, value }];
  });
}

/** With a reference as well that double precision rounds, where none has to exist. */
function withLargeReference({ template }: Writer, changes: JsonObject): readonly Attempt[] {
  const [member = ''] = template.references.keys();
  const node = template.node.shape().properties.get(member);
  const large = node && sentValues(node)[1];
  return large === undefined ? [] : [{ changes: () => ({ ...changes, [member]: large }), member }];
}

/** The same with the text that is hardest on servers, or what to send where that is refused. */
function withHardText(
  { template }: Writer,
  attempt: Attempt,
  isMilder: boolean,
): readonly Attempt[] {
  const [text] = textValues;
  const build = isMilder ? text?.milder?.[0] : text?.build;
  const { tagged = '' } = template;
  const member = template.node.shape().properties.get(tagged);
  if (build === undefined || member?.validate(build(sampleTag)).length !== 0) return [];
  const changes: Attempt['changes'] = (run) => ({
    ...attempt.changes(run),
    [tagged]: build(run.nextTag()),
  });
  return [{ ...attempt, changes }];
}

/** Each edge value of each member alone; references stop where the record has to exist. */
function edgeProbes(writer: Writer): readonly Probe[] {
  const { operation, template, act } = writer;
  const isCreate = act === 'create';
  return membersOf(operation).flatMap(({ name, member }) => {
    const { values, readOnly } = member.shape();
    if (name === template.tagged || readOnly || (isCreate && values !== undefined)) return [];
    const edges = edgeValues(member).map((value): EdgeValue => [
      describe(value),
      () => value,
      value === mostTelling,
    ]);
    const isReference = isCreate && template.references.has(name);
    const [fresh, ...further] = isReference ? freshReferences(member) : [];
    return [...(fresh ? [fresh] : []), ...edges, ...further].map(
      ([label, valueOf, isTelling = false], index) => {
        const rank = isCreate ? (index < 4 ? 1 : index < 6 ? 3 : 4) : index < 4 && !values ? 2 : 3;
        const more = isCreate && isTelling ? choices(writer, 0) : later(writer, rank, index);
        const changes: Attempt['changes'] = (run) => ({ ...more, [name]: valueOf(run) });
        return writeProbe(writer, `edge: ${name} ${label}`, rank, [{ changes, member: name }]);
      },
    );
  });
}

type EdgeValue = readonly [
  label: string,
  valueOf: (run: Pick<Run, 'tag' | 'nextTag'>) => JsonValue,
  isTelling?: boolean,
];

/** The edges of a member; first those by which most is lost, so that few reads show it. */
function edgeValues(member: SchemaNode): readonly JsonValue[] {
  const values = sentValues(member);
  return [...new Set([...tellingIntegers.filter((each) => values.includes(each)), ...values])];
}

/** Negative, and no double holds it: an item with it has all optional members, and is read again. */
const mostTelling = -(2n ** 53n) - 1n;

const tellingIntegers = [0, mostTelling, 2n ** 63n - 1n, -(2n ** 63n)] as const;

/**
 * References that no run before this one sent: where they are taken, records need not exist. The
 * first one goes before the edges; the others can wait.
 */
function freshReferences(member: SchemaNode): readonly EdgeValue[] {
  const values: readonly EdgeValue[] = [
    ['of no record', ({ tag }) => freshNumbers(tag)[0]],
    ['of no record, large', ({ tag }) => freshNumbers(tag)[1]],
    ['of no record, a text', ({ nextTag }) => nextTag()],
    ['of no record, another text', ({ nextTag }) => nextTag()],
  ];
  return values.filter(([, valueOf]) => member.validate(valueOf(sample)).length === 0);
}

/** Two fresh references refused and none taken: one alone may be a value that cannot be taken. */
function takesNoFresh({ session }: Run, { id }: Operation, name: string): boolean {
  const fresh = session.exchanges.filter(({ probe }) => probe.startsWith(`${id}/edge: ${name} `));
  return fresh.length >= 2 && fresh.every(isRefused);
}

/** Values at the ends of limits that no other probe sends: of what is listed, tagged or nested. */
function limitProbes(writer: Writer, { openQuestions }: Contract): readonly Probe[] {
  const { operation, template, act } = writer;
  const { properties, required } = template.node.shape();
  if (properties.size > mostLimitedMembers) return [];
  const open = new Set(openQuestions.map(openMember));
  return membersOf(operation).flatMap(({ name, member }) => {
    const { values, readOnly } = member.shape();
    if (open.has(name) || template.references.has(name) || readOnly) return [];
    const isSent =
      name !== template.tagged && (act !== 'create' || values === undefined || !required.has(name));
    const sent = isSent ? sentValues(member) : [];
    return limitEdges(member)
      .filter(({ isShownBy }) => !sent.some(isShownBy))
      .map(({ value }, index) => {
        const title = `limit ${index + 1}: ${name} ${describe(value)}`;
        const attempts = [{ changes: () => ({ [name]: value }) }];
        return writeProbe(writer, title, 4, attempts, { isPart: true, isRead: false });
      });
  });
}

/**
 * The optional members, turn by turn with each of their values from the last one on, then without
 * one: what an addition has besides shows what is lost once there are many items.
 */
function choices({ operation }: Writer, turn: number): JsonObject {
  const chosen: Record<string, JsonValue> = {};
  for (const { name, member } of leftOut(operation)) {
    const values = sentValues(member);
    const value = values.at(-1 - (turn % (values.length + 1)));
    if (value !== undefined) chosen[name] = value;
  }
  return chosen;
}

/** What an addition late in a run has besides. */
function later(writer: Writer, rank: number, turn: number): JsonObject {
  return writer.act === 'create' && rank > 1 ? choices(writer, turn) : {};
}

function textProbes(writer: Writer, contract: Contract): readonly Probe[] {
  const { operation, template, act } = writer;
  const { tagged = '' } = template;
  const member = template.node.shape().properties.get(tagged);
  if (member === undefined) return [];
  const proves = [requirementId.state(operation.id, `echo.${tagged}`)];
  const texts = textValuesFor(contract);
  const offered = texts.slice(0, shareOf(texts.length, contract));
  return offered.flatMap(({ name, build, milder = [], rank: usual }, index) => {
    const rank = act === 'create' ? usual : usual === 1 ? 2 : 4;
    const more = later(writer, rank, index);
    const attempts = [build, ...milder]
      .filter((each) => member.validate(each(sampleTag)).length === 0)
      .map((each) => ({
        changes: (run: Pick<Run, 'nextTag'>) => ({ ...more, [tagged]: each(run.nextTag()) }),
        member: tagged,
      }));
    if (attempts.length === 0) return [];
    return [writeProbe(writer, `text: ${name}`, rank, attempts, { proves })];
  });
}

/** Most generated additions of one collection that a plan is offered. */
const mostGenerated = 120;

/**
 * Additions drawn from the schema: any valid value, not only those that someone thought of. A list goes
 * before them, as later ones may not show what refused requests left behind.
 */
export function listGeneratedProbes({ contract }: PlanContext): readonly Probe[] {
  const generated = { phase: 'generated', rank: 5 } as const;
  return contract.resources.flatMap((resource) => {
    const [create] = writersOf(contract)(resource);
    if (create === undefined) return [];
    const { id } = create.operation;
    const lookBack = createProbe({
      ...generated,
      id: `${id}/look back`,
      proves: refusalStatuses.map((status) => requirementId.state(id, `not-written.${status}`)),
      run: ({ session }) => session.send(longestList(resource)),
    });
    const additions = Array.from({ length: shareOf(mostGenerated, contract) }, (_, index) =>
      createProbe({
        ...generated,
        id: `${id}/generated ${index + 1}`,
        writes: true,
        leaves: resource.remove === undefined ? 0 : 1,
        proves: [successId(create.operation)],
        run: async (run) => {
          const values = arbitraryOf(create.template.node);
          const [drawn] = run.random.sample(values, 1, `generated ${id} ${index}`);
          if (isJsonObject(drawn)) await run.session.send(drawnRequest(create, run, drawn));
        },
      }),
    );
    return [lookBack, ...additions];
  });
}
