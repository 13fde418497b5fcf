import {
  type CommandDefinition,
  type Flag,
  type FlagTable,
  defaultOf,
  helpOf,
  kindOf,
  sharedFlags,
} from '../../cli/options/flags.ts';
import type { JsonObject } from '../../contract/json/value.ts';

/** The schema of the configuration file: a member for each option of each command. */
export function composeConfigSchema(definitions: readonly CommandDefinition[]): JsonObject {
  const sections = definitions.filter(({ ignoresSettings }) => !ignoresSettings);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of petstore-contract',
    description:
      'petstore.config.json, or what petstore.config.ts exports. Flags and the environment win.',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      ...describeFlags(sharedFlags),
      ...Object.fromEntries(
        sections.map(({ name, description, flags }) => [
          name,
          {
            description: description[0] ?? '',
            type: 'object',
            properties: describeFlags(flags),
            additionalProperties: false,
          },
        ]),
      ),
    },
    additionalProperties: false,
  };
}

function describeFlags(flags: FlagTable): JsonObject {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, describeFlag(flag)]),
  );
}

function describeFlag(flag: Flag): JsonObject {
  const value = describeValue(flag);
  const list: JsonObject = { type: 'array', items: value };
  const pairs: JsonObject = {
    type: 'object',
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  };
  const many = kindOf(flag) === 'pair' ? { anyOf: [pairs, list] } : list;
  const given = defaultOf(flag);
  return {
    description: helpOf(flag),
    ...(flag.many ? many : value),
    ...(given === undefined ? {} : { default: given }),
  };
}

function describeValue(flag: Flag): JsonObject {
  const { bounds: [minimum, maximum] = [], words } = flag;
  switch (kindOf(flag)) {
    case 'switch':
      return { type: 'boolean' };
    case 'integer':
      return { type: 'integer', minimum, maximum };
    case 'id':
      return { anyOf: [{ type: 'string' }, { type: 'integer' }] };
    case 'secret':
      return { anyOf: [secretVariable, { type: 'string' }] };
    case 'pair':
    case 'path':
    case 'text':
      return { type: 'string', ...(words && { enum: words }) };
  }
}

const secretVariable: JsonObject = {
  description: 'The name of the environment variable that has the secret.',
  type: 'object',
  properties: { env: { type: 'string' } },
  required: ['env'],
  additionalProperties: false,
};
