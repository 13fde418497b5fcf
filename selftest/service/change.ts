import {
  type Call,
  type Refusal,
  type ServiceBehaviour,
  type ServiceResponse,
  isRefusal,
} from './behaviour.ts';
import { type Json, isRecord } from './json.ts';
import { petIdOf, readBody, refuse } from './operations.ts';
import type { NewPet, Pet } from './pet.ts';

/** Looks for the pet first, then checks the body. */
export async function replacePet(call: Call, all: ServiceBehaviour): Promise<ServiceResponse> {
  return await change(call, all, (old) => {
    const body = readBody(call, all);
    const sent = isRefusal(body) ? body : all.validateNewPet(body, all);
    return isRefusal(sent) ? sent : all.replace(old, all.acceptNewPet(sent), call);
  });
}

/** The members that are sent replace those of the pet. */
export async function updatePet(call: Call, all: ServiceBehaviour): Promise<ServiceResponse> {
  return await change(call, all, (old) => {
    const body = readBody(call, all);
    const sent = isRefusal(body) ? body : validateChange(body, all);
    return isRefusal(sent) ? sent : all.merge(old, sent, call);
  });
}

async function change(
  call: Call,
  all: ServiceBehaviour,
  make: (old: Pet) => Pet | Refusal,
): Promise<ServiceResponse> {
  const old = all.find(petIdOf(call), call);
  if (isRefusal(old)) return refuse(old, call, all);
  const pet = make(old);
  if (isRefusal(pet)) return refuse(pet, call, all);
  await all.store(pet, call);
  return { status: 200, body: all.presentChanged(pet, call), headers: {} };
}

export async function removePet(call: Call, all: ServiceBehaviour): Promise<ServiceResponse> {
  const pet = all.find(petIdOf(call), call);
  if (isRefusal(pet)) return refuse(pet, call, all);
  all.remove(pet, call);
  return { status: 204, body: undefined, headers: {} };
}

/** The members are checked as those of a NewPet whose other members are valid. */
function validateChange(body: Json | undefined, all: ServiceBehaviour): Partial<NewPet> | Refusal {
  const whole = isRecord(body) ? { name: 'valid', categoryId: 1n, ...body } : body;
  const checked = all.validateNewPet(whole, all);
  if (isRefusal(checked) || !isRecord(body)) return checked;
  return Object.fromEntries(Object.entries(checked).filter(([name]) => name in body));
}
