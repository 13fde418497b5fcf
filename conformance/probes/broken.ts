import {
  obligationId,
  parseJson,
  renderJson,
  isJsonObject,
  type JsonObject,
} from '../../contract/index.ts';
import { listBrokenBodies, type BrokenBody } from '../generate/broken-body.ts';
import type { PlanContext, Probe, Run } from './probe.ts';
import { plainBody, readRecipe, tagBody, type BodyRecipe } from '../generate/sound-body.ts';
import { resourceOf } from '../judge/trace/trace.ts';
import type { Operation } from '../../contract/index.ts';

/** Additions that break the contract in one way each, and have to be refused. */
export function listBrokenProbes(context: PlanContext): readonly Probe[] {
  const { contract } = context;
  return contract.operations.flatMap((operation) => {
    const recipe = operation.path.includes('{') ? undefined : readRecipe(contract, operation);
    const status = operation.responses.find((response) =>
      /^4(00|22)$/.test(response.status),
    )?.status;
    if (!recipe || status === undefined) return [];
    const plain = tagBody(recipe, plainBody(recipe, context.random), 'tag-00000000', new Map());
    const broken = listBrokenBodies(
      operation.id,
      recipe.node,
      operation.requestBody?.required ?? false,
      plain,
    );
    return broken.map((each) => brokenProbe(operation, recipe, each, Number(status)));
  });
}

function brokenProbe(
  operation: Operation,
  recipe: BodyRecipe,
  broken: BrokenBody,
  status: number,
): Probe {
  return {
    id: `${operation.id}/broken: ${broken.way}`,
    phase: 'broken',
    rank: broken.rank,
    requests: 1,
    writes: true,
    proves: [broken.obligation, obligationId.state(operation.id, `not-written.${status}`)],
    run: async (run) => {
      const body =
        broken.text === undefined ? {} : { body: retag(operation, recipe, broken.text, run) };
      const unless = broken.unless === undefined ? {} : { unless: broken.unless };
      await run.session.send({
        operation,
        intent: {
          kind: 'invalid',
          obligation: broken.obligation,
          way: broken.way,
          status,
          ...unless,
        },
        ...body,
      });
    },
  };
}

/**
 * Gives a broken body the run's tag and known references wherever those members are sound, so that
 * it can be told in a list.
 */
function retag(operation: Operation, recipe: BodyRecipe, text: string, run: Run): string {
  const body = parseJson(text);
  if (!isJsonObject(body)) return text;
  const spoiled = new Set(recipe.node.validate(body).map((issue) => issue.at.split('/')[1]));
  const resource = resourceOf(run.contract, operation);
  const references = resource ? run.knowledge.references(resource) : new Map<string, never>();
  const fresh = tagBody(recipe, body, run.nextTag(), references);
  const mended = Object.entries(fresh).map(
    ([name, value]) => [name, spoiled.has(name) ? body[name] : value] as const,
  );
  const sound: JsonObject = Object.fromEntries(
    mended.filter(([name]) => Object.hasOwn(body, name)),
  );
  return renderJson(sound);
}
