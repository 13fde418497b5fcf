import type { JsonValue } from '../../contract/json/value.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import {
  itemsOf,
  queryOf,
  renderPlain,
  resourceOf,
  type Reading,
  type Trace,
} from '../judge/trace/trace.ts';
import { collectionOf } from '../judge/trace/collection.ts';
import { countItems, describeResponse } from '../judge/trace/words.ts';
import {
  type Ask,
  forParameter,
  isServed,
  observation,
  refusedAs,
  responsesTo,
  type QuestionKind,
} from './question.ts';

/** `invalid-parameter`: a value that is none of the listed ones, or just outside the range. */
export const invalidParameter: QuestionKind = {
  trials: forParameter((parameter) => {
    const { minimum, maximum, values } = parameter.schema.shape();
    const trial = (value: string, rank: number): Ask => ({
      way: `${parameter.name}=${value}`,
      rank,
      request: () => ({ query: { [parameter.name]: value } }),
    });
    if (values !== undefined) {
      const [first = '', second = first] = values.map(renderPlain);
      const others = [first.toUpperCase(), `${first},${second}`, '', `${first} `];
      return [trial('unknown', 1), ...others.map((value, index) => trial(value, 3 + (index >> 1)))];
    }
    const odd = ['5.5', '', '1e1', '0x10', '+5', '99999999999999999999', '-1'].map((value, index) =>
      trial(value, index < 3 ? 3 : 4),
    );
    const outside = [
      ...(maximum !== undefined ? [String(Number(maximum.value) + 1)] : []),
      ...(minimum !== undefined ? [String(Number(minimum.value) - 1)] : []),
    ];
    return [
      ...outside.map((value, index) => trial(value, index + 1)),
      trial('many', outside.length > 0 ? 2 : 1),
      ...odd,
    ];
  }),
  *observe(question, trace) {
    for (const reading of responsesTo(question, trace)) {
      const { exchange, operation, response, status } = reading;
      const parameter = operation.parameters.find(({ pointer }) => pointer === question.at);
      const choices = parameter && choicesOf(reading, parameter, trace);
      if (choices === undefined) continue;
      const size = itemsOf(reading)?.length;
      const found =
        size === undefined ? describeResponse(response) : `${status} with ${countItems(size)}`;
      yield observation(reading, choices, `${exchange.request.target} returned ${found}`);
    }
  },
};

/** The choices that a response fits; undefined where the value was read as one that is valid. */
function choicesOf(
  reading: Reading,
  parameter: Parameter,
  trace: Trace,
): readonly string[] | undefined {
  if (!isServed(reading)) return refusedAs(reading, trace, { 400: 'refused' });
  const items = itemsOf(reading);
  if (items === undefined) return ['ignored', 'clamped'];
  const size = items.length;
  const resource = resourceOf(trace.contract, reading.operation);
  const least =
    resource === undefined ? 0 : collectionOf(trace, resource).leastSize(reading.exchange);
  const preset = resource?.limit?.default ?? Infinity;
  const isPage = (limit: number): boolean => size <= limit && size >= Math.min(least, limit);
  const text = queryOf(reading.exchange, parameter.name) ?? '';
  const usual = [...(size === 0 ? ['empty'] : []), ...(isPage(preset) ? ['ignored'] : [])];
  if (resource?.limit?.parameter.name !== parameter.name) {
    const member = resource?.filters.find((each) => each.parameter === parameter)?.property;
    const values = member === undefined ? [] : items.map((item) => item[member]);
    return isReadLeniently(text, values, parameter) ? undefined : usual;
  }
  const { minimum = 0, maximum = Infinity } = resource.limit;
  const number = Number(text);
  const isInRange = text !== '' && number >= minimum && number <= maximum;
  if (isInRange && Number.isInteger(number) && isPage(number)) return undefined;
  const clamp = (value: number): number => Math.min(maximum, Math.max(minimum, value));
  const read = [number, Number.parseFloat(text)].filter((value) => !Number.isNaN(value));
  const nearest = text === '' ? [] : read.flatMap((each) => [Math.floor(each), Math.ceil(each)]);
  // Next to what is not an integer there is no limit in range: any of the three may be taken.
  const isInteger = /^-?\d+$/.test(text);
  const limits = [...nearest.map(clamp), ...(isInteger ? [] : [minimum, maximum, preset])];
  return [...usual, ...(limits.some(isPage) ? ['clamped'] : [])];
}

/** Other letter case, white space or several values at once: only items of the values came. */
function isReadLeniently(
  text: string,
  values: readonly (JsonValue | undefined)[],
  { schema }: Parameter,
): boolean {
  const listed = (schema.shape().values ?? []).map(renderPlain);
  const wanted = text.split(',').map((part) => part.trim().toLowerCase());
  if (values.length === 0 || !wanted.every((one) => listed.includes(one))) return false;
  return values.every((value) => value !== undefined && wanted.includes(renderPlain(value)));
}
