/** Draft: see contract.ts. */
export interface Obligation {
  readonly id: string;
}
