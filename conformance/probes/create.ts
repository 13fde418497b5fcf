import {
  requirementId,
  type JsonValue,
  type Operation,
  type SchemaNode,
} from '../../contract/index.ts';
import { boundaryValues } from '../generate/boundary.ts';
import { plainBody, readTemplate } from '../generate/valid-body.ts';
import { freshNumbers, sampleTag } from '../generate/tag.ts';
import { textValues } from '../generate/text-values.ts';
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
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';

/** Most requests that are sent at the same time. */
const together = 4;

/** Lawful additions: together with each optional member, then alone with edges and hard texts. */
export function listCreateProbes(context: PlanContext): readonly Probe[] {
  return context.contract.resources.flatMap((resource) => {
    const { create } = resource;
    const template = create && readTemplate(context.contract, create);
    if (create === undefined || template === undefined) return [];
    const plain = plainBody(template);
    const maker = { resource, operation: create, template, plain };
    return [parallelProbe(maker), ...edgeProbes(maker), ...textProbes(maker)];
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

function isServed(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && (statusOf(exchange) ?? 300) < 300;
}

/** Each edge value of each member alone; references stop where the record has to exist. */
function edgeProbes(maker: Writer): readonly Probe[] {
  const { operation: create, template } = maker;
  return [...template.node.shape().properties].flatMap(([name, member]) => {
    const shape = member.shape();
    if (shape.values !== undefined || name === template.tagged || shape.readOnly) return [];
    const facet = takenId(create, name);
    const isReferring = template.references.has(name);
    const edges = boundaryValues(member).map((value) => ({
      label: describe(value),
      valueOf: () => value,
    }));
    const [fresh = [], further = []] = isReferring ? freshReferences(member) : [];
    return [...fresh, ...edges, ...further].map(({ label, valueOf }, index) =>
      createProbe({
        id: `${create.id}/edge: ${name} ${label}`,
        phase: 'values',
        rank: index < (isReferring ? 5 : 4) ? 1 : 3,
        writes: true,
        proves: [facet],
        run: async (run) => {
          if (run.known.restricted.has(name)) return;
          const variant = { changes: { [name]: valueOf(run) }, exercises: [facet] };
          const exchange = await run.session.send(variantRequest(maker, variant, run));
          if (index <= 1 && isReferring && isRefused(exchange) && takesNoFresh(run, create, name))
            run.known.restricted.add(name);
        },
      }),
    );
  });
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
  return textValues.flatMap(({ name, build, milder }, index) => {
    if (member === undefined || member.validate(build(sampleTag)).length > 0) return [];
    return createProbe({
      id: `${create.id}/text: ${name}`,
      phase: 'values',
      rank: index < 4 ? 1 : 4,
      writes: true,
      proves: [facet, requirementId.state(create.id, `echo.${tagged}`)],
      run: async (run) => {
        for (const each of milder === undefined ? [build] : [build, milder]) {
          const text = each(run.nextTag());
          if (member.validate(text).length > 0) continue;
          const variant = { changes: { [tagged]: text }, exercises: [facet] };
          if (!isRefused(await run.session.send(variantRequest(maker, variant, run)))) return;
        }
      },
    });
  });
}
