import type { Call, Parts, ServiceBehaviour } from '../../service/behaviour.ts';
import { removePet, replacePet, updatePet } from '../../service/change.ts';
import type { Pet } from '../../service/pet.ts';
import { place } from '../../subject/place.ts';

/** The operations that change a pet or remove it. */
export type ChangeId = 'replacePet' | 'updatePet' | 'removePet';

const handlers = { replacePet, updatePet, removePet };

/** Parts that are replaced in one operation alone. */
export function within(operation: ChangeId, parts: Parts): Parts {
  return {
    [operation]: (call: Call, all: ServiceBehaviour) =>
      handlers[operation](call, { ...all, ...parts }),
  };
}

export const replaced = place('replaced', 'the response to a replacement', 200, 'replacePet');
export const updated = place('updated', 'the response to an update', 200, 'updatePet');
export const removed = place('removed', 'the response to a removal', 204, 'removePet');

/** The identifier in the path; a text as it was sent. */
export function wantedId({ route }: Call): string {
  return route.kind === 'operation' ? route.petId : '';
}

export function put(pet: Pet, { inventory }: Call): void {
  inventory.pets.set(pet.id, pet);
}

/** Integers as a double has them, within 64 bits. */
export function throughDouble(value: bigint): bigint {
  const rounded = BigInt(Number(value));
  return BigInt.asIntN(64, rounded > 2n ** 63n - 1n ? 2n ** 63n - 1n : rounded);
}
