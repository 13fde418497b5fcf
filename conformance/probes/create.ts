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
import type { Exchange } from '../transport/exchange.ts';
import type { PlanContext, Probe, Run } from './probe.ts';
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
  changes: JsonObject,
  specific: readonly string[],
  run: Run,
): Request {
  const base = tagBody(template, plain, run.nextTag(), run.known.references(resource));
  const body = { ...base, ...changes };
  const left = optionalMembers(template).filter((name) => !Object.hasOwn(body, name));
  const exercises = [
    ...specific,
    ...left.map((name) => requirementId.requestFacet(create.id, [name], 'optional')),
  ];
  const refusable = mayRefuse(template, body, base, run.known.knowsReferences(resource));
  const intent = { kind: 'valid', exercises, mayRefuse: refusable } as const;
  return { operation: create, body: renderJson(body), intent };
}

function parallelProbe(maker: Maker): Probe {
  const { create, template } = maker;
  const { properties } = template.node.shape();
  const optional = optionalMembers(template);
  const none = optional.map((name) => requirementId.requestFacet(create.id, [name], 'optional'));
  const choices = optional.flatMap((name) => {
    const member = properties.get(name);
    if (member === undefined) return [];
    const facet = member.shape().values !== undefined ? 'values' : 'type';
    return boundaryValues(member).map((value) => ({
      changes: { [name]: value },
      exercises: [requirementId.requestFacet(create.id, [name], facet)],
    }));
  });
  const plain = { changes: {}, exercises: [] };
  const variants = Array.from({ length: together }, (_, at) => choices[at - 1] ?? plain);
  return {
    id: `${create.id}/together`,
    phase: 'create',
    rank: 0,
    requests: together,
    writes: true,
    proves: [
      requirementId.status(create.id, 201),
      ...none,
      ...variants.flatMap(({ exercises }) => exercises),
      requirementId.concurrency(create.id, 'unique'),
    ],
    run: async (run) => {
      const sent = await run.session.sendTogether(
        variants.map(({ changes, exercises }) => request(maker, changes, exercises, run)),
      );
      const served = sent.filter(isServed);
      if (served.length === 0 || served.length === sent.length) return;
      // Some failed: sent alone, one of each tells whether the rush was to blame.
      for (const [index, { changes, exercises }] of variants.entries()) {
        if (!isServed(sent[index])) await run.session.send(request(maker, changes, exercises, run));
      }
    },
  };
}

function isServed(exchange: Exchange | undefined): boolean {
  return exchange?.outcome.kind === 'answered' && exchange.outcome.response.status < 300;
}

/** Members that a body may leave out. */
function optionalMembers({ node }: BodyTemplate): readonly string[] {
  const { required, properties } = node.shape();
  return [...properties]
    .filter(([name, member]) => !required.has(name) && !member.shape().readOnly)
    .map(([name]) => name);
}

/** Each edge value of each member alone; references stop where the record has to exist. */
function edgeProbes(maker: Maker): readonly Probe[] {
  const { create, template } = maker;
  return [...template.node.shape().properties].flatMap(([name, member]) => {
    const shape = member.shape();
    if (shape.values !== undefined || name === template.tagged || shape.readOnly) return [];
    const facet = formOf(create, name, member);
    return boundaryValues(member).map((value, index) => ({
      id: `${create.id}/edge: ${name} ${describe(value)}`,
      phase: 'values' as const,
      rank: index < 4 ? 1 : 3,
      requests: 1,
      writes: true,
      proves: [facet],
      run: async (run: Run) => {
        if (run.known.restricted.has(name)) return;
        const exchange = await run.session.send(request(maker, { [name]: value }, [facet], run));
        const isReference = index <= 1 && template.references.has(name);
        if (isReference && isRefused(exchange) && takesNoFresh(run, create, name))
          run.known.restricted.add(name);
      },
    }));
  });
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

function isRefused({ outcome }: Exchange): boolean {
  return (
    outcome.kind === 'answered' && outcome.response.status >= 400 && outcome.response.status < 500
  );
}

/** The farthest value of the first reference: with a hard text one read shows both. */
function lastReferenceEdge({ references, node, operation }: BodyTemplate): {
  readonly name: string;
  readonly changes: JsonObject;
  readonly facets: readonly string[];
} {
  const [name = ''] = references.keys();
  const member = node.shape().properties.get(name);
  const value = member && boundaryValues(member).at(3);
  if (member === undefined || value === undefined || !member.shape().types.includes('integer'))
    return { name, changes: {}, facets: [] };
  return { name, changes: { [name]: value }, facets: [formOf(operation, name, member)] };
}

function formOf({ id }: Operation, name: string, member: SchemaNode): string {
  return requirementId.requestFacet(id, [name], member.shape().format ? 'format' : 'type');
}

function textProbes(maker: Maker): readonly Probe[] {
  const { create, template } = maker;
  const { tagged } = template;
  if (tagged === undefined) return [];
  const member = template.node.shape().properties.get(tagged);
  const facet = requirementId.requestFacet(create.id, [tagged], 'type');
  const edge = lastReferenceEdge(template);
  return textValues.flatMap(({ name, build, milder }, index) => {
    if (member === undefined || member.validate(build(sampleTag)).length > 0) return [];
    return {
      id: `${create.id}/text: ${name}`,
      phase: 'values' as const,
      rank: index < 3 ? 1 : 4,
      requests: 1,
      writes: true,
      proves: [facet, requirementId.state(create.id, `echo.${tagged}`)],
      run: async (run: Run) => {
        const others = run.known.restricted.has(edge.name)
          ? {}
          : index === 0
            ? edge.changes
            : { [edge.name]: 54_321 + index };
        for (const each of milder === undefined ? [build] : [build, milder]) {
          const text = each(run.nextTag());
          if (member.validate(text).length > 0) continue;
          const changes = { ...(edge.facets.length === 0 ? {} : others), [tagged]: text };
          const exercises = [facet, ...edge.facets];
          const exchange = await run.session.send(request(maker, changes, exercises, run));
          if (!isRefused(exchange)) return;
        }
      },
    };
  });
}
