import { plain } from '../service/service.ts';
import {
  changeCategory,
  changeName,
  failOn,
  type Mutant,
  createMutants,
} from '../subject/subject.ts';

/** Mutants that show once in a while, or only in a large inventory: not within sixty requests. */
export const fuzzMutants: readonly Mutant[] = createMutants(
  'createPet/state.echo.name',
  {
    'fuzz-category-97': [
      changeCategory('everywhere', (id) => (id !== 0n && id % 97n === 0n ? id - 1n : id)),
      'createPet/state.echo.categoryId',
    ],
    'fuzz-name-of-64': changeName('everywhere', (name) =>
      name.length === 64 ? name.slice(0, 63) : name,
    ),
    'fuzz-addition-500-each-50th': [
      () => {
        let additions = 0;
        return failOn(() => (additions += 1) % 50 === 0);
      },
      'createPet/status.201 createPet/robustness.no-server-error createPet/concurrency.stored',
    ],
    'fuzz-filter-full-page': [
      {
        select: (pets, query, call, all) => {
          const page = plain.select(pets, query, call, all);
          const { status } = query;
          const other = pets.find((pet) => pet.status !== undefined && pet.status !== status);
          return status !== undefined && page.length >= 20 && other && page.length < pets.length
            ? [...page.slice(0, -1), other]
            : page;
        },
      },
      'listPets/parameter.status.filter listPets/state.listed',
    ],
  },
  { needs: 'fuzz' },
);
