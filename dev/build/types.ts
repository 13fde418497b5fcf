import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  renderJson,
} from '../../contract/json/value.ts';

/**
 * The types of an OpenAPI 3.1 document, as the text of a module: `paths`, `operations` and `components` in
 * the form that typed clients such as openapi-fetch read, and each component by its name.
 */
export function renderApiTypes(document: JsonObject): string {
  const operations: string[] = [];
  const paths = entriesOf(document['paths']).map(([path, item]) => {
    const methods = entriesOf(item).filter(([, { operationId }]) => operationId !== undefined);
    const members = methods.map(([method, operation]) => {
      const id = textOf(operation['operationId']);
      operations.push(member(id, renderOperation(operation, item), operation));
      return member(method, `operations[${quote(id)}]`, operation);
    });
    return member(path, block(members));
  });
  const all = isJsonObject(document['components']) ? document['components'] : {};
  const kinds = componentKinds.map(([kind, prefix, render]) => {
    const entries = entriesOf(all[kind]);
    const members = entries.map(([name, part]) => member(name, render(part), part));
    const aliases = entries.map(
      ([name]) => `export type ${prefix}${name} = components["${kind}"][${quote(name)}];`,
    );
    return { members: member(kind, block(members)), aliases };
  });
  return [
    apiHeading,
    `export interface paths ${block(paths)}`,
    'export type webhooks = Record<string, never>;',
    `export interface operations ${block(operations)}`,
    `export interface components ${block(kinds.map(({ members }) => members))}`,
    'export type $defs = Record<string, never>;',
    ...kinds.flatMap(({ aliases }) => aliases),
    '',
  ].join('\n');
}

/** The types of a configuration file, from its JSON Schema, as the text of a module. */
export function renderConfigTypes(schema: JsonObject): string {
  return `${comment(schema)}export interface Config ${renderSchema(schema, configStyle)}

/** Returns its argument, for editors that complete by the type of an argument. */
export declare function defineConfig(config: Config): Config;
`;
}

const apiHeading = `/**
 * The types of what goes over the wire: \`paths\` and \`operations\` for typed clients such as openapi-fetch, and each
 * schema of the document by its name.
 * An int64 is a \`number\` here, since that is what \`JSON.parse\` makes of it: beyond 2^53 it is rounded by the client.
 */`;

/** The kinds of components with types, and the prefix of their names outside of `components`. */
const componentKinds: readonly (readonly [
  kind: string,
  prefix: string,
  render: (part: JsonObject) => string,
])[] = [
  ['schemas', '', (schema) => renderSchema(schema)],
  ['responses', 'Response', renderResponse],
  ['headers', 'Header', (header) => renderSchema(header['schema'])],
];

function renderOperation(operation: JsonObject, item: JsonObject): string {
  const parameters = [item, operation].flatMap((holder) => objectsOf(holder['parameters']));
  const places = ['query', 'header', 'path', 'cookie'].map((place) => {
    const found = parameters.filter((parameter) => parameter['in'] === place);
    const members = found.map((parameter) =>
      member(
        optional(textOf(parameter['name']), parameter['required'] === true),
        renderSchema(parameter['schema']),
        parameter,
      ),
    );
    const isRequired = found.some((parameter) => parameter['required'] === true);
    return member(optional(place, isRequired), members.length === 0 ? 'never' : block(members));
  });
  const body = operation['requestBody'];
  const responses = entriesOf(operation['responses']).map(([status, response]) =>
    member(status, referenceOf(response) ?? renderResponse(response), response),
  );
  return block([
    member('parameters', block(places)),
    isJsonObject(body)
      ? member(optional('requestBody', body['required'] === true), block([renderContent(body)]))
      : member('requestBody?', 'never'),
    member('responses', block(responses)),
  ]);
}

function renderResponse(response: JsonObject): string {
  const headers = entriesOf(response['headers']).map(([name, header]) =>
    member(
      optional(name, header['required'] === true || '$ref' in header),
      referenceOf(header) ?? renderSchema(header['schema']),
      header,
    ),
  );
  return block([
    member('headers', block([...headers, '[name: string]: unknown;'])),
    'content' in response ? renderContent(response) : member('content?', 'never'),
  ]);
}

function renderContent({ content }: JsonObject): string {
  const types = entriesOf(content).map(([type, { schema }]) => member(type, renderSchema(schema)));
  return member('content', block(types));
}

/** How the members of an object are declared. */
interface MemberStyle {
  readonly prefix: string;
  readonly suffix: string;
}

/** An option may be set to undefined, also with `exactOptionalPropertyTypes`. */
const configStyle: MemberStyle = { prefix: 'readonly ', suffix: ' | undefined' };

function renderSchema(
  schema: JsonValue | undefined,
  style: MemberStyle = { prefix: '', suffix: '' },
): string {
  if (schema === false) return 'never';
  if (!isJsonObject(schema)) return 'unknown';
  const render = (part: JsonValue): string => renderSchema(part, style);
  const { const: only, enum: values, type = 'properties' in schema ? 'object' : [] } = schema;
  const reference = referenceOf(schema);
  const parts = reference === undefined ? [] : [reference];
  parts.push(...listOf(schema['allOf']).map(render));
  for (const keyword of ['anyOf', 'oneOf'])
    if (keyword in schema) parts.push(union(listOf(schema[keyword]).map(render)));
  if (only !== undefined) parts.push(renderJson(only));
  else if (values !== undefined)
    parts.push(union(listOf(values).map((value) => renderJson(value))));
  // Next to branches, a type alone adds nothing.
  else if (parts.length === 0 || 'properties' in schema) {
    const types = [type].flat().map((each) => renderType(textOf(each), schema, style));
    if (types.length > 0) parts.push(union(types));
  }
  return parts.length === 0 ? 'unknown' : parts.join(' & ');
}

function renderType(type: string, schema: JsonObject, style: MemberStyle): string {
  if (type === 'integer') return 'number';
  if (type === 'array') {
    const items = renderSchema(schema['items'], style);
    return `${style.prefix}${/^([\w.]+|\([^()]*\))$/.test(items) ? items : `(${items})`}[]`;
  }
  if (type !== 'object') return type;
  const required = listOf(schema['required']);
  const members = entriesOf(schema['properties']).map(([name, property]) => {
    const isRequired = required.includes(name);
    const written = renderSchema(property, style) + (isRequired ? '' : style.suffix);
    return member(style.prefix + optional(name, isRequired), written, property);
  });
  const others = schema['additionalProperties'];
  const index = block([`${style.prefix}[name: string]: ${renderSchema(others, style)};`]);
  if (members.length === 0) return index;
  return block(members) + (isJsonObject(others) ? ` & ${index}` : '');
}

/** `components["schemas"]["Pet"]` for `{ $ref: '#/components/schemas/Pet' }`. */
function referenceOf({ $ref: reference }: JsonObject): string | undefined {
  if (typeof reference !== 'string') return undefined;
  const [, root = '', ...names] = reference.split('/');
  return root + names.map((name) => `[${quote(name)}]`).join('');
}

function union(types: readonly string[]): string {
  return types.length > 1 ? `(${types.join(' | ')})` : types.join('');
}

/** A line of an object type, with what its description says before it. */
function member(name: string, type: string, described: JsonObject = {}): string {
  const [, prefix = '', word = '', mark = ''] = /^(readonly )?(.*?)(\??)$/s.exec(name) ?? [];
  const key = /^(\d+|[A-Za-z_$][\w$]*)$/.test(word) ? word : quote(word);
  return `${comment(described)}${prefix}${key}${mark}: ${type};`;
}

function optional(name: string, isRequired: boolean): string {
  return isRequired ? name : `${name}?`;
}

function block(members: readonly string[]): string {
  const text = members.join('\n').replaceAll(/^(?=.)/gm, '  ');
  return members.length === 0 ? '{}' : `{\n${text}\n}`;
}

function comment({ summary, description, deprecated, default: usual }: JsonObject): string {
  const lines = [summary, description].flatMap((text) =>
    typeof text === 'string' ? text.trim().split('\n') : [],
  );
  if (deprecated === true) lines.push('@deprecated');
  if (usual !== undefined) lines.push(`@default ${renderJson(usual)}`);
  const text = lines.join('\n').replaceAll('*/', String.raw`*\/`);
  if (lines.length < 2) return text && `/** ${text} */\n`;
  return `/**\n${text.replaceAll(/^/gm, ' * ')}\n */\n`;
}

const quote = (text: string): string => JSON.stringify(text);

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? value : [];
const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  listOf(value).filter(isJsonObject);

/** The members of an object whose values are objects too. */
function entriesOf(value: JsonValue | undefined): readonly (readonly [string, JsonObject])[] {
  return Object.entries(isJsonObject(value) ? value : {}).flatMap(([name, part]) =>
    isJsonObject(part) ? [[name, part] as const] : [],
  );
}
