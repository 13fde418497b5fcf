import type { Operation, Parameter } from '../../../contract/index.ts';
import { renderPlain } from '../../judge/trace/trace.ts';
import { forParameter, type Trial } from './trial.ts';

/** `invalid-parameter`: a value that is none of the listed ones, or just outside the range. */
export const listInvalidParameterTrials = forParameter((parameter, operation) => {
  const { minimum, maximum, values } = parameter.schema.shape();
  const trial = (value: string, rank: number): Trial => ({
    way: `${parameter.name}=${value}`,
    operation,
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
  return [...outside.map((value, index) => trial(value, index + 1)), trial('many', outside.length > 0 ? 2 : 1), ...odd];
});

/** `invalid-path-parameter`: letters, and an integer of more than 64 bits. */
export const listInvalidPathTrials = forParameter((parameter, operation) => [
  pathTrial(parameter, operation, 'abc', 'letters', 1),
  ...(parameter.schema.shape().format === 'int64'
    ? [pathTrial(parameter, operation, String(2n ** 63n), 'an integer beyond 64 bits', 3)]
    : []),
  pathTrial(parameter, operation, '1.5', 'a fraction', 3),
  pathTrial(parameter, operation, 'null', 'the word null', 4),
  pathTrial(parameter, operation, '%', 'a percent sign', 4),
  pathTrial(parameter, operation, "1' OR '1'='1", 'an apostrophe', 4),
  pathTrial(parameter, operation, '9'.repeat(400), '400 digits', 4),
]);

function pathTrial(
  { name }: Parameter,
  operation: Operation,
  value: string,
  way: string,
  rank: number,
): Trial {
  return { way, operation, rank, request: () => ({ path: { [name]: value } }) };
}
