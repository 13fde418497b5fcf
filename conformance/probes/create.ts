import {
  requirementId,
  renderJson,
  type JsonObject,
  type JsonValue,
  type Operation,
  type Resource,
  type SchemaNode,
} from '../../contract/index.ts';
import { boundaryValues } from '../generate/boundary.ts';
import { statusOf, validIntent, type Exchange } from '../transport/exchange.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import type { Request } from '../transport/session.ts';
import {
  mayRefuse,
  plainBody,
  readTemplate,
  tagBody,
  type BodyTemplate,
} from '../generate/valid-body.ts';
import { sampleTag } from '../generate/tag.ts';
import { textValues } from '../generate/text-values.ts';

/** Most requests that are sent at the same time. */
const together = 4;

/** Lawful additions: together with each optional member, then alone with edges and hard texts. */
export function listCreateProbes(context: PlanContext): readonly Probe[] {
  return context.contract.resources.flatMap((resource) => {
    const { create } = resource;
    const template = create && readTemplate(context.contract, create);
    if (create === undefined || template === undefined) return [];
    const maker = { resource, create, template, plain: plainBody(template, context.random) };
    return [parallelProbe(maker), ...edgeProbes(maker), ...textProbes(maker)];
  });
}

/** What the probes of one create operation share. */
interface Maker {
  readonly resource: Resource;
  readonly create: Operation;
  readonly template: BodyTemplate;
  readonly plain: JsonObject;
}

/** A lawful request with some members changed. */
function request(
  { resource, create, template, plain }: Maker,
  { changes, exercises }: Variant,
  run: Run,
): Request {
  const base = tagBody(template, plain, run.nextTag(), run.known.references(resource));
  const body = { ...base, ...changes };
  const left = leftOut(template).filter(({ name }) => !Object.hasOwn(body, name));
  const refusable = mayRefuse(template, body, base, run.known.knowsReferences(resource));
  const intent = validIntent([...exercises, ...left.map(({ facet }) => facet)], refusable);
  return { operation: create, body: renderJson(body), intent };
}

/** What is changed of a plain body, and the requirements that it tests. */
interface Variant {
  readonly changes: JsonObject;
  readonly exercises: readonly string[];
}

function parallelProbe(maker: Maker): Probe {
  const { create, template } = maker;
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
        variants.map((variant) => request(maker, variant, run)),
      );
      const served = sent.filter(isServed);
      if (served.length === 0 || served.length === sent.length) return;
      // Some failed: sent alone, one of each tells whether the rush was to blame.
      for (const [index, variant] of variants.entries())
        if (!isServed(sent[index])) await run.session.send(request(maker, variant, run));
    },
  });
}

function isServed(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && (statusOf(exchange) ?? 300) < 300;
}

/** Members that a body may leave out, with the requirement that it may. */
function leftOut({ node, operation }: BodyTemplate) {
  const { required, properties } = node.shape();
  return [...properties]
    .filter(([name, member]) => !required.has(name) && !member.shape().readOnly)
    .map(([name, member]) => ({
      name,
      member,
      facet: requirementId.requestFacet(operation.id, [name], 'optional'),
    }));
}

/** Each edge value of each member alone; references stop where the record has to exist. */
function edgeProbes(maker: Maker): readonly Probe[] {
  const { create, template } = maker;
  return [...template.node.shape().properties].flatMap(([name, member]) => {
    const shape = member.shape();
    if (shape.values !== undefined || name === template.tagged || shape.readOnly) return [];
    const facet = takenId(create, name);
    const isReferring = template.references.has(name);
    const values = [...(isReferring ? freshReferences(member) : []), ...boundaryValues(member)];
    return values.map((value, index) =>
      createProbe({
        id: `${create.id}/edge: ${name} ${describe(value)}`,
        phase: 'values',
        rank: index < (isReferring ? 5 : 4) ? 1 : 3,
        writes: true,
        proves: [facet],
        run: async (run) => {
          if (run.known.restricted.has(name)) return;
          const variant = { changes: { [name]: value }, exercises: [facet] };
          const exchange = await run.session.send(request(maker, variant, run));
          if (index <= 1 && isReferring && isRefused(exchange) && takesNoFresh(run, create, name))
            run.known.restricted.add(name);
        },
      }),
    );
  });
}

/** A plain value that no list is likely to show: where it is taken, records need not exist. */
function freshReferences(member: SchemaNode): readonly JsonValue[] {
  return [54_321].filter((value) => member.validate(value).length === 0);
}

/** Two fresh references refused and none taken: one alone may be a value that cannot be taken. */
function takesNoFresh({ session }: Run, create: Operation, name: string): boolean {
  const fresh = session.exchanges.filter(({ probe }) =>
    probe.startsWith(`${create.id}/edge: ${name} `),
  );
  return fresh.length >= 2 && fresh.every(isRefused);
}

function describe(value: JsonValue): string {
  const text = renderJson(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function isRefused(exchange: Exchange): boolean {
  const status = statusOf(exchange) ?? 0;
  return status >= 400 && status < 500;
}

/** The id of the requirement that every value of a member's schema is taken. */
function takenId({ id }: Operation, name: string): string {
  return requirementId.requestFacet(id, [name], 'taken');
}

function textProbes(maker: Maker): readonly Probe[] {
  const { create, template } = maker;
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
          if (!isRefused(await run.session.send(request(maker, variant, run)))) return;
        }
      },
    });
  });
}
