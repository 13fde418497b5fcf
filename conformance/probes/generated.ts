import { isJsonObject } from '../../contract/json/value.ts';
import { refusalStatuses } from '../../contract/openapi/refusal.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import { longestList } from './lists.ts';
import { createProbe, shareOf, type PlanContext, type Probe } from './probe.ts';
import { addedStatus, drawnRequest, writersOf, type Writer } from './writer.ts';

/** Most generated additions of one collection that a plan is offered. */
const most = 120;

/** Additions drawn from the schema: any valid value, not only those that someone thought of. */
export function listGeneratedProbes({ contract }: PlanContext): readonly Probe[] {
  const length = shareOf(most, contract);
  return contract.resources.flatMap((resource) => {
    const [create] = writersOf(contract)(resource);
    if (create === undefined) return [];
    return [
      lookBackProbe(create),
      ...Array.from({ length }, (_, index) => generatedProbe(create, index)),
    ];
  });
}

/** A list before the additions: later ones may not show what refused requests left behind. */
function lookBackProbe({ resource, operation }: Writer): Probe {
  return createProbe({
    id: `${operation.id}/look back`,
    phase: 'generated',
    rank: 5,
    proves: refusalStatuses.map((status) =>
      requirementId.state(operation.id, `not-written.${status}`),
    ),
    run: ({ session }) => session.send(longestList(resource)),
  });
}

function generatedProbe(writer: Writer, index: number): Probe {
  const { id } = writer.operation;
  return createProbe({
    id: `${id}/generated ${index + 1}`,
    phase: 'generated',
    rank: 5,
    writes: true,
    leaves: writer.resource.remove === undefined ? 0 : 1,
    proves: [addedStatus(writer.operation)],
    run: async (run) => {
      const values = arbitraryOf(writer.template.node);
      const [drawn] = run.random.sample(values, 1, `generated ${id} ${index}`);
      if (isJsonObject(drawn)) await run.session.send(drawnRequest(writer, run, drawn));
    },
  });
}
