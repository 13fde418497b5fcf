import { pathToFileURL } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';

const HEADING = `/**
 * The types of what goes over the wire: \`paths\` and \`operations\` for typed clients such as openapi-fetch, and each
 * schema of the document by its name. Generated from openapi.yaml by \`npm run types\`; not written by hand.
 * An int64 is a \`number\` here, since that is what \`JSON.parse\` makes of it: beyond 2^53 it is rounded by the client.
 */
`;

/** The types of an OpenAPI document as the text of a declaration file. */
export async function renderApiTypes(file: string): Promise<string> {
  const nodes = await openapiTypescript(pathToFileURL(file), { alphabetize: false, rootTypes: true, rootTypesNoSchemaPrefix: true, silent: true });
  return HEADING + astToString(nodes).replace(/^\/\*\*[\s\S]*?\*\/\n+/, '');
}
