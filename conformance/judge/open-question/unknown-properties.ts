import { isJsonObject } from '../../../contract/index.ts';
import { resourceOf, type Reading, type Trace } from '../trace/trace.ts';
import { describeResponse } from '../trace/words.ts';
import { responsesTo, type Reader } from './reader.ts';

/** `unknown-properties`: what became of the first member that the document does not describe. */
export const readUnknownProperties: Reader = function* readUnknownProperties(question, trace) {
  const own = new Set(responsesTo(question, trace));
  for (const reading of trace.readings) {
    const { exchange, response, json } = reading;
    const [extra] = unknownMembers(reading, trace);
    const refused = response.status >= 400;
    if (extra === undefined || exchange.intent.kind !== 'open' || (refused && !own.has(reading)))
      continue;
    const isKept = isJsonObject(json) && Object.hasOwn(json, extra);
    yield {
      choice: refused ? refusalOf(reading) : isKept ? 'kept' : 'ignored',
      exchange: exchange.index,
      evidence: `sent \`${extra}\`, answered ${describeResponse(response)}`,
    };
  }
};

/** `read-only-property`. The refusal of a body with an unknown property too tells nothing. */
export const readReadOnlyProperty: Reader = function* readReadOnlyProperty(question, trace) {
  for (const reading of responsesTo(question, trace)) {
    const refused = reading.response.status >= 400;
    if (refused && unknownMembers(reading, trace).length > 0) continue;
    yield {
      choice: refused ? refusalOf(reading) : 'ignored',
      exchange: reading.exchange.index,
      evidence: `answered ${describeResponse(reading.response)}`,
    };
  }
};

/** Members of a body that the create operation does not describe, but for the identifier. */
function unknownMembers({ sent, operation }: Reading, trace: Trace): readonly string[] {
  const resource = resourceOf(trace.contract, operation);
  const known = operation.requestBody?.content[0]?.schema?.shape().properties;
  return isJsonObject(sent) && known && resource
    ? Object.keys(sent).filter((name) => !known.has(name) && name !== resource.idProperty)
    : [];
}

/** The choices of a document refuse with 400. */
function refusalOf({ response }: Reading): 'refused' | undefined {
  return response.status === 400 ? 'refused' : undefined;
}
