import { withValueAt } from '../../contract/json/place.ts';
import { type JsonObject, type JsonValue, renderJson } from '../../contract/json/value.ts';
import { schemaAt } from '../../contract/resource/item-view.ts';
import { idName } from '../../contract/resource/resource.ts';
import { tagNumber } from '../generate/tag.ts';
import { isSame } from '../judge/trace/item.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { idIn, resourceOf, type Reading, type Trace } from '../judge/trace/trace.ts';
import type { Run } from '../probes/probe.ts';
import {
  forCreates,
  isServed,
  observeResponses,
  refusedAs,
  type QuestionKind,
} from './question.ts';
import { unknownMembers, unknownProperty } from './unknown-properties.ts';

/** `read-only-property`: an identifier and an unknown property; if refused, that alone. */
export const readOnlyProperty: QuestionKind = {
  trials: forCreates((valid, _question, resource, create) => {
    const { item, idPlace } = resource;
    const types = schemaAt(item, idPlace)?.shape().types ?? [];
    const wish = (run: Run): JsonValue =>
      types.some((type) => type === 'string') ? run.nextTag() : wishedId(run);
    const body = (run: Run): JsonObject => withValueAt(valid(run), idPlace, wish(run));
    return [
      {
        way: `a client-sent ${idName(resource)}`,
        rank: 1,
        proves: [requirementId.state(create.id, 'id-assigned')],
        request: (run) => ({ body: renderJson({ ...body(run), ...unknownProperty }) }),
        milder: (run) => ({ body: renderJson(body(run)) }),
      },
    ];
  }),
  observe: observeResponses((reading, trace) => {
    if (isServed(reading)) return isIdSent(reading, trace) ? [] : ['ignored'];
    // The unknown property may be the reason.
    return unknownMembers(reading, trace).length > 0
      ? undefined
      : refusedAs(reading, trace, { 400: 'refused' });
  }),
};

/** An identifier that a client might wish for, and no other run: far from what counters give out. */
function wishedId({ tag, session }: Run): number {
  return 4_294_967_311 + tagNumber(tag) * 1000 + session.exchanges.length;
}

/** The new item has the identifier that the client sent. */
function isIdSent({ sent, json, operation }: Reading, { contract }: Trace): boolean {
  const resource = resourceOf(contract, operation);
  if (resource === undefined) return false;
  const wished = idIn(sent, resource);
  return wished !== undefined && isSame(wished, idIn(json, resource));
}
