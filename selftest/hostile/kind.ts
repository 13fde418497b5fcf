import type { Spoil } from './listener.ts';

/** One way in which a target is hostile, or odd within the law. */
export interface Kind {
  /** In a word or some: `gzip-bomb`. */
  readonly id: string;
  readonly spoil: Spoil;
}

/** Kinds by their names. */
export function listKinds(spoils: Readonly<Record<string, Spoil>>): readonly Kind[] {
  return Object.entries(spoils).map(([id, spoil]) => ({ id, spoil }));
}
