import type { NewPet, Pet } from '../../service/pet.ts';
import { presentPet } from '../../service/pet.ts';
import { createRefusal, type ServiceBehaviour } from '../../service/behaviour.ts';
import { validateChange } from '../../service/change.ts';
import { isRecord } from '../../service/json.ts';
import { changeRecord, changeResponse, replace, textOf } from '../../subject/response-change.ts';
import { createMutants, listMutants, needing, type Mutant } from '../../subject/mutant.ts';
import { put, throughDouble, updated, within } from './parts.ts';

type Merge = (old: Pet, sent: Partial<NewPet>) => Pet;

const echo = (member: string) => `updatePet/state.echo.${member}`;
const others = 'updatePet/state.others-kept';
const merging = (merge: Merge) => within('updatePet', { merge });

const merges = listMutants('update-', [others], merging, {
  'wipes-others': [
    'An update sets every member that it does not send to nothing: it is a replacement in disguise.',
    ({ id, name, rest }, sent) => ({ id, name, rest, categoryId: 0n, status: undefined, ...sent }),
  ],
  'wipes-status': [
    'An update without a status takes it away.',
    (old, sent) => ({ ...old, status: undefined, ...sent }),
  ],
  'default-status': [
    'An update without a status makes the pet pending, as if it were added.',
    (old, sent) => ({ ...old, status: 'pending', ...sent }),
  ],
  'resets-category': [
    'An update without a category sets it to 1, the first of the form.',
    (old, sent) => ({
      ...old,
      categoryId: 1n,
      ...sent,
      ...(sent.categoryId === undefined ? { categoryId: 77n } : {}),
    }),
  ],
  'ignores-name': [
    'An update keeps the old name.',
    ({ name, ...old }, sent) => ({ ...old, ...sent, name }),
    [echo('name')],
  ],
  'ignores-status': [
    'An update keeps the old status.',
    ({ status, ...old }, sent) => ({ ...old, ...sent, status }),
    [echo('status')],
  ],
  'appends-name': [
    'An update puts the new name behind the old one.',
    (old, sent) => ({
      ...old,
      ...sent,
      name: sent.name === undefined ? old.name : old.name + sent.name,
    }),
    [echo('name')],
  ],
});

const rareMerges = listMutants('update-', [echo('categoryId')], merging, {
  'ignores-category': [
    'An update keeps the old category.',
    ({ categoryId, ...old }, sent) => ({ ...old, ...sent, categoryId }),
  ],
  'ignores-zero': [
    'An update takes a category of 0 for none.',
    (old, sent) => ({ ...old, ...sent, categoryId: sent.categoryId || old.categoryId }),
  ],
  'rounds-category': [
    'An update reads integers as doubles.',
    (old, sent) => ({
      ...old,
      ...sent,
      categoryId: throughDouble(sent.categoryId ?? old.categoryId),
    }),
  ],
  'trims-name': [
    'An update trims the name.',
    (old, sent) => ({ ...old, ...sent, name: (sent.name ?? old.name).trim() }),
    ['updatePet/state.spaces.name'],
  ],
  'cuts-name': [
    'An update cuts the name to 255 characters.',
    (old, sent) => ({ ...old, ...sent, name: (sent.name ?? old.name).slice(0, 255) }),
    [echo('name')],
  ],
}).map((mutant): Mutant => ({ ...mutant, needs: 'more' }));

const stores = createMutants(['updatePet/state.stored'], {
  'update-stores-nothing': [
    'An update is answered as it should be, and not stored.',
    within('updatePet', { storeChange: () => undefined }),
  ],
  'update-answers-old': [
    'An update is answered with the pet as it was.',
    within('updatePet', { presentChanged: (_pet, _call, old) => presentPet(old) }),
    [echo('name'), echo('status'), echo('categoryId')],
  ],
  'update-stores-without-status': [
    'An update is answered as it should be, and stored without the status that it did not send.',
    within('updatePet', {
      merge: (old, sent) => ({ ...old, ...sent, rest: { sent: sent.status !== undefined } }),
      presentChanged: (pet) => presentPet({ ...pet, rest: {} }),
      storeChange: (pet, call) =>
        put({ ...pet, status: pet.rest['sent'] === true ? pet.status : undefined, rest: {} }, call),
    }),
    [others],
  ],
  'update-next-id': [
    'An update answers the identifier after the one it was sent to.',
    within('updatePet', { presentChanged: (pet) => presentPet({ ...pet, id: pet.id + 1n }) }),
    ['updatePet/state.id-kept'],
  ],
});

const refusingWithout =
  (name: string): ServiceBehaviour['validateChange'] =>
  (body, all) =>
    isRecord(body) && body[name] === undefined
      ? createRefusal(400, 'invalid_body', `${name} is required.`)
      : validateChange(body, all);

const requirements: readonly Mutant[] = [
  ...needing(
    'more',
    createMutants(['updatePet/request.body.name.optional', 'updatePet/status.200'], {
      'update-needs-name': [
        'An update without a name is refused: the rules of an addition are checked.',
        within('updatePet', { validateChange: refusingWithout('name') }),
      ],
      'update-needs-category': [
        'An update without a category is refused: the rules of an addition are checked.',
        within('updatePet', { validateChange: refusingWithout('categoryId') }),
        [
          'updatePet/request.body.categoryId.optional',
          'updatePet/status.200',
          'updatePet/request.body.categoryId.format',
          'updatePet/request.body.categoryId.taken',
        ],
      ],
    }),
  ),
  ...createMutants(
    [
      'updatePet/response.200.body.id.required',
      'updatePet/response.200.body.categoryId.required',
      'updatePet/response.200.body.name.required',
    ],
    {
      'update-answers-sent': [
        'An update is answered with the members that were sent alone.',
        within('updatePet', { presentChanged: () => ({}) }),
      ],
    },
  ),
  ...createMutants(['updatePet/response.200.body.categoryId.type'], {
    'update-answers-text': [
      'In the response to an update the category is a text.',
      changeRecord(updated, (record) => replace(record, 'categoryId', textOf)),
    ],
  }),
  ...createMutants(['updatePet/status.200'], {
    'update-202': [
      'An update is answered as accepted.',
      changeResponse(updated, (all) => ({ ...all, status: 202 })),
    ],
    'update-204': [
      'An update is answered without a body.',
      changeResponse(updated, (all) => ({ ...all, status: 204, body: undefined })),
    ],
  }),
];

/** Pets that are not updated as they were sent, or lose what was not sent. */
export const updateMutants: readonly Mutant[] = [
  ...merges,
  ...rareMerges,
  ...stores,
  ...requirements,
];
