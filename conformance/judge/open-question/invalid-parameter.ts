import { itemsOf, queryOf, resourceOf, type Reading, type Trace } from '../trace/trace.ts';
import { describeResponse } from '../trace/words.ts';
import { responsesTo, type Reader } from './reader.ts';

/** Few items may fit several choices: told is what fits all served responses, `ignored` first. */
export const readInvalidParameter: Reader = function* readInvalidParameter(question, trace) {
  const responses = responsesTo(question, trace).map((reading) => ({
    reading,
    items: itemsOf(reading),
    fitting: fittingChoices(reading, trace),
  }));
  const served = responses.filter(({ items }) => items !== undefined);
  const common = ['ignored', 'clamped'].find((kind) =>
    served.every(({ fitting }) => fitting.includes(kind)),
  );
  for (const { reading, items, fitting } of responses) {
    const { exchange, response } = reading;
    const found = items
      ? `${response.status} with ${items.length} items`
      : describeResponse(response);
    yield {
      choice: (items && common) ?? fitting[0],
      exchange: exchange.index,
      evidence: `${exchange.request.target} answered ${found}`,
    };
  }
};

/** The choices that a response to an invalid parameter may stand for. */
function fittingChoices(reading: Reading, { contract }: Trace): readonly string[] {
  const size = itemsOf(reading)?.length;
  if (size === undefined) return reading.response.status === 400 ? ['refused'] : [];
  if (size === 0) return ['empty'];
  const limit = resourceOf(contract, reading.operation)?.limit;
  const asked = limit && queryOf(reading.exchange, limit.parameter.name);
  if (limit === undefined || asked === undefined) return ['ignored'];
  const preset = limit.default ?? Infinity;
  const isAbove = Number(asked) > (limit.maximum ?? Infinity);
  const nearest = /^-?\d+$/.test(asked)
    ? ((isAbove ? limit.maximum : limit.minimum) ?? Infinity)
    : preset;
  return [...(size <= preset ? ['ignored'] : []), ...(size <= nearest ? ['clamped'] : [])];
}
