import { essence } from './media-type.ts';
import { type CompileContext, type Described, Description } from './compile-context.ts';
import { isFieldName, isFieldValue } from './header.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import type { DocumentNode } from '../source/node.ts';

const places = ['query', 'header', 'path', 'cookie', 'querystring'] as const;

type Place = (typeof places)[number];

/** By place; any other style is read as the first. `tabDelimited` is the `tsv` of version 2.0. */
const stylesOf = {
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'],
  header: ['simple'],
  path: ['simple', 'label', 'matrix'],
  cookie: ['form'],
  querystring: ['form'],
} as const satisfies Record<Place, readonly string[]>;

/** How arrays and objects are serialised (OpenAPI 3.1, Style Values). */
type ParameterStyle = (typeof stylesOf)[Place][number];

export interface Parameter extends Described {
  readonly name: string;
  /** `querystring`: the whole query (OpenAPI 3.2), in its `mediaType`. */
  readonly in: Place;
  readonly required: boolean;
  readonly schema: SchemaNode;
  /** The style in the document, else the default for `in`; meaningless with `mediaType`. */
  readonly style: ParameterStyle;
  /** Each item or member is a separate parameter. */
  readonly explode: boolean;
  /** Characters such as `/` and `?` need no percent-encoding (RFC 3986 section 2.2). */
  readonly allowReserved: boolean;
  /** For a query parameter: `?name=` means that it has no value. */
  readonly allowEmptyValue: boolean;
  /** The media type of a parameter described by `content`: a single text of that type. */
  readonly mediaType: string | undefined;
}

/**
 * Header parameters that are ignored: the first three by OpenAPI, because other parts of the document
 * describe them, and those that every HTTP client sets itself.
 */
const ignoredHeaders = new Set(
  'accept content-type authorization content-length host connection'.split(' '),
);

/** The parameters of an operation, after those of its path item that it does not override. */
export function compileParameters(
  context: CompileContext,
  item: DocumentNode,
  operation: DocumentNode,
): readonly Parameter[] {
  const [shared, own] = [item, operation].map((holder) =>
    (holder.get('parameters')?.items() ?? []).filter((node) => !isIgnored(node)),
  );
  const replaced = new Set(own?.map(keyOf));
  const kept = (shared ?? []).filter((node) => !replaced.has(keyOf(node)));
  return [...kept, ...(own ?? [])].flatMap((node) => compileParameter(context, node) ?? []);
}

function keyOf(node: DocumentNode): string {
  const name = node.text('name') ?? '';
  return `${node.text('in')} ${node.text('in') === 'header' ? name.toLowerCase() : name}`;
}

function isIgnored(node: DocumentNode): boolean {
  return node.text('in') === 'header' && ignoredHeaders.has(node.text('name')?.toLowerCase() ?? '');
}

function compileParameter(context: CompileContext, node: DocumentNode): Parameter | undefined {
  const name = node.text('name');
  const place = places.find((known) => known === node.text('in'));
  if (name === undefined || place === undefined) return undefined;
  const isCarried =
    place === 'header' ? isFieldName(name) : place !== 'cookie' || isFieldValue(name);
  if (!isCarried) {
    const message = `can name no ${place}: no header field can carry it`;
    context.issues.report('invalid-name', node.at('name'), message);
    return undefined;
  }
  const [mediaType, content] = node.get('content')?.entries()[0] ?? [];
  const isPlain = node.get('schema') !== undefined;
  const holder = isPlain ? node : content;
  const description = holder && new Description(context, holder, node.pointer);
  if (description?.schema === undefined) return undefined;
  const styles: readonly ParameterStyle[] = stylesOf[place];
  const style = styles.find((known) => known === node.text('style')) ?? styles[0] ?? 'form';
  return Object.assign(description, {
    name,
    in: place,
    required: node.flag('required'),
    schema: description.schema,
    style,
    explode: node.object['explode'] === undefined ? style === 'form' : node.flag('explode'),
    allowReserved: node.flag('allowReserved'),
    allowEmptyValue: node.flag('allowEmptyValue'),
    mediaType: isPlain || mediaType === undefined ? undefined : essence(mediaType),
  });
}
