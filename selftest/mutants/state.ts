import {
  type Call,
  Refusal,
  isRecord,
  type ListQuery,
  type NewPet,
  type Parts,
  type Pet,
  plain,
  presentPet,
  refuse,
  replaceParts,
  seedPets,
  type ServiceBehaviour,
  type ServiceResponse,
  takeId,
} from '../service/service.ts';
import {
  changePet,
  createMutants,
  inChanges,
  keep,
  type Mutant,
  within,
} from '../subject/subject.ts';
import { setTimeout as wait } from 'node:timers/promises';

const none = new Refusal(404, 'not_found', 'No pet has this identifier.');

/** Changes the result of a lookup. */
function finding(change: (found: Pet | Refusal, id: string, call: Call) => Pet | Refusal): Parts {
  return { find: (id, call) => change(plain.find(id, call), id, call) };
}

function lagging(requests: number): Parts {
  const addedAt = new Map<bigint, number>();
  return {
    store: (pet, call) => {
      addedAt.set(pet.id, call.ordinal);
      keep(pet, call);
    },
    ...finding((pet, _id, { ordinal }) =>
      !(pet instanceof Refusal) && ordinal <= (addedAt.get(pet.id) ?? -requests) + requests
        ? none
        : pet,
    ),
  };
}

function roundingAgain(): Parts {
  const known = new Set<bigint>();
  return changePet('item', (pet) => {
    const isAgain = known.size === known.add(pet.id).size;
    const rounded = BigInt.asIntN(64, BigInt(Number(pet.categoryId)));
    return isAgain ? { ...pet, categoryId: rounded } : pet;
  });
}

function listing(change: (pets: readonly Pet[], query: ListQuery) => readonly Pet[]): Parts {
  return { select: (pets, query, ...rest) => change(plain.select(pets, query, ...rest), query) };
}

/** Treats an addition differently if there is a similar pet. */
const meetingTwin = (
  answer: (twin: Pet, call: Call, all: ServiceBehaviour) => ServiceResponse,
): Parts => ({
  createPet: async (call, all) => {
    const body = plain.parseBody(call.body);
    const sent = body instanceof Refusal ? body : all.validateNewPet(body, all);
    const twin =
      sent instanceof Refusal
        ? undefined
        : call.inventory.pets.values().find((pet) => isSame(sent, pet));
    return twin === undefined ? await plain.createPet(call, all) : answer(twin, call, all);
  },
});

function isSame(one: NewPet, other: Pet): boolean {
  return (
    one.name === other.name && one.categoryId === other.categoryId && one.status === other.status
  );
}

/** Adds a pet called x when a body with a category and no name is refused. */
const addingDefaults: Parts = {
  respond: async (call, all) => {
    const response = await plain.respond(call, all);
    if (response.status !== 400 || call.route.operation !== 'createPet') return response;
    const body = plain.parseBody(call.body) ?? null;
    if (!(body instanceof Refusal) && isRecord(body) && 'categoryId' in body && !('name' in body))
      keep(
        { id: takeId(call.inventory), name: 'x', categoryId: 1n, status: undefined, rest: {} },
        call,
      );
    return response;
  },
};

function seedFrom(start: bigint): Pick<Parts, 'seed'> {
  return { seed: () => seedPets(8).map((pet) => ({ ...pet, id: start + pet.id })) };
}

const presentRounded = (pet: Pet) => presentPet({ ...pet, id: BigInt(Number(pet.id)) });

const readable = 'getPet/state.readable getPet/status.200 createPet/concurrency.stored';
const read = 'getPet/state.read.{name,categoryId,status}';
const listed =
  'listPets/state.listed createPet/concurrency.stored listPets/parameter.{limit.filled,status.filter}';
const unique =
  'createPet/state.id-unique createPet/concurrency.{unique,stored} listPets/state.listed';

/** Reads that find another pet, or none. */
const lookups: readonly Mutant[] = [
  ...createMutants(readable, {
    'get-absent-400': [
      finding((pet, id) =>
        pet instanceof Refusal && /^\d+$/.test(id) ? new Refusal(400, pet.code, pet.reason) : pet,
      ),
      'getPet/status.404',
    ],
    'get-first-read-for-good': [
      () => {
        let first: Pet | undefined;
        return finding((pet) => {
          first ??= pet instanceof Refusal ? undefined : pet;
          return first ?? pet;
        });
      },
      'getPet/state.read.id getPet/status.404',
    ],
    'get-lags-30': () => lagging(30),
    'get-once': () => {
      const found = new Set<string>();
      return finding((pet, id) => (found.size === found.add(id).size ? none : pet));
    },
    'get-again-rounded': [roundingAgain, 'getPet/state.read.categoryId'],
    'get-no-pet-before-fifty-others': [
      {
        store: (pet, call) => {
          keep(pet, call);
          const { pets } = call.inventory;
          for (const id of [...pets.keys()].slice(0, -50)) pets.delete(id);
        },
      },
      `${readable} listPets/parameter.limit.filled listPets/state.listed`,
      { needs: 'more' },
    ],
  }),
];

/** Lists that lose pets, show an older state, or fail for some pets. */
const lists: readonly Mutant[] = [
  ...createMutants(listed, {
    'list-cached-for-good': () => {
      const saved = new Map<string, readonly Pet[]>();
      return listing((pets, { limit, status }) => {
        const name = `${limit} ${status ?? 'any'}`;
        saved.set(name, saved.get(name) ?? pets);
        return saved.get(name) ?? pets;
      });
    },
    'list-fails-on-stored-text': [
      listing((pets) => {
        if (pets.some(({ name }) => /(?![\t\n\r])\p{Cc}/u.test(name)))
          throw new RangeError('this row cannot be written');
        return pets;
      }),
      'listPets/status.200 listPets/parameter.limit.default listPets/robustness.no-server-error',
    ],
    'list-empty-404': [
      {
        seed: () => [],
        listPets: async (call, all) =>
          call.inventory.pets.size === 0
            ? refuse(none, call, all)
            : await plain.listPets(call, all),
      },
      'listPets/status.200',
      { fades: true },
    ],
  }),
];

/** Members that come back with another value than was sent. */
const echoes: readonly Mutant[] = createMutants(
  '{listPets,getPet}/state.read.status listPets/parameter.status.filter',
  { 'status-available-list': changePet('list', (pet) => ({ ...pet, status: 'available' })) },
);

/** Ids assigned twice or lost. */
const identifiers: readonly Mutant[] = [
  ...createMutants(unique, {
    'id-again-after-refusal': {
      createPet: async (call, all) => {
        const response = await plain.createPet(call, all);
        if (response.status === 400 && call.inventory.nextId > 9n) call.inventory.nextId -= 1n;
        return response;
      },
    },
    'id-through-double-2-53': [
      {
        ...seedFrom(2n ** 53n),
        presentCreated: presentRounded,
        presentInList: presentRounded,
        presentItem: presentRounded,
      },
      `${unique} ${readable} getPet/state.read.id ${read} listPets/state.distinct listPets/state.read.{name,categoryId,status}`,
    ],
    'id-read-through-double': [
      {
        ...seedFrom(2n ** 53n),
        find: (id, call) => plain.find(String(BigInt(Number(id) || 0)), call),
      },
      `getPet/state.read.id ${readable}`,
    ],
    'twin-refused-409': [
      meetingTwin((_twin, call, all) =>
        refuse(new Refusal(409, 'already_exists', 'There is such a pet.'), call, all),
      ),
      'createPet/status.201 createPet/robustness.no-server-error createPet/state.id-unique',
    ],
    'twin-not-stored': [
      meetingTwin((twin, { inventory }) => ({
        status: 201,
        body: presentPet({ ...twin, id: takeId(inventory) }),
        headers: {},
      })),
      'listPets/state.listed getPet/state.readable',
    ],
    'default-in-spite-of-400-for-no-name': [addingDefaults, 'createPet/state.not-written.400'],
  }),
];

/** Duration of a query in real milliseconds: long enough for concurrent requests to overlap. */
const query = 8;

/** Stores the members of the last request for a concurrently changed pet. */
function sharing(part: (pet: Pet) => Partial<Pet>): Pick<ServiceBehaviour, 'store'> {
  const shared: { last?: Pet } = {};
  return {
    store: async (pet, call) => {
      shared.last = pet;
      await wait(query);
      keep({ ...pet, ...part(shared.last) }, call);
    },
  };
}

function sharingResponse(): Parts {
  let current: Promise<ServiceResponse> | undefined;
  const first: ServiceBehaviour['createPet'] = async (call, all) => {
    const response = await plain.createPet(call, all);
    await wait(query);
    current = undefined;
    return response;
  };
  return { createPet: (call, all) => (current ??= first(call, all)) };
}

function locking(): Parts {
  let atWork = 0;
  return {
    store: async (pet, call) => {
      atWork += 1;
      const isLocked = atWork > 1;
      await wait(query);
      atWork -= 1;
      if (isLocked) throw new Error('the table is locked');
      keep(pet, call);
    },
  };
}

/** Concurrent additions that interfere with each other. Alone, each works. */
const concurrency: readonly Mutant[] = createMutants(
  'createPet/concurrency.unique createPet/concurrency.stored',
  {
    'together-same-id': {
      assignId: async (_value, { inventory }) => {
        const id = inventory.nextId;
        await wait(query);
        inventory.nextId = id + 1n;
        return id;
      },
    },
    'together-one-answer': [
      sharingResponse,
      'createPet/concurrency.unique createPet/state.echo.{name,status} createPet/concurrency.stored',
    ],
    'together-stored-mixed': [
      () => sharing(({ name }) => ({ name })),
      '{listPets,getPet}/state.read.name',
    ],
    'together-500': [
      locking,
      'createPet/concurrency.stored createPet/status.201 createPet/robustness.no-server-error',
    ],
  },
);

/** Pets that are lost, mixed up, assigned a used id, or stored in spite of a refusal. */
export const stateMutants: readonly Mutant[] = [
  ...lookups,
  ...lists,
  ...echoes,
  ...identifiers,
  ...concurrency,
];

/** Removed pets stay in the inventory; some view hides them. */
function hiding(parts: (isHidden: (id: string) => boolean) => Parts): Parts {
  const hidden = new Set<string>();
  return {
    removePet: async (call, all) => {
      const id = call.route.petId;
      const isHidden = hidden.has(id);
      hidden.add(id);
      const find = isHidden ? () => none : all.find;
      return await plain.removePet(call, replaceParts(all, { find, remove: () => undefined }));
    },
    ...parts((id) => hidden.has(id)),
  };
}

/** Pets as they were added, by id. */
function remembering(parts: (first: (pet: Pet) => Pet) => Parts): Parts {
  const seen = new Map<bigint, Pet>();
  return {
    store: (pet, call) => {
      if (!seen.has(pet.id)) seen.set(pet.id, pet);
      keep(pet, call);
    },
    ...parts((pet) => seen.get(pet.id) ?? pet),
  };
}

function returning(): Parts {
  const lost: { readonly pet: Pet; readonly at: number }[] = [];
  return {
    arrive: (call) => {
      for (const { pet, at } of lost) if (call.ordinal > at + 8) keep(pet, call);
    },
    remove: (pet, { inventory, ordinal }) => {
      lost.push({ pet, at: ordinal });
      inventory.pets.delete(pet.id);
    },
  };
}

function reviving(): Parts {
  const archive = new Map<string, Pet>();
  return {
    remove: (pet, { inventory }) => {
      archive.set(String(pet.id), pet);
      inventory.pets.delete(pet.id);
    },
    replacePet: async (call, all) => {
      const old = archive.get(call.route.petId);
      if (old !== undefined) keep(old, call);
      return await plain.replacePet(call, all);
    },
  };
}

const removed = 'removePet/state.removed';

/** Pets that are not replaced, updated or removed correctly. */
export const changeMutants: readonly Mutant[] = inChanges([
  ...createMutants('replacePet/state.stored', {
    'replace-stores-name-only': within('replacePet', {
      store: ({ id, name }, call) => {
        const old = call.inventory.pets.get(id);
        if (old) keep({ ...old, name }, call);
      },
    }),
    'replace-every-pet': [
      within('replacePet', {
        store: (pet, call) => {
          for (const each of call.inventory.pets.values()) keep({ ...each, name: pet.name }, call);
          keep(pet, call);
        },
      }),
      '{listPets,getPet}/state.read.name replacePet/state.not-written.401 updatePet/state.{stored,others-kept} removePet/state.removed',
    ],
    'single-cached': [
      () => remembering((first) => ({ presentItem: (pet) => presentPet(first(pet)) })),
      'getPet/state.read.{name,categoryId,status}',
    ],
    'list-cached': [
      () => remembering((first) => ({ presentInList: (pet) => presentPet(first(pet)) })),
      'listPets/state.read.{name,categoryId,status} listPets/parameter.status.filter',
    ],
    'filter-cached': [
      () =>
        remembering((first) => ({
          filter: (pets, status) => pets.filter((pet) => first(pet).status === status),
        })),
      'listPets/parameter.status.filter',
    ],
  }),
  ...createMutants(removed, {
    'remove-from-single-only': () =>
      hiding((isHidden) => ({
        getPet: async (call, all) =>
          await plain.getPet(
            call,
            isHidden(call.route.petId) ? replaceParts(all, { find: () => none }) : all,
          ),
      })),
    'remove-from-list-only': [
      () =>
        hiding((isHidden) => ({
          order: (pets) => plain.order(pets).filter(({ id }) => !isHidden(String(id))),
        })),
      'getPet/status.404',
    ],
    'remove-undone': [returning, `${removed} getPet/status.404`],
  }),
  ...createMutants(
    'replacePet/concurrency.stored',
    {
      'update-ignores-zero': [
        within('updatePet', {
          merge: (old, sent) => ({
            ...old,
            ...sent,
            categoryId: sent.categoryId || old.categoryId,
          }),
        }),
        'updatePet/state.echo.categoryId',
      ],
      'replace-revives': [reviving, `replacePet/status.404 ${removed} updatePet/status.404`],
      'replace-together-mixed': () =>
        within(
          'replacePet',
          sharing(({ id: _id, ...others }) => others),
        ),
    },
    { needs: 'more' },
  ),
]);
