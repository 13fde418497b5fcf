import type { JsonValue } from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { Parameter } from '../../../contract/openapi/parameter.ts';
import { type Shape, possibleDefault } from '../../../contract/schema/schema-node.ts';
import { isJsonMediaType } from '../../../contract/openapi/media-type.ts';
import { parsePointer } from '../../../contract/json/pointer.ts';
import type { Choices } from '../../choice/choices.ts';
import type { Call } from '../response/outcome.ts';
import { argumentKey, readParameterText } from '../../http/parameter-text.ts';
import { parsePathTemplate } from '../../http/path-template.ts';
import { documentedStatuses } from '../response/documented.ts';
import { type ParameterPlace, compileSource, objectShapes } from './parameter-source.ts';
import type { TextSource } from './text-source.ts';
import { readJsonText, readTextValue, type TextValue } from './text-value.ts';
import { type Refusal, refuse } from '../response/refusal.ts';

/** Values of an operation's parameters. */
interface ReadValues {
  readonly kind: 'values';
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly matchesNothing: boolean;
}

const noValues: ReadValues = { kind: 'values', values: new Map(), matchesNothing: false };

/** Compiles how an operation's parameters are read, defaults of their schemas included. */
export function compileParameters(
  operation: Operation,
  choices: Choices,
): (call: Call) => ReadValues | Refusal {
  const place = placeOf(operation);
  const readers = operation.parameters.map((parameter) =>
    compileParameter(parameter, operation, place, choices),
  );
  if (readers.length === 0) return () => noValues;
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

/** One for all parameters of an operation, of which a document may have thousands. */
function placeOf({ path, parameters, security }: Operation): ParameterPlace {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const keys = security
    .flat()
    .flatMap((scheme) => (scheme.kind === 'api-key' && scheme.in === 'query' ? [scheme.name] : []));
  return {
    pathNames: parsePathTemplate(path).names,
    queryNames: new Set([...inQuery.map(({ name }) => name), ...keys]),
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
  place: ParameterPlace,
  choices: Choices,
): ParameterReader {
  const { schema, required, allowEmptyValue } = parameter;
  const find = compileSource(parameter, place);
  let usual: ReadValue | undefined;
  const absent = (): ReadValue => (usual ??= { kind: 'value', value: possibleDefault(schema) });
  const refuseInvalid = compileInvalid(parameter, operation, choices);
  const read = (call: Call): ReadValue => {
    const source = find(call);
    if (source === undefined) {
      if (!required) return absent();
      const empty = readEmptyObject(parameter);
      return empty ?? refuseInvalid(' is required', [], call);
    }
    const found = readSource(source, parameter);
    if (found?.issues.length === 0) return { kind: 'value', value: found.value };
    if (source.text === '' && allowEmptyValue) return absent();
    const texts = textsOf(source);
    const [issue] = found?.issues ?? [];
    const reason = `must be ${isJson(parameter) ? 'JSON' : expectation(texts, schema.shape())}`;
    return refuseInvalid(
      issue === undefined ? ` ${reason}` : `${renderMember(issue.at)} ${issue.message}`,
      texts,
      call,
    );
  };
  return { key: argumentKey(parameter), read };
}

/** The member of an object that is invalid, after the name of the parameter: `.from`. */
function renderMember(at: string): string {
  return parsePointer(at)
    .map((token) => (/^\d+$/.test(token) ? '' : `.${token}`))
    .join('');
}

function isJson({ mediaType }: Parameter): boolean {
  return mediaType !== undefined && isJsonMediaType(mediaType);
}

/** A value of a parameter that is described by a media type is text of that type. */
function readSource(source: TextSource, parameter: Parameter): TextValue | undefined {
  const { schema } = parameter;
  if (isJson(parameter)) {
    const value = source.text === undefined ? undefined : readJsonText(source.text);
    return value === undefined ? undefined : { value, issues: schema.validate(value) };
  }
  const shape = schema.shape();
  if (source.text !== undefined && isPlain(shape)) {
    const value = readParameterText(source.text, shape);
    const issues = value === undefined ? undefined : schema.validate(value);
    if (value !== undefined && issues?.length === 0) return { value, issues };
  }
  return readTextValue(source, schema);
}

/** The likeliest reading of a text is the first that there is: no other is tried before it. */
function isPlain({ types, alternatives }: Shape): boolean {
  return alternatives.length === 0 && !types.includes('array') && !types.includes('object');
}

/** An exploded object without members is not seen in a query; it is there where it may be empty. */
function readEmptyObject({ in: place, explode, schema }: Parameter): ReadValue | undefined {
  const isUnseen = place === 'query' && explode && objectShapes(schema).length > 0;
  return isUnseen && schema.validate({}).length === 0 ? { kind: 'value', value: {} } : undefined;
}

function textsOf(source: TextSource): readonly string[] {
  if (source.text !== undefined) return [source.text];
  return (source.lists()[0] ?? []).flatMap(({ text }) => text ?? []);
}

function expectation(texts: readonly string[], shape: Shape): string {
  if (texts.length > 1 && !shape.types.includes('array')) return 'sent once';
  return `of type ${shape.types.join(' or ')}`;
}

/** `reason`: what follows the name of the parameter: ` is required`, `.from must be an integer`. */
type OnInvalid = (reason: string, texts: readonly string[], call: Call) => ReadValue;

/** What an invalid value leads to, as the open questions decide. */
function compileInvalid(parameter: Parameter, operation: Operation, choices: Choices): OnInvalid {
  const { name, in: place, schema, pointer } = parameter;
  const more = { documented: documentedStatuses(operation), place: pointer };
  const refused: OnInvalid = (reason) =>
    refuse('invalid_parameter', `${name}${reason} (${place} parameter ${name})`, more);
  const ignored: OnInvalid = () => ({ kind: 'value', value: possibleDefault(schema) });
  if (place === 'path') {
    if (choices.choose('invalid-path-parameter', pointer).id === 'refused') return refused;
    return (_reason, texts) =>
      refuse('not_found', `Not found: ${name} ${JSON.stringify(texts[0])}.`, {
        place: pointer,
      });
  }
  switch (choices.choose('invalid-parameter', pointer).id) {
    case 'clamped':
      return (reason, texts, call) => clamp(texts, schema.shape()) ?? ignored(reason, texts, call);
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
