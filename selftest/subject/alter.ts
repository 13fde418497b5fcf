import type {
  Call,
  OperationId,
  Parts,
  ServiceResponse,
  WireResponse,
} from '../service/behaviour.ts';
import { isRecord, type Json, type JsonRecord, renderJson } from '../service/json.ts';
import { type NewPet, type Pet, presentPet } from '../service/pet.ts';

export function isCallOf(operation: OperationId, { route }: Pick<Call, 'route'>): boolean {
  return route.kind === 'operation' && route.operation === operation;
}

/** Responses with one status of one operation, `listPets 200`, or of any: `* 401`. */
export type Place = `${OperationId | '*'} ${number}`;

export function isAt(place: Place, { route }: Pick<Call, 'route'>, status: number): boolean {
  const operation = route.kind === 'operation' ? route.operation : '';
  return place === `${operation} ${status}` || place === `* ${status}`;
}

export function changeResponse(
  place: Place,
  change: (response: ServiceResponse, call: Call) => ServiceResponse,
): Parts {
  return {
    render: (response, call) =>
      isAt(place, call, response.status) ? change(response, call) : response,
  };
}

export function changeBody(place: Place, change: (body: Json) => Json): Parts {
  return changeResponse(place, (response) =>
    response.body === undefined ? response : { ...response, body: change(response.body) },
  );
}

/** Changes every object of a response: the items of a list, else the body itself. */
export function changeRecord(place: Place, change: (record: JsonRecord) => Json): Parts {
  const each = (value: Json): Json => (isRecord(value) ? change(value) : value);
  return changeBody(place, (body) =>
    Array.isArray(body) ? body.map((item: Json) => each(item)) : each(body),
  );
}

export function changeText(place: Place, change: (text: string) => string): Parts {
  return {
    serialise: (body, call, status) =>
      isAt(place, call, status) ? change(renderJson(body)) : renderJson(body),
  };
}

export function changeWire(place: Place, change: (wire: WireResponse) => WireResponse): Parts {
  return { finish: (wire, call) => (isAt(place, call, wire.status) ? change(wire) : wire) };
}

export function leaveOut<Value>(
  record: Readonly<Record<string, Value>>,
  ...names: readonly string[]
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

export function keep(pet: Pet, { inventory }: Call): void {
  inventory.pets.set(pet.id, pet);
}

/** Where a pet is changed: on its way in, in the response to its addition, stored, or read. */
type Stage = 'everywhere' | 'created' | 'stored' | 'list' | 'item';

export function changePet(stage: Stage, change: (pet: Pet) => Pet): Parts {
  switch (stage) {
    case 'everywhere':
      return {
        acceptNewPet: (value) => {
          const { id: _id, ...changed } = change({ ...value, id: 0n, rest: {} });
          return changed;
        },
      };
    case 'created':
      return { presentCreated: (pet) => presentPet(change(pet)) };
    case 'stored':
      return { store: (pet, call) => keep(change(pet), call) };
    case 'list':
      return { presentInList: (pet) => presentPet(change(pet)) };
    case 'item':
      return { presentItem: (pet) => presentPet(change(pet)) };
  }
}

export function changeName(stage: Stage, change: (name: string) => string): Parts {
  return changePet(stage, (pet) => ({ ...pet, name: change(pet.name) }));
}

export function changeCategory(stage: Stage, change: (categoryId: bigint) => bigint): Parts {
  return changePet(stage, (pet) => ({ ...pet, categoryId: change(pet.categoryId) }));
}

/** Answers 500 to the addition of some valid pets. */
export function failOn(fails: (value: NewPet) => boolean): Parts {
  return {
    acceptNewPet: (value) => {
      if (fails(value)) throw new RangeError('the database rejects this row');
      return { ...value, rest: {} };
    },
  };
}

/** A number from 0 to 4095 that looks random and is the same in every run. */
export const scatter = (ordinal: number): number => Math.imul(ordinal + 7, 2_654_435_761) >>> 20;
