import { readFileSync } from 'node:fs';

export interface NewPet {
  readonly name: string;
  readonly categoryId: number;
  readonly status?: string;
}

interface Pet extends NewPet {
  readonly id: number;
}

export function openPetStore(file: string) {
  const seed: { readonly '/pets': readonly Pet[] } = JSON.parse(readFileSync(file, 'utf8'));
  const pets = [...seed['/pets']];
  const byId = new Map(pets.map((pet) => [pet.id, pet]));
  return {
    list(limit: number, status: string | undefined): readonly Pet[] {
      if (status === undefined) return pets.slice(0, limit);
      return pets
        .values()
        .filter((pet) => pet.status === status)
        .take(limit)
        .toArray();
    },
    get: (id: number) => byId.get(id),
    add({ name, categoryId, status = 'available' }: NewPet): Pet {
      const pet = { id: pets.length + 1, name, categoryId, status };
      pets.push(pet);
      byId.set(pet.id, pet);
      return pet;
    },
  };
}
