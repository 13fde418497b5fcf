import type { JsonValue } from '../json/value.ts';

/** YAML that readers of version 1.1 and 1.2 understand alike; integers of any size are exact. */
export async function renderYaml(value: JsonValue): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 0 });
}
