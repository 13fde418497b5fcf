/**
 * Packages that the build bundles into `dist/`, so that users do not install them: they are
 * development dependencies here, and the suite depends on them like on its dependencies. The build
 * fails if it bundles any other package.
 */
export const bundledPackages: readonly string[] = [
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
