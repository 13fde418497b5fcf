import { decodePercent } from '../../../contract/source/percent.ts';
import type { Parameter } from '../../../contract/openapi/parameter.ts';
import type { SchemaNode, Shape } from '../../../contract/schema/schema-node.ts';
import { headerText } from '../../http/message.ts';
import { decodeQuery, queryPairs, queryValues } from '../../http/query.ts';
import type { Call } from '../response/outcome.ts';
import {
  membersInTurn,
  membersOfPairs,
  readBrackets,
  type SourceMembers,
  sourceOfTexts,
  type TextSource,
  textLeaf,
} from './text-source.ts';

/** What a request has for a parameter; undefined where it has nothing. */
export type FindSource = (call: Call) => TextSource | undefined;

/** What the parameters of an operation have in common. */
export interface ParameterPlace {
  /** Names in the path template, in their order. */
  readonly pathNames: readonly string[];
  /** Names of the query that are a parameter or an API key. */
  readonly queryNames: ReadonlySet<string>;
}

/** How the text of a parameter is found, by its place and style (OpenAPI 3.1, Style Values). */
export function compileSource(parameter: Parameter, place: ParameterPlace): FindSource {
  const { name } = parameter;
  switch (parameter.in) {
    case 'query':
      return compileQuery(parameter, place);
    case 'querystring':
      return ({ query }) => wholeQuery(parameter, query);
    case 'path': {
      const index = place.pathNames.indexOf(name);
      return (call) => {
        const raw = call.pathTexts[index];
        return raw === undefined ? undefined : pathSource(parameter, raw);
      };
    }
    case 'header':
      return (call) => {
        const text = headerText(call.request.headers, name.toLowerCase());
        return text === undefined
          ? undefined
          : simpleSource(parameter, text, (part) => part.trim());
      };
    case 'cookie':
    default:
      return (call) => cookieSource(parameter, headerText(call.request.headers, 'cookie'));
  }
}

function compileQuery(parameter: Parameter, { queryNames }: ParameterPlace): FindSource {
  const { name, style, explode, schema, mediaType } = parameter;
  if (mediaType !== undefined) return ({ query }) => textsSource(queryValues(query, name));
  if (style === 'deepObject') return ({ query }) => deepSource(name, query);
  if (explode) {
    let shapes: readonly Shape[] | undefined;
    const listShapes = (): readonly Shape[] => (shapes ??= objectShapes(schema));
    return ({ query }) => explodedSource(name, query, listShapes, queryNames);
  }
  return ({ query }) => {
    const raws = queryPairs(query).flatMap((pair) => (pair.name === name ? [pair.raw] : []));
    return raws.length === 0 ? undefined : delimitedSource(raws, delimiters[style] ?? comma);
  };
}

/** The whole query as a form, or as one text of its media type (OpenAPI 3.2). */
function wholeQuery({ mediaType }: Parameter, query: string): TextSource | undefined {
  if (query === '') return undefined;
  if (mediaType !== 'application/x-www-form-urlencoded')
    return textLeaf(decodePercent(query) ?? query);
  const pairs = queryPairs(query).map(({ name, raw }) => [name, decodeQuery(raw)] as const);
  return { text: undefined, lists: () => [], objects: () => [readBrackets(pairs)] };
}

/** A delimiter as it is in a query, and decoded. */
interface Delimiter {
  readonly raw: RegExp;
  readonly decoded: string;
}

const comma: Delimiter = { raw: /,/, decoded: ',' };

const delimiters: Readonly<Partial<Record<string, Delimiter>>> = {
  spaceDelimited: { raw: /\+|%20| /, decoded: ' ' },
  pipeDelimited: { raw: /\||%7C/i, decoded: '|' },
};

function textsSource(texts: readonly string[]): TextSource | undefined {
  return texts.length === 0 ? undefined : sourceOfTexts(texts);
}

/** A parameter for each item, or for each member: the members have no name around them. */
function explodedSource(
  name: string,
  query: string,
  listShapes: () => readonly Shape[],
  queryNames: ReadonlySet<string>,
): TextSource | undefined {
  const texts = queryValues(query, name);
  const own = sourceOfTexts(texts);
  const objects = (shape: Shape): readonly SourceMembers[] => {
    const pairs = queryPairs(query).flatMap((pair): readonly [string, string][] =>
      (pair.name === name || !queryNames.has(pair.name)) && isMember(shape, pair.name)
        ? [[pair.name, decodeQuery(pair.raw)]]
        : [],
    );
    return pairs.length === 0 ? [] : [readBrackets(pairs)];
  };
  if (texts.length > 0) return { ...own, objects };
  const isShown = listShapes().some((shape) => objects(shape).length > 0);
  return isShown ? { ...own, objects, lists: () => [] } : undefined;
}

function isMember({ properties, additional }: Shape, name: string): boolean {
  const [first = name] = name.split('[', 1);
  return properties.has(name) || properties.has(first) || additional !== false;
}

/** The shapes of a schema that speak of objects, those of its alternatives included. */
export function objectShapes(schema: SchemaNode): readonly Shape[] {
  const shape = schema.shape();
  const isOne =
    shape.properties.size > 0 || (shape.types.includes('object') && shape.types.length < 7);
  return [
    ...(isOne ? [shape] : []),
    ...shape.alternatives.flatMap((alternative) => {
      const inner = alternative.shape();
      return inner.types.includes('object') && inner.properties.size > 0 ? [inner] : [];
    }),
  ];
}

function delimitedSource(raws: readonly string[], delimiter: Delimiter): TextSource {
  const whole = raws.length === 1 ? decodeQuery(raws[0] ?? '') : undefined;
  const split = (): readonly string[] =>
    raws.flatMap((raw) => (raw === '' ? [] : raw.split(delimiter.raw).map(decodeQuery)));
  const decoded = (): readonly string[] =>
    raws.flatMap((raw) => decodeQuery(raw).split(delimiter.decoded));
  return {
    text: whole,
    lists: () =>
      [split(), ...(whole === '' ? [['']] : [decoded()])].map((list) => list.map(textLeaf)),
    objects: () => [...membersInTurn(split()), ...membersInTurn(decoded())],
  };
}

function deepSource(name: string, query: string): TextSource | undefined {
  const pairs = queryPairs(query).flatMap((pair): readonly [string, string][] =>
    pair.name === name || pair.name.startsWith(`${name}[`)
      ? [[`x${pair.name.slice(name.length)}`, decodeQuery(pair.raw)]]
      : [],
  );
  return readBrackets(pairs).get('x');
}

/** The value of a path parameter, percent-encoded as it was sent. */
function pathSource({ name, style, explode }: Parameter, raw: string): TextSource {
  if (style === 'label' && raw.startsWith('.'))
    return dividedSource(raw.slice(1), explode ? ['.', ','] : [',', '.'], explode, decodePart);
  if (style === 'matrix' && raw.startsWith(';'))
    return matrixSource(name, raw, explode, decodePart);
  return dividedSource(raw, [','], explode, decodePart);
}

/** Malformed percent-encoding stays as it is. */
function decodePart(part: string): string {
  return decodePercent(part) ?? part;
}

function simpleSource(
  { explode }: Parameter,
  text: string,
  decode: (part: string) => string,
): TextSource {
  return dividedSource(text, [','], explode, decode);
}

type Decode = (part: string) => string;

function dividedSource(
  raw: string,
  delimiters: readonly string[],
  explode: boolean,
  decode: Decode,
): TextSource {
  const divide = (delimiter: string): readonly string[] => raw.split(delimiter);
  return {
    text: decode(raw),
    lists: () => [
      ...delimiters.map((delimiter) => divide(delimiter).map((part) => textLeaf(decode(part)))),
      ...(raw === '' ? [[]] : []),
    ],
    objects: () => delimiters.flatMap((delimiter) => membersOf(divide(delimiter), explode, decode)),
  };
}

/** Exploded members are taken in turn too where they are so. */
function membersOf(
  parts: readonly string[],
  explode: boolean,
  decode: Decode,
): readonly SourceMembers[] {
  const decoded = parts.map(decode);
  return explode
    ? [
        ...membersOfPairs(parts).map((members) => decodeMembers(members, decode)),
        ...membersInTurn(decoded),
      ]
    : [...membersInTurn(decoded), ...membersOfPairs(decoded)];
}

function decodeMembers(members: SourceMembers, decode: Decode): SourceMembers {
  return new Map(
    [...members].map(([name, { text = '' }]) => [decode(name), textLeaf(decode(text))]),
  );
}

/** `;name=a;name=b` or `;name=a,b`; of an exploded object, `;member=a;other=b`. */
function matrixSource(name: string, raw: string, explode: boolean, decode: Decode): TextSource {
  const parts = raw.slice(1).split(';');
  const own = parts.flatMap((part) => {
    if (part === name) return [''];
    return part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : [];
  });
  const inner = dividedSource(own[0] ?? '', [','], false, decode);
  return {
    text: own.length === 1 ? inner.text : undefined,
    lists: () =>
      explode || own.length > 1 ? [own.map((part) => textLeaf(decode(part)))] : inner.lists(),
    objects: (shape) => (explode ? membersOf(parts, true, decode) : inner.objects(shape)),
  };
}

/** Cookies of the name, decoded where they are percent-encoded (RFC 6265 section 4.2). */
function cookieSource(
  { name, explode, schema }: Parameter,
  header: string | undefined,
): TextSource | undefined {
  const pairs = (header ?? '')
    .split(';')
    .flatMap((pair): readonly (readonly [string, string])[] => {
      const mark = pair.indexOf('=');
      return mark < 0 ? [] : [[pair.slice(0, mark).trim(), pair.slice(mark + 1).trim()]];
    });
  const own = pairs.flatMap(([key, value]) => (key === name ? [value] : []));
  const [first = ''] = own;
  if (own.length > 1) return sourceOfTexts(own.map(decodePart));
  if (own.length === 1) return dividedSource(first, [','], false, decodePart);
  if (!explode) return undefined;
  const shown = objectShapes(schema)
    .map(({ properties }) => pairs.filter(([key]) => properties.has(key)))
    .find((members) => members.length > 0);
  if (shown === undefined) return undefined;
  const members = new Map(shown.map(([key, value]) => [key, textLeaf(decodePart(value))]));
  return { text: undefined, lists: () => [], objects: () => [members] };
}
