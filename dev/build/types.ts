import { type JsonObject, type JsonValue, isJsonObject, renderJson } from '../../contract/index.ts';

/**
 * The types of what an OpenAPI 3.1 document describes, as the text of a module: `paths`, `operations` and
 * `components` in the form that typed clients such as openapi-fetch read, and each component by its name.
 */
export function renderApiTypes(document: JsonObject): string {
  const operations: string[] = [];
  const paths = entriesOf(document['paths']).map(([path, item]) => {
    const members: string[] = [];
    for (const [method, operation] of entriesOf(item)) {
      const id = operation['operationId'];
      if (typeof id !== 'string') continue;
      const type = renderOperation(operation, objectsOf(item['parameters']));
      members.push(member(method, `operations[${quote(id)}]`, operation));
      operations.push(member(id, type, operation));
    }
    return member(path, block(members));
  });
  const components: string[] = [];
  const aliases: string[] = [];
  for (const [kind, prefix, render] of componentKinds) {
    const entries = entriesOf(objectOf(document['components'])[kind]);
    components.push(
      member(kind, block(entries.map(([name, part]) => member(name, render(part), part)))),
    );
    for (const [name] of entries)
      aliases.push(`export type ${prefix}${name} = components['${kind}'][${quote(name)}];`);
  }
  return [
    apiHeading,
    `export interface paths ${block(paths)}`,
    `export interface operations ${block(operations)}`,
    `export interface components ${block(components)}`,
    ...aliases,
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

/** The kinds of components that have types, and what is before their names outside of `components`. */
const componentKinds: readonly (readonly [
  kind: string,
  prefix: string,
  render: (part: JsonObject) => string,
])[] = [
  ['schemas', '', (schema) => renderSchema(schema)],
  ['responses', 'Response', renderResponse],
  ['headers', 'Header', (header) => renderSchema(header['schema'])],
];

const parameterPlaces = ['query', 'header', 'path', 'cookie'];

function renderOperation(operation: JsonObject, shared: readonly JsonObject[]): string {
  const parameters = [...shared, ...objectsOf(operation['parameters'])];
  const places = parameterPlaces.map((place) => {
    const found = parameters.filter((parameter) => parameter['in'] === place);
    if (found.length === 0) return member(`${place}?`, 'never');
    const isRequired = found.some((parameter) => parameter['required'] === true);
    const members = found.map((parameter) =>
      member(
        optional(textOf(parameter['name']), parameter['required'] === true),
        renderSchema(parameter['schema']),
        parameter,
      ),
    );
    return member(optional(place, isRequired), block(members));
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

const plainStyle: MemberStyle = { prefix: '', suffix: '' };

/** An option may be set to undefined, also with `exactOptionalPropertyTypes`. */
const configStyle: MemberStyle = { prefix: 'readonly ', suffix: ' | undefined' };

function renderSchema(schema: JsonValue | undefined, style: MemberStyle = plainStyle): string {
  if (schema === false) return 'never';
  if (!isJsonObject(schema)) return 'unknown';
  const render = (part: JsonValue | undefined): string => renderSchema(part, style);
  const parts: string[] = [];
  const reference = referenceOf(schema);
  if (reference !== undefined) parts.push(reference);
  for (const part of listOf(schema['allOf'])) parts.push(render(part));
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = listOf(schema[keyword]).map(render);
    if (branches.length > 0) parts.push(union(branches));
  }
  if ('const' in schema) parts.push(renderJson(schema['const'] ?? null));
  else if ('enum' in schema)
    parts.push(union(listOf(schema['enum']).map((value) => renderJson(value))));
  else {
    const type = schema['type'] ?? ('properties' in schema ? 'object' : []);
    const types = typeof type === 'string' ? [type] : listOf(type);
    // Beside branches a type alone adds nothing.
    if (types.length > 0 && (parts.length === 0 || 'properties' in schema))
      parts.push(union(types.map((each) => renderType(textOf(each), schema, style))));
  }
  return parts.length === 0 ? 'unknown' : parts.join(' & ');
}

function renderType(type: string, schema: JsonObject, style: MemberStyle): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array': {
      const items = renderSchema(schema['items'], style);
      return `${style.prefix}${/^([\w.]+|\([^()]*\))$/.test(items) ? items : `(${items})`}[]`;
    }
    case 'object': {
      const required = listOf(schema['required']);
      const members = entriesOf(schema['properties']).map(([name, property]) => {
        const isRequired = required.includes(name);
        const written = renderSchema(property, style) + (isRequired ? '' : style.suffix);
        return member(style.prefix + optional(name, isRequired), written, property);
      });
      const others = schema['additionalProperties'];
      const index = `${style.prefix}[name: string]: ${renderSchema(others, style)};`;
      if (members.length === 0) return block([index]);
      return block(members) + (isJsonObject(others) ? ` & ${block([index])}` : '');
    }
    default:
      return type;
  }
}

/** `components["schemas"]["Pet"]` for `{ $ref: '#/components/schemas/Pet' }`. */
function referenceOf({ $ref: reference }: JsonObject): string | undefined {
  if (typeof reference !== 'string') return undefined;
  const [, root = '', ...names] = reference.split('/');
  return root + names.map((name) => `[${quote(name)}]`).join('');
}

function union(types: readonly string[]): string {
  const [only] = types;
  return types.length === 1 && only !== undefined ? only : `(${types.join(' | ')})`;
}

/** A line of an object type, with what its description says before it. */
function member(name: string, type: string, described: JsonValue = null): string {
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

function comment(described: JsonValue): string {
  if (!isJsonObject(described)) return '';
  const { summary, description, deprecated, default: usual } = described;
  const lines = [summary, description].flatMap((text) =>
    typeof text === 'string' ? text.trim().split('\n') : [],
  );
  if (deprecated === true) lines.push('@deprecated');
  if (usual !== undefined) lines.push(`@default ${renderJson(usual)}`);
  const [only = '', ...others] = lines.map((line) => line.replaceAll('*/', String.raw`*\/`));
  if (lines.length === 0) return '';
  if (others.length === 0) return `/** ${only} */\n`;
  return ['/**', ...[only, ...others].map((line) => ` * ${line}`), ' */\n'].join('\n');
}

const quote = (text: string): string => JSON.stringify(text);

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? value : [];
const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  listOf(value).filter(isJsonObject);

/** The members of an object whose values are objects too. */
function entriesOf(value: JsonValue | undefined): readonly (readonly [string, JsonObject])[] {
  return Object.entries(objectOf(value)).flatMap(([name, part]) =>
    isJsonObject(part) ? [[name, part] as const] : [],
  );
}
