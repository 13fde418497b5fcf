import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../cli/package/package-root.ts';
import { type JsonObject, renderJson } from '../../contract/index.ts';

/** What is above the types in each file that `npm run record` writes, by the document of the types. */
const headings = {
  'openapi.yaml': `/**
 * The types of what goes over the wire: \`paths\` and \`operations\` for typed clients such as openapi-fetch, and each
 * schema of the document by its name. Generated from openapi.yaml by \`npm run record\`; not written by hand.
 * An int64 is a \`number\` here, since that is what \`JSON.parse\` makes of it: beyond 2^53 it is rounded by the client.
 */
`,
  'mock/control/openapi.yaml': `/**
 * The types of what goes over the wire of the control interface. Generated from
 * mock/control/openapi.yaml by \`npm run record\`; not written by hand.
 */
`,
} as const;

/** The program that writes the types; \`node dev/run.cjs dev/install.ts dev/record/types\` installs it. */
export const typesProgram = packageFile(
  'dev/record/types/node_modules/openapi-typescript/bin/cli.js',
);

/** The types of an OpenAPI document as the text of a module. */
export function renderApiTypes(document: keyof typeof headings): string {
  return headings[document] + renderTypes(readFileSync(packageFile(document), 'utf8'));
}

/** The types of a configuration file: the text of `config.d.ts`. */
export function renderConfigTypes(schema: JsonObject): string {
  const info = { title: 'Configuration', version: '1' };
  const document = {
    openapi: '3.1.0',
    info,
    paths: {},
    components: { schemas: { Config: schema } },
  };
  const types = renderTypes(renderJson(document), '--immutable', '--default-non-nullable=false');
  // An option may be set to undefined, also with `exactOptionalPropertyTypes`.
  const members = types.replaceAll(/(\?: .+| \} \| .+);$/gm, '$1 | undefined;');
  return `// Generated from the flags of the commands by \`npm run record\`; not written by hand.
${members}
/** Returns its argument, for editors that complete by the type of an argument. */
export declare function defineConfig(config: Config): Config;
`;
}

function renderTypes(document: string, ...flags: readonly string[]): string {
  const options = ['--root-types', '--root-types-no-schema-prefix', ...flags];
  const text = execFileSync(process.execPath, [typesProgram, ...options], {
    input: document,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return text.replace(/^\/\*\*[\s\S]*?\*\/\n+/, '');
}
