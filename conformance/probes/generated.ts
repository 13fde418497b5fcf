import {
  isJsonObject,
  requirementId,
  renderJson,
  type JsonValue,
  type Operation,
  type Resource,
} from '../../contract/index.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import type { PlanContext, Probe } from './probe.ts';
import { longestList } from './parameter.ts';
import { mayRefuse, readTemplate, type BodyTemplate } from '../generate/valid-body.ts';

/** Most generated additions that a plan is offered. */
const most = 120;

/** Additions drawn from the schema: any lawful value, not only those that someone thought of. */
export function listGeneratedProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => {
    const { create } = resource;
    const template = create && readTemplate(contract, create);
    if (create === undefined || template === undefined) return [];
    return [
      lookBackProbe(resource, create),
      ...Array.from({ length: most }, (_, index) =>
        generatedProbe(resource, create, template, index),
      ),
    ];
  });
}

/** A list before the additions: later ones may not show what refused requests left behind. */
function lookBackProbe(resource: Resource, create: Operation): Probe {
  return {
    id: `${create.id}/look back`,
    phase: 'generated',
    rank: 5,
    requests: 1,
    writes: false,
    proves: [400, 401].map((status) => requirementId.state(create.id, `not-written.${status}`)),
    run: async ({ session }) => {
      await session.send(longestList(resource));
    },
  };
}

function generatedProbe(
  resource: Resource,
  create: Operation,
  template: BodyTemplate,
  index: number,
): Probe {
  return {
    id: `${create.id}/generated ${index + 1}`,
    phase: 'generated',
    rank: 5,
    requests: 1,
    writes: true,
    proves: [requirementId.status(create.id, 201)],
    run: async (run) => {
      const [drawn] = run.random.sample(
        arbitraryOf(template.node),
        1,
        `generated ${create.id} ${index}`,
      );
      if (!isJsonObject(drawn)) return;
      const base = Object.fromEntries(
        [...run.known.references(resource)].filter(([name]) => run.known.restricted.has(name)),
      );
      const body = { ...drawn, ...base, ...tagText(template, drawn, run.nextTag()) };
      const intent = {
        kind: 'valid',
        exercises: [],
        mayRefuse: mayRefuse(template, body, base, run.known.knowsReferences(resource)),
      } as const;
      await run.session.send({ operation: create, body: renderJson(body), intent });
    },
  };
}

/** The tag before the text that was drawn, so that what stays behind can be told. */
function tagText(
  { tagged, node }: BodyTemplate,
  drawn: Readonly<Record<string, JsonValue | undefined>>,
  tag: string,
): Readonly<Record<string, string>> {
  const text = tagged === undefined ? undefined : drawn[tagged];
  if (tagged === undefined || typeof text !== 'string') return {};
  const long = `${tag} ${text}`;
  return {
    [tagged]: node.shape().properties.get(tagged)?.validate(long).length === 0 ? long : tag,
  };
}
