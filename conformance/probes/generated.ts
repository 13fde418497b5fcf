import { isJsonObject, renderJson, type JsonObject } from '../../contract/json/value.ts';
import { refusalStatuses } from '../../contract/requirement/reachable-responses.ts';
import { requirementId } from '../../contract/requirement/requirement.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import { validIntent } from '../transport/exchange.ts';
import { createProbe, type PlanContext, type Probe } from './probe.ts';
import { longestList } from './parameter.ts';
import { mayRefuse, readTemplate, type BodyTemplate } from '../generate/valid-body.ts';

/** Most generated additions that a plan is offered. */
const most = 120;

/** Additions drawn from the schema: any valid value, not only those that someone thought of. */
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
  return createProbe({
    id: `${create.id}/look back`,
    phase: 'generated',
    rank: 5,
    proves: refusalStatuses.map((status) =>
      requirementId.state(create.id, `not-written.${status}`),
    ),
    run: ({ session }) => session.send(longestList(resource)),
  });
}

function generatedProbe(
  resource: Resource,
  create: Operation,
  template: BodyTemplate,
  index: number,
): Probe {
  const { node } = template;
  return createProbe({
    id: `${create.id}/generated ${index + 1}`,
    phase: 'generated',
    rank: 5,
    writes: true,
    proves: [requirementId.status(create.id, 201)],
    run: async ({ random, known, session, nextTag }) => {
      const [drawn] = random.sample(arbitraryOf(node), 1, `generated ${create.id} ${index}`);
      if (!isJsonObject(drawn)) return;
      const base = Object.fromEntries(
        [...known.references(resource)].filter(([name]) => known.restricted.has(name)),
      );
      const body = { ...drawn, ...base, ...tagText(template, drawn, nextTag()) };
      const refusable = mayRefuse(template, body, base, known.knowsReferences(resource));
      const intent = validIntent([], refusable);
      await session.send({ operation: create, body: renderJson(body), intent });
    },
  });
}

/** The tag before the text that was drawn, so that what stays behind can be told. */
function tagText(
  { tagged, node }: BodyTemplate,
  drawn: JsonObject,
  tag: string,
): Readonly<Record<string, string>> {
  const text = tagged === undefined ? undefined : drawn[tagged];
  if (tagged === undefined || typeof text !== 'string') return {};
  const long = `${tag} ${text}`;
  return {
    [tagged]: node.shape().properties.get(tagged)?.validate(long).length === 0 ? long : tag,
  };
}
