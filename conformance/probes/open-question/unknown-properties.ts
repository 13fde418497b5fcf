import { renderJson, requirementId, type JsonObject } from '../../../contract/index.ts';
import type { Run } from '../probe.ts';
import { tagNumber } from '../../generate/tag.ts';
import { validBody } from '../lawful-request.ts';
import { forCreates, type Trial } from './trial.ts';

/** A property that no contract has. */
const unknownProperty: JsonObject = { notInTheContract: 'x' };

/** `unknown-properties`: a lawful body with a property that no contract has. */
export const listUnknownPropertyTrials = forCreates((create, resource) => [
  {
    way: 'an unknown property',
    operation: create,
    rank: 2,
    request: (run) => ({
      body: renderJson({ ...validBody(create, resource, run), ...unknownProperty }),
    }),
  },
]);

/** An identifier that a client might wish for, and no other run: far from what counters give out. */
function wishedId({ tag, session }: Run): number {
  return 4_294_967_311 + tagNumber(tag) * 1000 + session.exchanges.length;
}

/** `read-only-property`: an identifier and an unknown property; if refused, that alone. */
export const listReadOnlyPropertyTrials = forCreates((create, resource) => {
  const { idProperty } = resource;
  const body = (run: Run): JsonObject => {
    const { types } = resource.item.shape().properties.get(idProperty)?.shape() ?? { types: [] };
    return {
      ...validBody(create, resource, run),
      [idProperty]: types.some((type) => type === 'string') ? run.nextTag() : wishedId(run),
    };
  };
  const trial: Trial = {
    way: `a client-sent ${idProperty}`,
    operation: create,
    rank: 1,
    proves: [requirementId.state(create.id, 'id-assigned')],
    request: (run) => ({ body: renderJson({ ...body(run), ...unknownProperty }) }),
    milder: (run) => ({ body: renderJson(body(run)) }),
  };
  return [trial];
});
