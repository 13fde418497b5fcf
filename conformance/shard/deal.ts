/** A part of the fuzzing that one shard sends as a whole. */
export interface Part {
  /** Parts of one kind are spread over the shards. */
  readonly kind: string;
  readonly requests: number;
}

/**
 * Deals parts out to so many shards: each part to the one that has the fewest of its kind, then the
 * fewest requests, then the lowest number. Every part goes to one shard, and to the same one whenever
 * the parts are the same. Pure.
 */
export function dealParts<P extends Part>(
  parts: readonly P[],
  shards: number,
): readonly (readonly P[])[] {
  const hands = Array.from({ length: shards }, () => createHand<P>());
  for (const part of parts) {
    const [first, ...others] = hands;
    if (first === undefined) break;
    const taker = others.reduce(
      (best, hand) => (compareHands(hand, best, part.kind) < 0 ? hand : best),
      first,
    );
    taker.parts.push(part);
    taker.requests += part.requests;
    taker.kinds.set(part.kind, (taker.kinds.get(part.kind) ?? 0) + 1);
  }
  return hands.map((hand) => hand.parts);
}

/** What a shard was dealt so far. */
interface Hand<P> {
  readonly parts: P[];
  readonly kinds: Map<string, number>;
  requests: number;
}

function createHand<P>(): Hand<P> {
  return { parts: [], kinds: new Map(), requests: 0 };
}

function compareHands<P>(one: Hand<P>, other: Hand<P>, kind: string): number {
  return (one.kinds.get(kind) ?? 0) - (other.kinds.get(kind) ?? 0) || one.requests - other.requests;
}
