/** The part of openapi-sampler that is used here; the package has no types of its own. */
declare module 'openapi-sampler' {
  export function sample(
    schema: object,
    options?: { skipReadOnly?: boolean; skipNonRequired?: boolean; quiet?: boolean },
    document?: object,
  ): unknown;
}
