import { compileExamples, type NamedExample, schemaOf } from './example.ts';
import { isFieldName, isFieldValue } from './header.ts';
import type { CompileContext } from './compile-context.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import type { DocumentNode } from '../source/node.ts';
import type { JsonValue } from '../json/value.ts';

const places = ['query', 'header', 'path', 'cookie', 'querystring'] as const;

const styles = [
  'matrix',
  'label',
  'simple',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
] as const;

/** How arrays and objects become text (OpenAPI 3.1, Style Values). */
export type ParameterStyle = (typeof styles)[number];

/** How a value is written in its place in a request. */
export interface ParameterForm {
  /** That of the document, else the default of the place; of no meaning beside `mediaType`. */
  readonly style: ParameterStyle;
  /** Each item or member is written by itself. */
  readonly explode: boolean;
  /** Characters such as `/` and `?` need no percent-encoding (RFC 3986 section 2.2). */
  readonly allowReserved: boolean;
  /** Of a query parameter: `?name=` says that it has no value. */
  readonly allowEmptyValue: boolean;
  /** The type of a parameter that is described by `content`: one text of that type. */
  readonly mediaType: string | undefined;
}

export interface Parameter extends ParameterForm {
  readonly name: string;
  /** `querystring`: the whole query (OpenAPI 3.2), in its `mediaType`. */
  readonly in: (typeof places)[number];
  readonly required: boolean;
  readonly schema: SchemaNode;
  readonly pointer: string;
  /** Examples of the document that fit the schema. */
  readonly examples: readonly JsonValue[];
}

/** Header parameters that OpenAPI has ignored, since other parts of the document describe them. */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);

/** The parameters of an operation, after those of its path item that it does not replace. */
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
  const { pointer } = node;
  const name = node.text('name');
  const place = places.find((known) => known === node.text('in'));
  const required = node.flag('required');
  if (name === undefined || place === undefined) return undefined;
  const isCarried =
    place === 'header' ? isFieldName(name) : place !== 'cookie' || isFieldValue(name);
  if (!isCarried) {
    context.issues.error(node.at('name'), `can name no ${place}: no header field can carry it`);
    return undefined;
  }
  const described =
    node.get('schema') === undefined ? node.get('content')?.entries()[0]?.[1] : node;
  const schema = described && schemaOf(context, described);
  if (schema === undefined) return undefined;
  const form = readParameterForm(node, place);
  const examples = compileExamples(context, node, schema);
  return new DescribedParameter({ name, in: place, required, schema, pointer, ...form }, examples);
}

/** A class, since there are tens of thousands of a large document. */
class DescribedParameter implements Parameter {
  readonly name: string;
  readonly in: Parameter['in'];
  readonly required: boolean;
  readonly schema: SchemaNode;
  readonly pointer: string;
  readonly style: ParameterForm['style'];
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly allowEmptyValue: boolean;
  readonly mediaType: string | undefined;
  readonly #examples: () => readonly NamedExample[];

  constructor(parts: Omit<Parameter, 'examples'>, examples: () => readonly NamedExample[]) {
    this.name = parts.name;
    this.in = parts.in;
    this.required = parts.required;
    this.schema = parts.schema;
    this.pointer = parts.pointer;
    this.style = parts.style;
    this.explode = parts.explode;
    this.allowReserved = parts.allowReserved;
    this.allowEmptyValue = parts.allowEmptyValue;
    this.mediaType = parts.mediaType;
    this.#examples = examples;
  }

  get examples(): readonly JsonValue[] {
    return this.#examples().map(({ value }) => value);
  }
}

/** Where a parameter stands; another style there than these is taken as the first. */
const stylesOf: Readonly<
  Record<'query' | 'header' | 'path' | 'cookie' | 'querystring', readonly string[]>
> = {
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  path: ['simple', 'label', 'matrix'],
  cookie: ['form'],
  querystring: ['form'],
};

/** The form of a parameter, with the defaults of OpenAPI. */
function readParameterForm(node: DocumentNode, place: keyof typeof stylesOf): ParameterForm {
  const allowed = styles.filter((known) => stylesOf[place].includes(known));
  const usual = place === 'header' || place === 'path' ? 'simple' : 'form';
  const style = allowed.find((known) => known === node.text('style')) ?? usual;
  const content = node.get('schema') === undefined ? node.get('content')?.entries()[0] : undefined;
  return {
    style,
    explode: node.object['explode'] === undefined ? style === 'form' : node.flag('explode'),
    allowReserved: node.flag('allowReserved'),
    allowEmptyValue: node.flag('allowEmptyValue'),
    mediaType: content?.[0].split(';', 1)[0]?.trim().toLowerCase(),
  };
}
