/** What an inventory of some size costs. */
export interface Scale {
  readonly pets: number;
  /** Microseconds of one list of 20, through `mock.handle`. */
  readonly listMicroseconds: number;
  /** Memory of a pet beyond its JSON text, in bytes. */
  readonly bytesBeyondText: number;
}

const statuses = ['available', 'pending', 'sold'] as const;

/** Pets 1 to `count`, the same each time, much like those of a real inventory. */
export function makePets(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Pet number ${index + 1}`,
    categoryId: 1 + (index % 12),
    status: statuses[index % 3] ?? 'available',
  }));
}
