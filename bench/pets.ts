/** A pet of the measurements, much like those of a real inventory. */
export interface BenchPet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status: string;
}

const statuses = ['available', 'pending', 'sold'] as const;

/** Pets 1 to `count`, the same each time. */
export function makePets(count: number): BenchPet[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Pet number ${index + 1}`,
    categoryId: 1 + (index % 12),
    status: statuses[index % 3] ?? 'available',
  }));
}
