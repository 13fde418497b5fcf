import { readRouteWithChanges } from '../service/routes.ts';
import type { Mutant } from '../subject/mutant.ts';
import type { Variant } from '../subject/variant.ts';
import { concurrencyMutants } from './mutants/concurrency.ts';
import { removeMutants } from './mutants/remove.ts';
import { replaceMutants } from './mutants/replace.ts';
import { updateMutants } from './mutants/update.ts';
import { variants } from './variants.ts';

/** The same on a service in which pets are replaced, updated and removed too. */
function withRoutes<Subject extends Mutant | Variant>(subject: Subject): Subject {
  const behaviour: Subject['behaviour'] = () => ({
    readRoute: readRouteWithChanges,
    ...subject.behaviour(),
  });
  return { ...subject, id: `change-${subject.id}`, behaviour };
}

/** Mutants of a service that replaces, updates and removes pets; `withChanges` has its contract. */
export const changeMutants: readonly Mutant[] = [
  ...replaceMutants,
  ...updateMutants,
  ...removeMutants,
  ...concurrencyMutants,
].map(withRoutes);

/** Valid variants of that service. */
export const changeVariants: readonly Variant[] = variants.map(withRoutes);
