import type { Contract } from '../../contract/contract.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import { openMember } from '../../contract/openapi/open-question.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { documentedResponse } from '../../contract/openapi/response.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { freshNumbers, sampleTag } from '../generate/tag.ts';
import { textValues } from '../generate/text-values.ts';
import { limitEdges, mostLimitedMembers, sentValues } from '../generate/valid-body.ts';
import { successId } from '../judge/trace/trace.ts';
import { statusOf, type Exchange } from '../transport/exchange.ts';
import { createProbe, shareOf, type PlanContext, type Probe, type Run } from './probe.ts';
import { listNextProbes } from './absent.ts';
import { itemPath, readBack } from './valid-request.ts';
import {
  addedStatus,
  addedId,
  describe,
  isRefused,
  leftOut,
  ownItem,
  takenId,
  variantRequest,
  writersOf,
  type Variant,
  type Writer,
} from './writer.ts';

/** Most requests that are sent at the same time. */
const together = 4;

/** Valid additions: together with each optional member, then alone with edges and hard texts. */
export function listCreateProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => {
    const [create] = writersOf(contract)(resource);
    if (create === undefined) return [];
    return [
      togetherProbe(create),
      ...edgeProbes(create),
      ...limitProbes(create, contract),
      ...untaggedProbe(create),
      ...twinProbe(create, contract),
      ...listNextProbes(contract, resource),
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
interface Attempt extends Pick<Variant, 'exercises'> {
  readonly changes: (run: Run) => JsonObject;
  /** A reference to what need not exist: left out where the target takes only records that do. */
  readonly reference?: string | undefined;
}

/** Sends attempts until one is served, and then reads what it stored, unless asked not to. */
function writeProbe(
  writer: Writer,
  name: string,
  rank: number,
  attempts: readonly Attempt[],
  more: Partial<Probe> & { readonly isRead?: boolean } = {},
): Probe {
  const { operation, resource, act } = writer;
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
      ...attempts.flatMap(({ exercises }) => exercises),
      ...proves,
    ],
    run: async (run) => {
      const own = act === 'create' ? undefined : await ownItem(run, resource, act);
      if (!isCreate && own === undefined) return;
      const path = own === undefined ? {} : itemPath(resource, own);
      for (const { changes, exercises, reference } of attempts) {
        if (reference !== undefined && run.known.restricted.has(reference)) continue;
        const variant = { changes: changes(run), exercises };
        const sent = await run.session.send(variantRequest(writer, run, variant, path));
        if (reference !== undefined && isCreate && takesNoFresh(run, operation, reference))
          run.known.restricted.add(reference);
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
  const { operation, template } = writer;
  const optional = leftOut(template);
  const choices = optional.flatMap(({ name, member }) => {
    const exercises = [takenId(operation, name)];
    return sentValues(member).map((value) => ({ changes: { [name]: value }, exercises }));
  });
  const plain: Variant = { changes: {}, exercises: [] };
  const variants = Array.from({ length: together }, (_, at) => choices[at - 1] ?? plain);
  return createProbe({
    id: `${operation.id}/together`,
    phase: 'create',
    rank: 0,
    requests: together,
    writes: true,
    proves: [
      addedStatus(operation),
      ...optional.map(({ facet }) => facet),
      ...variants.flatMap(({ exercises }) => exercises),
      requirementId.concurrency(operation.id, 'unique'),
    ],
    run: async (run) => {
      const requests = variants.map((variant) => variantRequest(writer, run, variant));
      const sent = await run.session.sendTogether(requests);
      if (sent.every(isServed) || !sent.some(isServed)) return;
      // Some failed: one of each, sent alone, shows whether concurrency was the cause.
      for (const [index, variant] of variants.entries())
        if (!isServed(sent[index])) await run.session.send(variantRequest(writer, run, variant));
    },
  });
}

function isServed(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && (statusOf(exchange) ?? 300) < 300;
}

/** Without the tag, where the member that has it is optional. */
function untaggedProbe(writer: Writer): readonly Probe[] {
  const { tagged = '' } = writer.template;
  const left = leftOut(writer.template).filter(({ name }) => name === tagged);
  if (left.length === 0) return [];
  const untagged = { ...writer, template: { ...writer.template, tagged: undefined } };
  const proves = left.map(({ facet }) => facet);
  return [writeProbe(untagged, `without ${tagged}`, 2, [unchanged], { proves })];
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
  const { template } = writer;
  const others = otherMembers(writer);
  const changes = Object.fromEntries(others.map(({ name, value }) => [name, value]));
  const exercises = others.map(({ name }) => takenId(writer.operation, name));
  const all: Attempt = { changes: () => changes, exercises };
  const large = withLargeReference(writer, all);
  const hard = large.flatMap((each) => withHardText(writer, each, true));
  const left = leftOut(template).map(({ facet }) => facet);
  const few = writeProbe(writer, 'required members', 2, [unchanged], { proves: left });
  return [
    writeProbe(writer, 'all members', 1, [...hard, ...large, all]),
    ...(left.length > 0 ? [few] : []),
  ];
}

/** Each member alone; first one that is plain: what is served after a refusal shows the reason. */
function updateProbes(writer: Writer): readonly Probe[] {
  const { template } = writer;
  const proves = leftOut(template).map(({ facet }) => facet);
  const texts = [false, true].flatMap((isMilder) => withHardText(writer, unchanged, isMilder));
  const name = `only ${template.tagged ?? 'required members'}`;
  const tagged = writeProbe(writer, name, 1, [...texts, unchanged], { proves });
  const untagged = { ...writer, template: { ...template, tagged: undefined } };
  const [first, ...rest] = otherMembers(writer).map((each, index) => {
    const exercises = [takenId(writer.operation, each.name)];
    const attempt: Attempt = { changes: () => ({ [each.name]: each.value }), exercises };
    const rank = index === 0 ? 1 : 2;
    return writeProbe(untagged, `only ${each.name}`, rank, [attempt], { proves });
  });
  return [...(first === undefined ? [] : [first]), tagged, ...rest];
}

const unchanged: Attempt = { changes: () => ({}), exercises: [] };

/** The optional members with a value each, but for the tagged one and references. */
function otherMembers({ template }: Writer) {
  return leftOut(template).flatMap(({ name, member }) => {
    const value = sentValues(member).at(member.shape().values === undefined ? 0 : -1);
    const isText = name === template.tagged || template.references.has(name);
    return value === undefined || isText ? [] : [{ name, value }];
  });
}

/** The same with a reference that double precision rounds, where none has to exist. */
function withLargeReference({ template, operation }: Writer, all: Attempt): readonly Attempt[] {
  return [...template.references.keys()].slice(0, 1).flatMap((name) => {
    const member = template.node.shape().properties.get(name);
    const large = member && sentValues(member)[1];
    if (large === undefined) return [];
    const exercises = [...all.exercises, takenId(operation, name)];
    const changes: Attempt['changes'] = (run) => ({ ...all.changes(run), [name]: large });
    return [{ changes, exercises, reference: name }];
  });
}

/** The same with the text that is hardest on servers, or what to send where that is refused. */
function withHardText(
  { template, operation }: Writer,
  attempt: Attempt,
  isMilder: boolean,
): readonly Attempt[] {
  const [text] = textValues;
  const build = isMilder ? text?.milder?.[0] : text?.build;
  const { tagged = '' } = template;
  const member = template.node.shape().properties.get(tagged);
  if (build === undefined || member?.validate(build(sampleTag)).length !== 0) return [];
  const exercises = [...attempt.exercises, takenId(operation, tagged)];
  const changes: Attempt['changes'] = (run) => ({
    ...attempt.changes(run),
    [tagged]: build(run.nextTag()),
  });
  return [{ ...attempt, changes, exercises }];
}

/** Each edge value of each member alone; references stop where the record has to exist. */
function edgeProbes(writer: Writer): readonly Probe[] {
  const { operation, template, act } = writer;
  const isCreate = act === 'create';
  return [...template.node.shape().properties].flatMap(([name, member]) => {
    const { values, readOnly } = member.shape();
    if (name === template.tagged || readOnly || (isCreate && values !== undefined)) return [];
    const isReference = template.references.has(name);
    const edges = edgeValues(member).map((value) => ({
      label: describe(value),
      valueOf: () => value,
      isTelling: value === mostTelling,
    }));
    const [fresh = [], further = []] = isCreate && isReference ? freshReferences(member) : [];
    return [...fresh, ...edges, ...further].map(({ label, valueOf, isTelling }, index) => {
      const rank = isCreate ? (index < 4 ? 1 : index < 6 ? 3 : 4) : index < 4 && !values ? 2 : 3;
      const more = isCreate && isTelling ? choices(writer, 0) : later(writer, rank, index);
      const attempt: Attempt = {
        changes: (run) => ({ ...more.changes, [name]: valueOf(run) }),
        exercises: [takenId(operation, name), ...more.exercises],
        reference: isReference ? name : undefined,
      };
      return writeProbe(writer, `edge: ${name} ${label}`, rank, [attempt]);
    });
  });
}

/** The edges of a member; first those by which most is lost, so that few reads show it. */
function edgeValues(member: SchemaNode): readonly JsonValue[] {
  const values = sentValues(member);
  return [...new Set([...tellingIntegers.filter((each) => values.includes(each)), ...values])];
}

/** Negative, and no double holds it: an item with it has all optional members, and is read again. */
const mostTelling = -(2n ** 53n) - 1n;

const tellingIntegers = [0, mostTelling, 2n ** 63n - 1n, -(2n ** 63n)] as const;

/** Values at the ends of limits that no other probe sends: of what is listed, tagged or nested. */
function limitProbes(writer: Writer, { openQuestions }: Contract): readonly Probe[] {
  const { operation, template, act } = writer;
  const { properties, required } = template.node.shape();
  if (properties.size > mostLimitedMembers) return [];
  const open = new Set(openQuestions.map(openMember));
  return [...properties].flatMap(([name, member]) => {
    const { values, readOnly } = member.shape();
    if (open.has(name) || template.references.has(name) || readOnly) return [];
    const isSent =
      name !== template.tagged && (act !== 'create' || values === undefined || !required.has(name));
    const sent = isSent ? sentValues(member) : [];
    const exercises = [takenId(operation, name)];
    return limitEdges(member)
      .filter(({ isShownBy }) => !sent.some(isShownBy))
      .map(({ value }, index) => {
        const attempt = { changes: () => ({ [name]: value }), exercises };
        const title = `limit ${index + 1}: ${name} ${describe(value)}`;
        return writeProbe(writer, title, 4, [attempt], { isPart: true, isRead: false });
      });
  });
}

/**
 * The optional members, turn by turn with each of their values from the last one on, then without
 * one: what an addition has besides shows what is lost once there are many items.
 */
function choices({ template, operation }: Writer, turn: number): Variant {
  const chosen = leftOut(template).flatMap(({ name, member }) => {
    const values = sentValues(member);
    const value = values.at(-1 - (turn % (values.length + 1)));
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    changes: Object.fromEntries(chosen),
    exercises: chosen.map(([name]) => takenId(operation, name)),
  };
}

/** What an addition late in a run has besides. */
function later(writer: Writer, rank: number, turn: number): Variant {
  return writer.act === 'create' && rank > 1
    ? choices(writer, turn)
    : { changes: {}, exercises: [] };
}

/** A value that is made when it is sent. */
interface FreshValue {
  readonly label: string;
  readonly valueOf: (run: Pick<Run, 'tag' | 'nextTag'>) => JsonValue;
  readonly isTelling?: boolean;
}

const freshText: FreshValue['valueOf'] = ({ nextTag }) => nextTag();

/**
 * References that no run before this one sent: where they are taken, records need not exist. The
 * first one, then the others, which can wait.
 */
function freshReferences(member: SchemaNode): readonly (readonly FreshValue[])[] {
  const sample = { tag: sampleTag, nextTag: () => sampleTag };
  const values: readonly FreshValue[] = [
    { label: 'of no record', valueOf: ({ tag }) => freshNumbers(tag)[0] },
    { label: 'of no record, large', valueOf: ({ tag }) => freshNumbers(tag)[1] },
    { label: 'of no record, a text', valueOf: freshText },
    { label: 'of no record, another text', valueOf: freshText },
  ];
  const valid = values.filter(({ valueOf }) => member.validate(valueOf(sample)).length === 0);
  return [valid.slice(0, 1), valid.slice(1)];
}

/** Two fresh references refused and none taken: one alone may be a value that cannot be taken. */
function takesNoFresh({ session }: Run, { id }: Operation, name: string): boolean {
  const fresh = session.exchanges.filter(({ probe }) => probe.startsWith(`${id}/edge: ${name} `));
  return fresh.length >= 2 && fresh.every(isRefused);
}

function textProbes(writer: Writer, contract: Contract): readonly Probe[] {
  const { operation, template, act } = writer;
  const { tagged = '' } = template;
  const member = template.node.shape().properties.get(tagged);
  if (member === undefined) return [];
  const proves = [requirementId.state(operation.id, `echo.${tagged}`)];
  const offered = textValues.slice(0, shareOf(textValues.length, contract));
  return offered.flatMap(({ name, build, milder = [], rank: usual }, index) => {
    const rank = act === 'create' ? usual : usual === 1 ? 2 : 4;
    const more = later(writer, rank, index);
    const attempts = [build, ...milder]
      .filter((each) => member.validate(each(sampleTag)).length === 0)
      .map((each) => ({
        changes: (run: Run) => ({ ...more.changes, [tagged]: each(run.nextTag()) }),
        exercises: [takenId(operation, tagged), ...more.exercises],
      }));
    if (attempts.length === 0) return [];
    return [writeProbe(writer, `text: ${name}`, rank, attempts, { proves })];
  });
}
