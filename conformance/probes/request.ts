import { requirementId } from '../../contract/requirement/requirement.ts';
import { parseJson, renderJson, isJsonObject } from '../../contract/json/value.ts';
import { refusalStatus } from '../../contract/requirement/reachable-responses.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { listInvalidBodies, type InvalidBody } from '../generate/invalid-body.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import { plainBody, readTemplate, tagBody, type BodyTemplate } from '../generate/valid-body.ts';
import { itemResourceOf, resourceOf } from '../judge/trace/trace.ts';
import type { Request } from '../transport/session.ts';

/** Additions that break the contract in one way each, and have to be refused. */
export function listRequestProbes(context: PlanContext): readonly Probe[] {
  const { contract } = context;
  return contract.operations.flatMap((operation) => {
    const template = operation.path.includes('{') ? undefined : readTemplate(contract, operation);
    const status = refusalStatus(operation);
    if (template === undefined || status === undefined) return [];
    const plain = tagBody(template, plainBody(template), 'tag-00000000');
    const required = operation.requestBody?.required ?? false;
    const invalid = listInvalidBodies(operation.id, template.node, required, plain);
    return invalid.map((each) => invalidProbe(template, each, status));
  });
}

/** A request with an invalid body, to the item of `pathOf`; none is sent where there is no item. */
export function invalidProbe(
  template: BodyTemplate,
  { requirement, way, text, rank, unless }: InvalidBody,
  status: number,
  pathOf: (run: Run) => Request['path'] | undefined = () => ({}),
): Probe {
  const { operation } = template;
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
      const path = pathOf(run);
      if (path === undefined) return;
      const others = unless === undefined ? {} : { unless };
      const intent = { kind: 'invalid', requirement, way, status, ...others } as const;
      const body = text === undefined ? {} : { body: retag(operation, template, text, run) };
      await run.session.send({ operation, path, intent, ...body });
    },
  });
}

/** Gives an invalid body the run's tag and known references where those members are valid. */
function retag(operation: Operation, template: BodyTemplate, text: string, run: Run): string {
  const body = parseJson(text);
  if (!isJsonObject(body)) return text;
  const broken = new Set(template.node.validate(body).map((issue) => issue.at.split('/')[1]));
  const resource = resourceOf(run.contract, operation) ?? itemResourceOf(run.contract, operation);
  const references = resource && run.known.references(resource);
  const fresh = tagBody(template, body, run.nextTag(), references);
  const repaired = Object.entries(fresh)
    .filter(([name]) => Object.hasOwn(body, name))
    .map(([name, value]) => [name, broken.has(name) ? body[name] : value] as const);
  return renderJson(Object.fromEntries(repaired));
}
