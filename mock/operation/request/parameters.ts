import type { JsonValue, Operation, Parameter, Shape } from '../../../contract/index.ts';
import { cookieValue } from './credential.ts';
import { headerText } from '../../http/message.ts';
import type { Choices } from '../../choice/choices.ts';
import type { Call } from '../response/outcome.ts';
import { argumentKey, readParameterText } from '../../http/parameter-text.ts';
import { parsePathTemplate } from '../../http/path-template.ts';
import { documentedStatuses } from '../response/documented.ts';
import { queryValues } from '../../http/query.ts';
import { type Refusal, refuse } from '../response/refusal.ts';

/** Values of an operation's parameters. */
interface ReadValues {
  readonly kind: 'values';
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly matchesNothing: boolean;
}

/** Compiles how an operation's parameters are read, defaults of their schemas included. */
export function compileParameters(
  operation: Operation,
  choices: Choices,
): (call: Call) => ReadValues | Refusal {
  const readers = operation.parameters.map((parameter) =>
    compileParameter(parameter, operation, choices),
  );
  return (call) => {
    const values = new Map<string, JsonValue>();
    let matchesNothing = false;
    for (const { key, read } of readers) {
      const value = read(call);
      if (value.kind === 'refusal') return value;
      if (value.kind === 'nothing') matchesNothing = true;
      else if (value.value !== undefined) values.set(key, value.value);
    }
    return { kind: 'values', values, matchesNothing };
  };
}

type ReadValue =
  | { readonly kind: 'value'; readonly value: JsonValue | undefined }
  | { readonly kind: 'nothing' }
  | Refusal;

interface ParameterReader {
  readonly key: string;
  readonly read: (call: Call) => ReadValue;
}

function compileParameter(
  parameter: Parameter,
  operation: Operation,
  choices: Choices,
): ParameterReader {
  const texts = compileTexts(parameter, parsePathTemplate(operation.path).names);
  const shape = parameter.schema.shape();
  const absent: ReadValue = { kind: 'value', value: shape.default };
  const refuseInvalid = compileInvalid(parameter, operation, choices);
  const read = (call: Call): ReadValue => {
    const given = texts(call);
    if (given.length === 0)
      return parameter.required ? refuseInvalid('is required', given, call) : absent;
    const value = readTexts(given, shape);
    if (value === undefined)
      return refuseInvalid(`must be ${expectation(given, shape)}`, given, call);
    const issue = parameter.schema.validate(value)[0];
    return issue === undefined
      ? { kind: 'value', value }
      : refuseInvalid(issue.message, given, call);
  };
  return { key: argumentKey(parameter), read };
}

function compileTexts(
  parameter: Parameter,
  pathNames: readonly string[],
): (call: Call) => readonly string[] {
  const { name } = parameter;
  switch (parameter.in) {
    case 'query':
      return (call) => queryValues(call.query, name);
    case 'path':
      return oneText((call) => call.pathValues[pathNames.indexOf(name)]);
    case 'header':
      return oneText((call) => headerText(call.request.headers, name.toLowerCase()));
    case 'cookie':
    default:
      return oneText((call) => cookieValue(headerText(call.request.headers, 'cookie'), name));
  }
}

function oneText(find: (call: Call) => string | undefined): (call: Call) => readonly string[] {
  return (call) => {
    const text = find(call);
    return text === undefined ? [] : [text];
  };
}

function readTexts(texts: readonly string[], shape: Shape): JsonValue | undefined {
  const [text] = texts;
  if (shape.types.includes('array') && !shape.types.includes('string'))
    return readItems(texts, shape);
  return texts.length === 1 && text !== undefined ? readParameterText(text, shape) : undefined;
}

/** An array comes as a repeated parameter (OpenAPI: style `form`, exploded). */
function readItems(texts: readonly string[], shape: Shape): JsonValue | undefined {
  const items = texts.map((text) =>
    shape.items === undefined ? text : readParameterText(text, shape.items.shape()),
  );
  return items.includes(undefined) ? undefined : items.filter((item) => item !== undefined);
}

function expectation(texts: readonly string[], shape: Shape): string {
  if (texts.length > 1 && !shape.types.includes('array')) return 'sent once';
  return `of type ${shape.types.join(' or ')}`;
}

type OnInvalid = (reason: string, texts: readonly string[], call: Call) => ReadValue;

/** What an invalid value leads to, as the open questions decide. */
function compileInvalid(parameter: Parameter, operation: Operation, choices: Choices): OnInvalid {
  const { name, in: place } = parameter;
  const shape = parameter.schema.shape();
  const more = { documented: documentedStatuses(operation) };
  const refused: OnInvalid = (reason) =>
    refuse('invalid_parameter', `${name} ${reason} (${place} parameter ${name})`, more);
  const ignored: OnInvalid = () => ({ kind: 'value', value: shape.default });
  if (place === 'path') {
    if (choices.choose('invalid-path-parameter', parameter.pointer).id === 'refused')
      return refused;
    return (_reason, texts) =>
      refuse('not_found', `Nothing has the ${name} ${JSON.stringify(texts[0])}.`);
  }
  switch (choices.choose('invalid-parameter', parameter.pointer).id) {
    case 'clamped':
      return (reason, texts, call) => clamp(texts, shape) ?? ignored(reason, texts, call);
    case 'ignored':
      return ignored;
    case 'empty':
      return () => ({ kind: 'nothing' });
    default:
      return refused;
  }
}

function clamp([text, ...more]: readonly string[], shape: Shape): ReadValue | undefined {
  const value = text === undefined || more.length > 0 ? undefined : readParameterText(text, shape);
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const { minimum, maximum } = shape;
  const low = minimum !== undefined && value < minimum.value ? minimum : undefined;
  const broken = low ?? (maximum !== undefined && value > maximum.value ? maximum : undefined);
  return broken && { kind: 'value', value: broken.value };
}
