/** The part of openapi-sampler that the mock uses; the package has no types of its own. */
declare module 'openapi-sampler' {
  export function sample(
    schema: object,
    options?: { skipWriteOnly?: boolean; quiet?: boolean },
    document?: object,
  ): unknown;
}
