import { keyNames } from '../../../contract/openapi/credential.ts';
import { parsePointer } from '../../../contract/json/pointer.ts';
import { type JsonValue, isNumeric } from '../../../contract/json/value.ts';
import { isJsonMediaType } from '../../../contract/openapi/media-type.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { Parameter } from '../../../contract/openapi/parameter.ts';
import { successResponse } from '../../../contract/openapi/response.ts';
import {
  type SchemaNode,
  type Shape,
  possibleDefault,
} from '../../../contract/schema/schema-node.ts';
import type { Choices } from '../../choice/choices.ts';
import { qualityOf } from '../../http/field.ts';
import { cookiePairs, headerText } from '../../http/message.ts';
import {
  type SourceMembers,
  type TextSource,
  type TextValue,
  argumentKey,
  compileTextReader,
  decodePart,
  decodeQuery,
  dividedSource,
  membersIn,
  queryPairs,
  queryValues,
  readBrackets,
  readJsonText,
  readScalar,
  simpleSource,
  sourceOfMembers,
  sourceOfTexts,
  textLeaf,
} from '../../http/parameter-text.ts';
import { parsePathTemplate } from '../../http/path-template.ts';
import { type Call, type Input, noInput } from '../response/outcome.ts';
import { type Refusal, documentedStatuses, refuse, renderIssues } from '../response/refusal.ts';
import { compileContent } from './content.ts';

/** Compiles how the input of an operation is read: `Accept`, then parameters, then the body. */
export function compileInput(
  operation: Operation,
  choices: Choices,
): (call: Call) => Input | Refusal {
  const documented = documentedStatuses(operation);
  const readParameters = compileParameters(operation, choices);
  const readContent = compileContent(operation, choices);
  const [answered] = successResponse(operation)?.content ?? [];
  const accept = choices.choose('accept', operation.pointer, '#/paths').id;
  const wanted = accept === 'not-acceptable' ? answered?.mediaType : undefined;
  return (call) => {
    const sent = wanted && headerText(call.request.headers, 'accept')?.trim();
    // Without the header, every type is acceptable (RFC 9110 section 12.5.1).
    if (wanted && sent && qualityOf(sent, wanted) === 0)
      return refuse(
        'not_acceptable',
        'The Accept header excludes every media type of the response.',
      );
    const parameters = readParameters(call);
    if (parameters.kind === 'refusal') return parameters;
    const content = readContent?.(call.request);
    if (content === undefined) return parameters;
    if (content.kind === 'refusal') return content;
    if (content.issues.length > 0)
      return refuse('invalid_body', renderIssues(content.issues), {
        documented,
        place: content.issues[0]?.schemaPointer,
      });
    return { ...parameters, body: content.value };
  };
}

/** Compiles how an operation's parameters are read, including defaults of their schemas. */
export function compileParameters(
  operation: Operation,
  choices: Choices,
): (call: Call) => Input | Refusal {
  const { path, parameters } = operation;
  // One function per operation instead of per parameter: a document may have thousands.
  const pathNames = parsePathTemplate(path).names;
  const inQuery = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const queryNames = new Set([...inQuery, ...keyNames(operation, 'query')]);
  const readers = parameters.map((parameter) => ({
    key: argumentKey(parameter),
    read: compileParameter(
      parameter,
      operation,
      choices,
      compileSource(parameter, pathNames, queryNames),
    ),
  }));
  if (readers.length === 0) return () => noInput;
  return (call) => {
    const values = new Map<string, JsonValue>();
    let matchesNothing = false;
    for (const { key, read } of readers) {
      const value = read(call);
      if (value.kind === 'refusal') return value;
      if (value.kind === 'nothing') matchesNothing = true;
      else if (value.value !== undefined) values.set(key, value.value);
    }
    return { kind: 'input', parameters: values, matchesNothing, body: undefined };
  };
}

type ReadValue =
  | { readonly kind: 'value'; readonly value: JsonValue | undefined }
  | { readonly kind: 'nothing' }
  | Refusal;

/** The text of a parameter; undefined if the request does not have it. */
type FindSource = (call: Call) => TextSource | undefined;

function compileParameter(
  parameter: Parameter,
  operation: Operation,
  choices: Choices,
  find: FindSource,
): (call: Call) => ReadValue {
  const { in: place, explode, schema, required, allowEmptyValue, mediaType } = parameter;
  const isJson = mediaType !== undefined && isJsonMediaType(mediaType);
  let usual: ReadValue | undefined;
  const absent = (): ReadValue => (usual ??= { kind: 'value', value: possibleDefault(schema) });
  const readText = compileTextReader(schema);
  const refuseInvalid = compileInvalid(parameter, operation, choices);
  return (call) => {
    const source = find(call);
    if (source === undefined) {
      if (!required) return absent();
      // An exploded object without members is invisible in a query; if it may be empty, it counts
      // as present.
      const isUnseen = place === 'query' && explode && objectShapes(schema).length > 0;
      return isUnseen && schema.isValid({})
        ? { kind: 'value', value: {} }
        : refuseInvalid(' is required', []);
    }
    const { text } = source;
    const found = isJson ? readJsonValue(text, schema) : readText(source);
    if (found?.issues.length === 0) return { kind: 'value', value: found.value };
    if (text === '' && allowEmptyValue) return absent();
    const texts =
      text === undefined ? (source.lists()[0] ?? []).flatMap((one) => one.text ?? []) : [text];
    const [issue] = found?.issues ?? [];
    if (issue !== undefined)
      return refuseInvalid(`${renderMember(issue.at)} ${issue.message}`, texts);
    const { types } = schema.shape();
    const isSentOften = texts.length > 1 && !types.includes('array');
    const wanted = isJson ? 'JSON' : isSentOften ? 'sent once' : `of type ${types.join(' or ')}`;
    return refuseInvalid(` must be ${wanted}`, texts);
  };
}

/** The invalid member of an object, to follow the name of the parameter: `.from`. */
function renderMember(at: string): string {
  return parsePointer(at)
    .map((token) => (/^\d+$/.test(token) ? '' : `.${token}`))
    .join('');
}

/** A parameter with `content` is text of that media type. */
function readJsonValue(text: string | undefined, schema: SchemaNode): TextValue | undefined {
  const value = text === undefined ? undefined : readJsonText(text);
  return value === undefined ? undefined : { value, issues: schema.validate(value) };
}

/** `reason` follows the name of the parameter: ` is required`, `.from must be an integer`. */
type OnInvalid = (reason: string, texts: readonly string[]) => ReadValue;

/** The result of an invalid value, according to the open questions. */
function compileInvalid(parameter: Parameter, operation: Operation, choices: Choices): OnInvalid {
  const { name, in: place, schema, pointer } = parameter;
  const more = { documented: documentedStatuses(operation), place: pointer };
  const refused: OnInvalid = (reason) =>
    refuse('invalid_parameter', `${name}${reason} (${place} parameter ${name})`, more);
  const ignored: OnInvalid = () => ({ kind: 'value', value: possibleDefault(schema) });
  if (place === 'path') {
    if (choices.choose('invalid-path-parameter', pointer).id === 'refused') return refused;
    return (_reason, texts) =>
      refuse('not_found', `Not found: ${name} ${JSON.stringify(texts[0])}.`, { place: pointer });
  }
  switch (choices.choose('invalid-parameter', pointer).id) {
    case 'clamped':
      return (reason, texts) => clamp(texts, schema.shape()) ?? ignored(reason, texts);
    case 'ignored':
      return ignored;
    case 'empty':
      return () => ({ kind: 'nothing' });
    default:
      return refused;
  }
}

function clamp([text, ...more]: readonly string[], shape: Shape): ReadValue | undefined {
  const value = text === undefined || more.length > 0 ? undefined : readScalar(text, shape.types);
  if (!isNumeric(value)) return undefined;
  const { minimum, maximum } = shape;
  const low = minimum !== undefined && value < minimum.value ? minimum : undefined;
  const broken = low ?? (maximum !== undefined && value > maximum.value ? maximum : undefined);
  return broken && { kind: 'value', value: broken.value };
}

/**
 * Finds the text of a parameter by its location and style (OpenAPI 3.1, Style Values).
 * `queryNames`: names in the query that are a parameter or an API key.
 */
function compileSource(
  parameter: Parameter,
  pathNames: readonly string[],
  queryNames: ReadonlySet<string>,
): FindSource {
  const { name, explode } = parameter;
  const index = pathNames.indexOf(name);
  const field = name.toLowerCase();
  switch (parameter.in) {
    case 'query':
      return compileQuery(parameter, queryNames);
    case 'querystring':
      return ({ query }) => wholeQuery(parameter, query);
    case 'path':
      return ({ pathTexts: { [index]: raw } }) =>
        raw === undefined ? undefined : pathSource(parameter, raw);
    case 'header':
      return ({ request }) => {
        const text = headerText(request.headers, field);
        return text === undefined ? undefined : simpleSource(text, explode);
      };
    case 'cookie':
    default:
      return ({ request }) => cookieSource(parameter, cookiePairs(request.headers));
  }
}

function compileQuery(parameter: Parameter, queryNames: ReadonlySet<string>): FindSource {
  const { name, style, explode, schema, mediaType } = parameter;
  if (mediaType !== undefined)
    return ({ query }) => {
      const texts = queryValues(query, name);
      return texts.length === 0 ? undefined : sourceOfTexts(texts);
    };
  if (style === 'deepObject')
    return ({ query }) => {
      const own = queryPairs(query).filter(
        (one) => one.name === name || one.name.startsWith(`${name}[`),
      );
      // Brackets in the name of the parameter are part of it.
      const inner = own.map((one) => ({ ...one, name: `x${one.name.slice(name.length)}` }));
      return readBrackets(inner).get('x');
    };
  if (explode) {
    let shapes: readonly Shape[] | undefined;
    return ({ query }) => {
      const texts = queryValues(query, name);
      // An exploded object: each member is a query parameter of its own.
      const objects = (shape: Shape): readonly SourceMembers[] => {
        const pairs = queryPairs(query).filter(
          (one) => (one.name === name || !queryNames.has(one.name)) && isMember(shape, one.name),
        );
        return pairs.length === 0 ? [] : [readBrackets(pairs)];
      };
      if (texts.length > 0) return sourceOfTexts(texts, objects);
      shapes ??= objectShapes(schema);
      const isShown = shapes.some((shape) => objects(shape).length > 0);
      return isShown ? sourceOfMembers(objects) : undefined;
    };
  }
  const [delimiter, decoded] = delimiters[style] ?? [/,/, ','];
  return ({ query }) => {
    const own = queryPairs(query).filter((pair) => pair.name === name);
    if (own.length === 0) return undefined;
    return dividedSource(own.length === 1 ? own[0]?.text : undefined, false, [
      [own.flatMap(({ raw }) => (raw === '' ? [] : raw.split(delimiter))), decodeQuery],
      [own.flatMap(({ text }) => text.split(decoded)), (part) => part],
    ]);
  };
}

/** A delimiter in a query, encoded and decoded. */
const delimiters: Readonly<Partial<Record<string, readonly [RegExp, string]>>> = {
  spaceDelimited: [/\+|%20| /, ' '],
  pipeDelimited: [/\||%7C/i, '|'],
  tabDelimited: [/\t|%09/, '\t'],
};

/** The whole query as a form, or as text of a media type (OpenAPI 3.2). */
function wholeQuery({ mediaType }: Parameter, query: string): TextSource | undefined {
  if (query === '') return undefined;
  if (mediaType !== 'application/x-www-form-urlencoded') return textLeaf(decodePart(query));
  return sourceOfMembers(() => [readBrackets(queryPairs(query))]);
}

function isMember({ properties, additional }: Shape, name: string): boolean {
  const [first = name] = name.split('[', 1);
  return properties.has(name) || properties.has(first) || additional !== false;
}

/** The object shapes of a schema, including those of its alternatives. */
export function objectShapes(schema: SchemaNode): readonly Shape[] {
  const shape = schema.shape();
  const isOne =
    shape.properties.size > 0 || (shape.types.includes('object') && shape.types.length < 7);
  const inner = shape.alternatives.map((alternative) => alternative.shape());
  return [
    ...(isOne ? [shape] : []),
    ...inner.filter(({ types, properties }) => types.includes('object') && properties.size > 0),
  ];
}

/** The value of a path parameter, still percent-encoded. */
function pathSource({ name, style, explode }: Parameter, raw: string): TextSource {
  if (style === 'matrix' && raw.startsWith(';')) return matrixSource(name, raw, explode);
  const isLabel = style === 'label' && raw.startsWith('.');
  const text = isLabel ? raw.slice(1) : raw;
  const separators = isLabel ? (explode ? ['.', ','] : [',', '.']) : [','];
  return dividedSource(
    decodePart(text),
    explode,
    separators.map((separator) => [text.split(separator), decodePart]),
  );
}

/** `;name=a;name=b` or `;name=a,b`; for an exploded object, `;member=a;other=b`. */
function matrixSource(name: string, raw: string, explode: boolean): TextSource {
  const parts = raw.slice(1).split(';');
  const own = parts.flatMap((part) => {
    if (part === name) return [''];
    return part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : [];
  });
  const [first = ''] = own;
  const inner = partsSource(first);
  return {
    text: own.length === 1 ? inner.text : undefined,
    lists: () =>
      explode || own.length > 1 ? [own.map((part) => textLeaf(decodePart(part)))] : inner.lists(),
    objects: (shape) => (explode ? membersIn([parts, decodePart], true) : inner.objects(shape)),
  };
}

/** Parts separated by commas, each percent-encoded. */
function partsSource(text: string): TextSource {
  return dividedSource(decodePart(text), false, [[text.split(','), decodePart]]);
}

/** Cookies of a name, percent-decoded if possible (RFC 6265 section 4.2). */
function cookieSource(
  { name, explode, schema }: Parameter,
  pairs: ReturnType<typeof cookiePairs>,
): TextSource | undefined {
  const own = pairs.filter((pair) => pair.name === name);
  const [first] = own;
  if (own.length > 1) return sourceOfTexts(own.map(({ text }) => decodePart(text)));
  if (first !== undefined) return partsSource(first.text);
  if (!explode) return undefined;
  const members = objectShapes(schema)
    .map(({ properties }) => pairs.filter((pair) => properties.has(pair.name)))
    .find((some) => some.length > 0)
    ?.map((pair) => [pair.name, textLeaf(decodePart(pair.text))] as const);
  return members && sourceOfMembers(() => [new Map(members)]);
}
