import { compileExamples, type NamedExample } from './example.ts';
import { type ParameterForm, readParameterForm } from './parameter-form.ts';
import { isFieldName, isFieldValue } from './header.ts';
import type { CompileContext } from './compile-context.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import type { DocumentNode } from '../source/node.ts';
import type { JsonValue } from '../json/value.ts';

const places = ['query', 'header', 'path', 'cookie', 'querystring'] as const;

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

/**
 * The parameters of an operation, after those of its path item that it does not replace. Logs an
 * error for one that is in the path template or described, and not both.
 */
export function compileParameters(
  context: CompileContext,
  path: string,
  item: DocumentNode,
  operation: DocumentNode,
): readonly Parameter[] {
  const own = listNodes(context, operation);
  const replaced = new Set(own.map(keyOf));
  const shared = listNodes(context, item).filter((node) => !replaced.has(keyOf(node)));
  const parameters = [...shared, ...own].flatMap((node) => compileParameter(context, node) ?? []);
  checkTemplate(context, path, operation, parameters);
  return parameters;
}

function listNodes(context: CompileContext, holder: DocumentNode): readonly DocumentNode[] {
  const nodes = (holder.get('parameters')?.items() ?? []).filter((node) => !isIgnored(node));
  const known = new Set<string>();
  for (const node of nodes) {
    const [name, place] = [node.text('name'), node.text('in')];
    const key = keyOf(node);
    if (known.has(key) && name !== undefined)
      context.issues.error(node.pointer, `the ${place} parameter ${name} is described twice`);
    known.add(key);
  }
  return nodes;
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
  // The words are those of the check against the OpenAPI schema, so that the two findings are one.
  if (name === undefined) context.issues.error(pointer, 'name is missing');
  if (place === undefined)
    context.issues.error(node.at('in'), `must be one of ${places.slice(0, 4).join(', ')}`);
  if (name === undefined || place === undefined) return undefined;
  const isCarried =
    place === 'header' ? isFieldName(name) : place !== 'cookie' || isFieldValue(name);
  if (!isCarried) {
    context.issues.error(node.at('name'), `can name no ${place}: no header field can carry it`);
    return undefined;
  }
  if (place === 'path' && !required)
    context.issues.error(pointer, `the path parameter ${name} must be required`);
  const schema = describedSchema(context, node);
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

function describedSchema(context: CompileContext, node: DocumentNode): SchemaNode | undefined {
  const content = node.get('content')?.entries()[0]?.[1];
  const holder = node.get('schema') === undefined ? content : node;
  if (holder?.get('schema') !== undefined) return context.schema(holder.at('schema'));
  context.issues.error(node.pointer, 'a parameter needs a schema');
  return undefined;
}

function checkTemplate(
  { issues }: CompileContext,
  path: string,
  { pointer: place }: DocumentNode,
  parameters: readonly Parameter[],
): void {
  const wanted = new Set([...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? ''));
  if (/[{}]/.test(path.replaceAll(/\{[^{}/]+\}/g, '')))
    issues.error(place, `the braces of the path ${path} do not match`);
  const described = parameters.filter((parameter) => parameter.in === 'path');
  const names = new Set(described.map(({ name }) => name));
  for (const name of wanted)
    if (!names.has(name))
      issues.error(place, `the path parameter ${name} of ${path} is not described`);
  for (const { name, pointer } of described)
    if (!wanted.has(name))
      issues.error(pointer, `the path parameter ${name} is not in the path ${path}`);
}
