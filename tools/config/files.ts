import { loadForms } from '../../cli/main.ts';
import { renderJson } from '../../contract/index.ts';
import { composeConfigSchema } from './schema.ts';
import { renderConfigTypes } from './types.ts';

/** The files that are made of the flags of the commands, by their paths in the project. */
export async function renderConfigFiles(): Promise<ReadonlyMap<string, string>> {
  const forms = await loadForms();
  return new Map([
    ['docs/config.schema.json', `${renderJson(composeConfigSchema(forms), 2)}\n`],
    ['config.d.ts', renderConfigTypes(forms)],
  ]);
}
