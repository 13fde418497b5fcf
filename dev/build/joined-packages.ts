/**
 * Packages that the build joins into `dist/`, so that nobody installs them beside this one: they are
 * development dependencies, and the suite stands on them as on its dependencies. The build fails
 * where it joins others than these.
 */
export const joinedPackages: readonly string[] = [
  '@apidevtools/swagger-parser',
  'ajv',
  'ajv-formats',
  'fast-check',
  'htm',
  'js-yaml',
  'json-p3',
  'openapi-types',
  'preact',
  'preact-render-to-string',
  're2js',
  'yaml',
];
