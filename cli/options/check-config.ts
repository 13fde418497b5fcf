import { readFile } from 'node:fs/promises';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nearestName,
  parseJson,
  PetstoreError,
} from '../../contract/index.ts';
import { packageFile } from '../package/package-root.ts';
import type { ConfigFile } from './config-file.ts';

/**
 * Holds a whole configuration file to its schema, the sections of other commands too. Throws
 * `PetstoreError` for the first member that is unknown or of a wrong type.
 */
export async function checkConfig(config: ConfigFile): Promise<JsonObject> {
  const schema = parseJson(await readFile(packageFile('docs/config.schema.json'), 'utf8'));
  const issue = isJsonObject(schema) ? findIssue(schema, config.value, []) : undefined;
  if (issue !== undefined)
    throw new PetstoreError('argument', `${config.place(issue.tokens)} ${issue.sentence}`);
  return isJsonObject(config.value) ? config.value : {};
}

/** A sentence that begins after the place. */
interface ConfigIssue {
  readonly tokens: readonly string[];
  readonly sentence: string;
}

/** Of JSON Schema only what the schema of the configuration has. */
function findIssue(
  schema: JsonObject,
  value: unknown,
  tokens: readonly string[],
): ConfigIssue | undefined {
  const branches = isJsonArray(schema['anyOf']) ? schema['anyOf'].filter(isJsonObject) : [schema];
  const fitting = branches.find((branch) => isOfType(branch['type'], value));
  if (fitting === undefined) {
    const wanted = branches.map(({ type }) => nounOf(type)).join(' or ');
    return { tokens, sentence: `must be ${wanted}, not ${renderValue(value)}.` };
  }
  if (Array.isArray(value)) return findFirst(value.entries(), tokens, () => fitting['items']);
  if (!isJsonObject(value)) return undefined;
  const { properties, additionalProperties } = fitting;
  const known = isJsonObject(properties) ? properties : {};
  const required = isJsonArray(fitting['required'])
    ? fitting['required'].filter((name) => typeof name === 'string')
    : [];
  const missing = required.find((name) => value[name] === undefined);
  if (missing !== undefined) return { tokens, sentence: `must have ${missing}.` };
  const unknown = Object.keys(value).find(
    (name) => !Object.hasOwn(known, name) && additionalProperties === false,
  );
  if (unknown !== undefined) return unknownMember(known, unknown, tokens);
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  return findFirst(given, tokens, (name) =>
    Object.hasOwn(known, name) ? known[name] : additionalProperties,
  );
}

function findFirst(
  members: Iterable<readonly [string | number, unknown]>,
  tokens: readonly string[],
  schemaOf: (name: string) => JsonValue | undefined,
): ConfigIssue | undefined {
  for (const [name, value] of members) {
    const schema = schemaOf(String(name));
    const found = isJsonObject(schema)
      ? findIssue(schema, value, [...tokens, String(name)])
      : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function unknownMember(known: JsonObject, name: string, tokens: readonly string[]): ConfigIssue {
  const near = nearestName(name, Object.keys(known));
  const [command] = tokens;
  const kind =
    command === undefined ? 'not a command or a shared option' : `not an option of ${command}`;
  const homes = command === undefined && near === undefined ? listHomes(known, name) : [];
  const remedies = [
    near === undefined ? '' : ` Did you mean ${near}?`,
    homes.length === 0 ? '' : ` It belongs in ${homes.join(' or ')}.`,
    near === undefined && command !== undefined
      ? ` See npx petstore-contract ${command} --help.`
      : '',
  ];
  return { tokens: [...tokens, name], sentence: `is ${kind}.${remedies.join('')}` };
}

/** The sections that have an option of this name. */
function listHomes(sections: JsonObject, name: string): readonly string[] {
  return Object.keys(sections).filter((section) => {
    const schema = sections[section];
    const members = isJsonObject(schema) ? schema['properties'] : undefined;
    return isJsonObject(members) && Object.hasOwn(members, name);
  });
}

function isOfType(type: JsonValue | undefined, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  return typeof value === type;
}

function nounOf(type: JsonValue | undefined): string {
  if (type === 'integer') return 'a whole number';
  if (type === 'boolean') return 'true or false';
  if (type === 'array') return 'a list';
  return type === 'object' ? 'an object' : 'a string';
}

function renderValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? `the string ${JSON.stringify(value)}` : String(value);
}
