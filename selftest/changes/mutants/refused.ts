import {
  type Call,
  type Parts,
  type ServiceBehaviour,
  isRefusal,
} from '../../service/behaviour.ts';
import { removePet, replacePet, updatePet, validateChange } from '../../service/change.ts';
import { type Json, type JsonRecord, isRecord } from '../../service/json.ts';
import { readNewPet, validateNewPet } from '../../service/new-pet.ts';
import { readBody, respond } from '../../service/operations.ts';
import { isPetStatus } from '../../service/pet.ts';
import { find } from '../../service/selection.ts';
import { createMutants, listMutants, needing, type Mutant } from '../../subject/mutant.ts';
import { textOf } from '../../subject/response-change.ts';
import { put, wantedId, within, type ChangeId } from './parts.ts';

/** How a careless service reads a body before it is checked. */
type Read = (body: Json | undefined) => Json | undefined;

const member =
  (name: string, read: (value: Json | undefined) => Json | undefined): Read =>
  (body) => {
    if (!isRecord(body)) return body;
    const { [name]: before, ...others } = body;
    const value = read(before);
    return value === undefined ? others : { ...others, [name]: value };
  };

const replacing = (read: Read): Parts =>
  within('replacePet', { validateNewPet: (body, all) => validateNewPet(read(body), all) });
const updating = (read: Read): Parts =>
  within('updatePet', { validateChange: (body, all) => validateChange(read(body), all) });

const digits = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : value;
const known = (value: Json | undefined): Json | undefined =>
  isPetStatus(value) ? value : undefined;
const wrapped = (value: Json | undefined): Json | undefined =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) : value;
const text = (value: Json | undefined): Json | undefined =>
  value === undefined ? value : textOf(value);

const lenient: readonly Mutant[] = [
  ...listMutants('replace-takes-', ['replacePet/request.body.categoryId.required'], replacing, {
    'no-category': [
      'A replacement without a category is taken, with category 1.',
      member('categoryId', (value) => value ?? 1n),
    ],
    'any-status': [
      'A replacement takes any status and drops those that it does not know.',
      member('status', known),
      ['replacePet/request.body.status.values', 'replacePet/request.body.status.type'],
    ],
  }),
  ...listMutants(
    'update-takes-',
    ['updatePet/request.body.status.values', 'updatePet/request.body.status.type'],
    updating,
    {
      'any-status': [
        'An update takes any status and drops those that it does not know.',
        member('status', known),
      ],
    },
  ),
  ...needing('more', [
    ...listMutants('replace-takes-', ['replacePet/request.body.categoryId.type'], replacing, {
      'no-name': [
        'A replacement without a name is taken.',
        member('name', (value) => (value === undefined ? '' : value)),
        ['replacePet/request.body.name.required'],
      ],
      'text-as-category': [
        'A replacement takes digits for a category.',
        member('categoryId', digits),
      ],
      'number-as-name': [
        'A replacement takes any value for a name, as text.',
        member('name', (value) => (value === null ? value : text(value))),
        ['replacePet/request.body.name.type'],
      ],
      'null-as-status': [
        'A replacement takes null for no status.',
        member('status', (value) => value ?? undefined),
        ['replacePet/request.body.status.type'],
      ],
      'large-category': [
        'A replacement takes integers beyond 64 bits and cuts them.',
        member('categoryId', wrapped),
        ['replacePet/request.body.categoryId.format'],
      ],
      'no-body': [
        'A replacement without a body is taken.',
        (body) => (body === undefined ? { name: 'none', categoryId: 1n } : body),
        ['replacePet/request.body.required'],
      ],
      array: [
        'A replacement takes the first item of an array.',
        (body) => (Array.isArray(body) ? body[0] : body),
        ['replacePet/request.body.type'],
      ],
    }),
    ...listMutants('update-takes-', ['updatePet/request.body.categoryId.type'], updating, {
      'text-as-category': ['An update takes digits for a category.', member('categoryId', digits)],
      'number-as-name': [
        'An update takes any value for a name, as text.',
        member('name', (value) => (value === null ? value : text(value))),
        ['updatePet/request.body.name.type'],
      ],
      'null-as-status': [
        'An update takes null for no status.',
        member('status', (value) => value ?? undefined),
        ['updatePet/request.body.status.type'],
      ],
      'large-category': [
        'An update takes integers beyond 64 bits and cuts them.',
        member('categoryId', wrapped),
        ['updatePet/request.body.categoryId.format'],
      ],
      'no-body': [
        'An update without a body is taken and changes nothing.',
        (body) => (body === undefined ? {} : body),
        ['updatePet/request.body.required'],
      ],
      anything: [
        'An update takes what is no object for nothing to change.',
        (body) => (body === undefined || isRecord(body) ? body : {}),
        ['updatePet/request.body.type'],
      ],
    }),
  ]),
];

const handlers = { replacePet, updatePet, removePet };

/** Stores what can be stored of a body that is refused afterwards. */
const writing =
  (operation: 'replacePet' | 'updatePet') =>
  (isWritten: (body: JsonRecord) => boolean): Parts => ({
    [operation]: async (call: Call, all: ServiceBehaviour) => {
      const response = await handlers[operation](call, all);
      const body = readBody(call, all);
      const old = find(wantedId(call), call);
      if (response.status !== 400 || isRefusal(body) || !isRecord(body) || isRefusal(old))
        return response;
      const { name, categoryId } = readNewPet(body);
      const isNamed = typeof body['name'] === 'string';
      const isPlaced = typeof body['categoryId'] === 'bigint';
      if (isWritten(body))
        put(
          {
            ...old,
            ...(isNamed ? { name } : {}),
            ...(isPlaced ? { categoryId: BigInt.asIntN(64, categoryId) } : {}),
          },
          call,
        );
      return response;
    },
  });

const written: readonly Mutant[] = [
  ...listMutants(
    'replace-written-in-spite-of-400-',
    ['replacePet/state.not-written.400'],
    writing('replacePet'),
    {
      any: [
        'A replacement is written before it is checked, whatever is wrong with it.',
        () => true,
      ],
      'status-wrong': [
        'A replacement is written before its status is checked.',
        ({ status }) => status !== undefined && !isPetStatus(status),
      ],
    },
  ),
  ...listMutants(
    'update-written-in-spite-of-400-',
    ['updatePet/state.not-written.400'],
    writing('updatePet'),
    {
      any: ['An update is written before it is checked, whatever is wrong with it.', () => true],
      'status-wrong': [
        'An update is written member by member, the status last.',
        ({ status }) => status !== undefined && !isPetStatus(status),
      ],
    },
  ),
  ...createMutants(['replacePet/state.not-written.401'], {
    'replace-written-in-spite-of-401': [
      'A replacement without the key is written and answered 401.',
      actingFirst('replacePet'),
    ],
    'update-written-in-spite-of-401': [
      'An update without the key is written and answered 401.',
      actingFirst('updatePet'),
      ['updatePet/state.not-written.401'],
    ],
    'remove-written-in-spite-of-401': [
      'A removal without the key is done and answered 401.',
      actingFirst('removePet'),
      [
        'removePet/state.not-written.401',
        'replacePet/state.not-written.401',
        'updatePet/state.not-written.401',
        'replacePet/state.not-written.400',
        'updatePet/state.not-written.400',
      ],
    ],
  }),
];

/** A replacement that is refused takes the pet away. */
const losing: Parts = {
  replacePet: async (call, all) => {
    const response = await replacePet(call, all);
    const old = find(wantedId(call), call);
    if (response.status === 400 && !isRefusal(old)) call.inventory.pets.delete(old.id);
    return response;
  },
};

const lost = createMutants(['replacePet/state.not-written.400'], {
  'replace-loses-in-spite-of-400': [
    'A replacement removes the pet before the body is checked, and answers 400.',
    losing,
  ],
});

function isChange(operation: ChangeId, { route }: Call): boolean {
  return route.kind === 'operation' && route.operation === operation;
}

function actingFirst(operation: ChangeId): Parts {
  return {
    respond: async (call, all) => {
      if (call.key === undefined && isChange(operation, call)) await all[operation](call, all);
      return await respond(call, all);
    },
  };
}

/** A service that asks for no key in one operation. */
function open(operation: ChangeId, isOpen: (authorization: string | undefined) => boolean): Parts {
  return {
    respond: async (call, all) =>
      isChange(operation, call) && isOpen(call.headers.authorization)
        ? await all[operation](call, all)
        : await respond(call, all),
  };
}

const keys: readonly Mutant[] = (['replacePet', 'updatePet', 'removePet'] as const).flatMap(
  (operation) => {
    const word = operation.replace('Pet', '');
    return [
      ...createMutants([`${operation}/auth.missing`, `${operation}/auth.invalid`], {
        [`${word}-without-key`]: [`${operation} asks for no key.`, open(operation, () => true)],
      }),
      ...needing(
        'more',
        createMutants([`${operation}/auth.invalid`, '*/auth.exact'], {
          [`${word}-any-key`]: [
            `${operation} takes any key.`,
            open(operation, (sent) => sent !== undefined),
          ],
        }),
      ),
    ];
  },
);

/** Changes that are taken though they are to be refused, or done though they are. */
export const refusedMutants: readonly Mutant[] = [...lenient, ...written, ...lost, ...keys];
