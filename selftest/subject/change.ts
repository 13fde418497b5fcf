import type { Call, Parts, ServiceBehaviour } from '../service/behaviour.ts';
import { removePet, replacePet, updatePet } from '../service/change.ts';
import { readRouteWithChanges } from '../service/routes.ts';
import type { Mutant, Variant } from './subject.ts';

const handlers = { replacePet, updatePet, removePet };

/** Parts that are replaced in one operation alone. */
export function within(operation: keyof typeof handlers, parts: Parts): Parts {
  return {
    [operation]: (call: Call, all: ServiceBehaviour) =>
      handlers[operation](call, { ...all, ...parts }),
  };
}

/** The same on a service in which pets are replaced, updated and removed too. */
export function inChanges<Subject extends Mutant | Variant>(
  subjects: readonly Subject[],
): readonly Subject[] {
  return subjects.map((subject) => {
    const behaviour: Subject['behaviour'] = () => ({
      readRoute: readRouteWithChanges,
      ...subject.behaviour(),
    });
    return { ...subject, id: `change-${subject.id}`, behaviour };
  });
}
