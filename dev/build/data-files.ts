import { loadForms } from '../../cli/main.ts';
import { loadChosenContract } from '../../cli/package/bundled.ts';
import { packageFile } from '../../cli/package/package-root.ts';
import { renderJson } from '../../contract/json/value.ts';
import { createMock } from '../../mock/index.ts';
import { composeConfigSchema } from './config-schema.ts';
import { renderApiTypes, renderConfigTypes } from './types.ts';

/**
 * What the build derives besides JavaScript and declarations: texts by their names in `dist/`. Throws if the
 * document or the inventory of this package is invalid.
 */
export async function renderDataFiles(): Promise<ReadonlyMap<string, string>> {
  const contract = await loadChosenContract(packageFile('openapi.yaml'), { strict: true });
  createMock(contract);
  const { document, digest } = contract;
  const schema = composeConfigSchema(await loadForms());
  return new Map([
    ['openapi.d.ts', renderApiTypes(document)],
    ['config.d.ts', renderConfigTypes(schema)],
    ['config.schema.json', `${renderJson(schema, 2)}\n`],
    ['validated.json', renderJson({ digest, document })],
  ]);
}
