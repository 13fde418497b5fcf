import {
  requirementId,
  parseJson,
  renderJson,
  isJsonObject,
  type JsonObject,
  type Operation,
} from '../../contract/index.ts';
import { listInvalidBodies, type InvalidBody } from '../generate/invalid-body.ts';
import type { PlanContext, Probe, Run } from './probe.ts';
import { plainBody, readTemplate, tagBody, type BodyTemplate } from '../generate/valid-body.ts';
import { resourceOf } from '../judge/trace/trace.ts';

/** Additions that break the contract in one way each, and have to be refused. */
export function listRequestProbes(context: PlanContext): readonly Probe[] {
  const { contract } = context;
  return contract.operations.flatMap((operation) => {
    const template = operation.path.includes('{') ? undefined : readTemplate(contract, operation);
    const status = operation.responses.find((response) =>
      /^4(00|22)$/.test(response.status),
    )?.status;
    if (template === undefined || status === undefined) return [];
    const plain = tagBody(template, plainBody(template, context.random), 'tag-00000000', new Map());
    const invalid = listInvalidBodies(
      operation.id,
      template.node,
      operation.requestBody?.required ?? false,
      plain,
    );
    return invalid.map((each) => invalidProbe(operation, template, each, Number(status)));
  });
}

function invalidProbe(
  operation: Operation,
  template: BodyTemplate,
  invalid: InvalidBody,
  status: number,
): Probe {
  return {
    id: `${operation.id}/invalid: ${invalid.way}`,
    phase: 'invalid',
    rank: invalid.rank,
    requests: 1,
    writes: true,
    proves: [invalid.requirement, requirementId.state(operation.id, `not-written.${status}`)],
    run: async (run) => {
      const body =
        invalid.text === undefined ? {} : { body: retag(operation, template, invalid.text, run) };
      const unless = invalid.unless === undefined ? {} : { unless: invalid.unless };
      await run.session.send({
        operation,
        intent: {
          kind: 'invalid',
          requirement: invalid.requirement,
          way: invalid.way,
          status,
          ...unless,
        },
        ...body,
      });
    },
  };
}

/** Gives an invalid body the run's tag and known references where those members are valid. */
function retag(operation: Operation, template: BodyTemplate, text: string, run: Run): string {
  const body = parseJson(text);
  if (!isJsonObject(body)) return text;
  const spoiled = new Set(template.node.validate(body).map((issue) => issue.at.split('/')[1]));
  const resource = resourceOf(run.contract, operation);
  const references =
    resource !== undefined ? run.known.references(resource) : new Map<string, never>();
  const fresh = tagBody(template, body, run.nextTag(), references);
  const mended = Object.entries(fresh).map(
    ([name, value]) => [name, spoiled.has(name) ? body[name] : value] as const,
  );
  const valid: JsonObject = Object.fromEntries(
    mended.filter(([name]) => Object.hasOwn(body, name)),
  );
  return renderJson(valid);
}
