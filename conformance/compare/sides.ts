/** The same of both targets of a comparison. */
export interface Sides<T> {
  readonly a: T;
  readonly b: T;
}
