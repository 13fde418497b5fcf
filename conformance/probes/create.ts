import { openMember } from '../../contract/openapi/open-question.ts';
import { requirementId } from '../../contract/requirement/requirement.ts';
import type { Contract } from '../../contract/contract.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { documentedResponse } from '../../contract/openapi/response.ts';
import { boundaryValues } from '../generate/boundary.ts';
import { limitEdges, plainBody, readTemplate } from '../generate/valid-body.ts';
import { freshNumbers, sampleTag } from '../generate/tag.ts';
import { textValues } from '../generate/text-values.ts';
import { successId } from '../judge/trace/trace.ts';
import { statusOf, type Exchange } from '../transport/exchange.ts';
import {
  describe,
  takenId,
  isRefused,
  leftOut,
  variantRequest,
  type Variant,
  type Writer,
} from './body-variant.ts';
import { readBack } from './valid-request.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import { listNextProbes } from './state.ts';

/** Most requests that are sent at the same time. */
const together = 4;

/** Valid additions: together with each optional member, then alone with edges and hard texts. */
export function listCreateProbes(context: PlanContext): readonly Probe[] {
  return context.contract.resources.flatMap((resource) => {
    const { create } = resource;
    const template = create && readTemplate(context.contract, create);
    if (create === undefined || template === undefined) return [];
    const plain = plainBody(template);
    const maker = { resource, operation: create, template, plain };
    return [
      parallelProbe(maker),
      ...edgeProbes(maker),
      ...limitProbes(maker, context.contract),
      ...twinProbe(maker, context.contract),
      ...listNextProbes(resource),
      ...textProbes(maker),
    ];
  });
}

function parallelProbe(maker: Writer): Probe {
  const { operation: create, template } = maker;
  const optional = leftOut(template);
  const choices = optional.flatMap(({ name, member }) => {
    const exercises = [takenId(create, name)];
    return boundaryValues(member).map((value) => ({ changes: { [name]: value }, exercises }));
  });
  const plain: Variant = { changes: {}, exercises: [] };
  const variants = Array.from({ length: together }, (_, at) => choices[at - 1] ?? plain);
  return createProbe({
    id: `${create.id}/together`,
    phase: 'create',
    rank: 0,
    requests: together,
    writes: true,
    proves: [
      requirementId.status(create.id, 201),
      ...optional.map(({ facet }) => facet),
      ...variants.flatMap(({ exercises }) => exercises),
      requirementId.concurrency(create.id, 'unique'),
    ],
    run: async (run) => {
      const sent = await run.session.sendTogether(
        variants.map((variant) => variantRequest(maker, variant, run)),
      );
      const served = sent.filter(isServed);
      if (served.length === 0 || served.length === sent.length) return;
      // Some failed: sent alone, one of each tells whether the rush was to blame.
      for (const [index, variant] of variants.entries())
        if (!isServed(sent[index])) await run.session.send(variantRequest(maker, variant, run));
    },
  });
}

/**
 * The same addition again: nothing says that two items must differ. Where a refusal of that may be
 * meant, it is not sent.
 */
function twinProbe({ operation: create }: Writer, contract: Contract): readonly Probe[] {
  const refusals = contract.openQuestions.length > 0 ? ['409', '422'] : ['400', '409', '422'];
  if (refusals.some((status) => documentedResponse(create, Number(status)) !== undefined))
    return [];
  return [
    createProbe({
      id: `${create.id}/the same again`,
      phase: 'values',
      writes: true,
      proves: [successId(create)],
      run: async ({ session }) => {
        const first = session.exchanges.find(
          (each) =>
            each.request.operation === create.id && each.intent.kind === 'valid' && isServed(each),
        );
        const { body } = first?.request ?? {};
        if (first === undefined || body === undefined) return;
        await session.send({ operation: create, intent: first.intent, body });
      },
    }),
  ];
}

function isServed(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && (statusOf(exchange) ?? 300) < 300;
}

/** Each edge value of each member alone; references stop where the record has to exist. */
function edgeProbes(maker: Writer): readonly Probe[] {
  const { operation: create, resource, template } = maker;
  return [...template.node.shape().properties].flatMap(([name, member]) => {
    const shape = member.shape();
    if (shape.values !== undefined || name === template.tagged || shape.readOnly) return [];
    const facet = takenId(create, name);
    const isReferring = template.references.has(name);
    const edges = edgeValues(member).map((value) => ({
      label: describe(value),
      valueOf: () => value,
    }));
    const [fresh = [], further = []] = isReferring ? freshReferences(member) : [];
    return [...fresh, ...edges, ...further].map(({ label, valueOf }, index) => {
      const rank = index < 4 ? 1 : index < 6 ? 3 : 4;
      return createProbe({
        id: `${create.id}/edge: ${name} ${label}`,
        phase: 'values',
        rank,
        requests: rank === 1 ? 1 : 2,
        writes: true,
        proves: [facet],
        run: async (run) => {
          if (run.known.restricted.has(name)) return;
          const value = valueOf(run);
          const more = value === mostTelling ? choices(maker, 0) : later(maker, rank, index);
          const changes = { ...Object.fromEntries(more), [name]: value };
          const exercises = [facet, ...more.map(([other]) => takenId(create, other))];
          const variant = { changes, exercises };
          const exchange = await run.session.send(variantRequest(maker, variant, run));
          if (rank > 1) await readAdded(exchange, run, resource);
          if (index <= 1 && isReferring && isRefused(exchange) && takesNoFresh(run, create, name))
            run.known.restricted.add(name);
        },
      });
    });
  });
}

/** Values at the ends of limits that no other probe sends: of what is listed, tagged or nested. */
function limitProbes(maker: Writer, { openQuestions }: Contract): readonly Probe[] {
  const { operation: create, template } = maker;
  const { properties, required } = template.node.shape();
  const open = new Set(openQuestions.map(openMember));
  return [...properties].flatMap(([name, member]) => {
    const shape = member.shape();
    if (open.has(name) || template.references.has(name) || shape.readOnly) return [];
    const isSent = shape.values === undefined ? name !== template.tagged : !required.has(name);
    const sent = isSent ? boundaryValues(member) : [];
    const facet = takenId(create, name);
    return limitEdges(member)
      .filter(({ isShownBy }) => !sent.some(isShownBy))
      .map(({ value }, index) =>
        createProbe({
          id: `${create.id}/limit ${index + 1}: ${name} ${describe(value)}`,
          phase: 'values',
          rank: 4,
          writes: true,
          proves: [facet],
          isPart: true,
          run: async (run) => {
            const variant = { changes: { [name]: value }, exercises: [facet] };
            await run.session.send(variantRequest(maker, variant, run));
          },
        }),
      );
  });
}

/** Reads an item that was added: a list may be too short to show it. */
async function readAdded(exchange: Exchange, run: Run, resource: Resource): Promise<void> {
  const [id] =
    [...run.known.added(resource)].findLast(([, each]) => each.exchange === exchange) ?? [];
  if (id !== undefined) await readBack(run, resource, id);
}

/** The edges of a member; first those by which most is lost, so that few reads show it. */
function edgeValues(member: SchemaNode): readonly JsonValue[] {
  const values = boundaryValues(member);
  return [...new Set([...tellingIntegers.filter((each) => values.includes(each)), ...values])];
}

/** Negative, and no double holds it: an item with it has all optional members, and is read again. */
const mostTelling = -(2n ** 53n) - 1n;

const tellingIntegers = [0, mostTelling, 2n ** 63n - 1n, -(2n ** 63n)] as const;

type Choices = readonly (readonly [name: string, value: JsonValue])[];

/** The optional members, turn by turn with each of their values from the last one on, then without one. */
function choices({ template }: Writer, turn: number): Choices {
  return leftOut(template).flatMap(({ name, member }) => {
    const values = boundaryValues(member);
    const value = values.at(-1 - (turn % (values.length + 1)));
    return value === undefined ? [] : [[name, value] as const];
  });
}

/** What an addition late in a run has besides: it shows what is lost once there are many items. */
function later(maker: Writer, rank: number, turn: number): Choices {
  return rank > 1 ? choices(maker, turn) : [];
}

/** A value that is made when it is sent. */
interface FreshValue {
  readonly label: string;
  readonly valueOf: (run: Pick<Run, 'tag' | 'nextTag'>) => JsonValue;
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
function takesNoFresh({ session }: Run, create: Operation, name: string): boolean {
  const fresh = session.exchanges.filter(({ probe }) =>
    probe.startsWith(`${create.id}/edge: ${name} `),
  );
  return fresh.length >= 2 && fresh.every(isRefused);
}

function textProbes(maker: Writer): readonly Probe[] {
  const { operation: create, template } = maker;
  const { tagged } = template;
  if (tagged === undefined) return [];
  const member = template.node.shape().properties.get(tagged);
  const facet = takenId(create, tagged);
  return textValues.flatMap(({ name, build, milder = [], rank }, index) => {
    if (member === undefined || member.validate(build(sampleTag)).length > 0) return [];
    const more = later(maker, rank, index);
    const exercises = [facet, ...more.map(([other]) => takenId(create, other))];
    return createProbe({
      id: `${create.id}/text: ${name}`,
      phase: 'values',
      rank,
      requests: rank === 1 ? 1 : 2,
      writes: true,
      proves: [facet, requirementId.state(create.id, `echo.${tagged}`)],
      run: async (run) => {
        for (const each of [build, ...milder]) {
          const text = each(run.nextTag());
          if (member.validate(text).length > 0) continue;
          const changes = { ...Object.fromEntries(more), [tagged]: text };
          const variant = { changes, exercises };
          const exchange = await run.session.send(variantRequest(maker, variant, run));
          if (isRefused(exchange)) continue;
          if (rank > 1) await readAdded(exchange, run, maker.resource);
          return;
        }
      },
    });
  });
}
