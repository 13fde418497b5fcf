import { pathToFileURL } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';

const typesHeading = `/**
 * The types of what goes over the wire: \`paths\` and \`operations\` for typed clients such as openapi-fetch, and each
 * schema of the document by its name. Generated from openapi.yaml by \`npm run types\`; not written by hand.
 * An int64 is a \`number\` here, since that is what \`JSON.parse\` makes of it: beyond 2^53 it is rounded by the client.
 */
`;

/** Stands above the types of the mock's control interface. */
export const controlHeading = `/* oxlint-disable max-lines */
/**
 * The types of what goes over the wire of the control interface. Generated from
 * mock/control/openapi.yaml by \`npm run types\`; not written by hand.
 */
`;

/** The types of an OpenAPI document as the text of a module that holds nothing else. */
export async function renderApiTypes(file: string, heading = typesHeading): Promise<string> {
  const nodes = await openapiTypescript(pathToFileURL(file), {
    alphabetize: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return heading + astToString(nodes).replace(/^\/\*\*[\s\S]*?\*\/\n+/, '');
}
