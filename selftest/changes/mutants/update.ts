import type { NewPet, Pet } from '../../service/pet.ts';
import { presentPet } from '../../service/pet.ts';
import { createRefusal, type ServiceBehaviour } from '../../service/behaviour.ts';
import { validateChange } from '../../service/change.ts';
import { isRecord } from '../../service/json.ts';
import { createMutants, listMutants, needing, type Mutant } from '../../subject/mutant.ts';
import { put, within } from './parts.ts';

type Merge = (old: Pet, sent: Partial<NewPet>) => Pet;

const echo = (member: string) => `updatePet/state.echo.${member}`;
const others = 'updatePet/state.others-kept';
const merging = (merge: Merge) => within('updatePet', { merge });

const merges = listMutants('update-', [others], merging, {
  'wipes-others': [
    'An update sets every member that it does not send to nothing: it is a replacement in disguise.',
    ({ id, name, rest }, sent) => ({ id, name, rest, categoryId: 0n, status: undefined, ...sent }),
  ],
  'default-status': [
    'An update without a status makes the pet pending, as if it were added.',
    (old, sent) => ({ ...old, status: 'pending', ...sent }),
  ],
});

const rareMerges = listMutants('update-', [echo('categoryId')], merging, {
  'ignores-zero': [
    'An update takes a category of 0 for none.',
    (old, sent) => ({ ...old, ...sent, categoryId: sent.categoryId || old.categoryId }),
  ],
}).map((mutant): Mutant => ({ ...mutant, needs: 'more' }));

const stores = createMutants(['updatePet/state.stored'], {
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
];

/** Pets that are not updated as they were sent, or lose what was not sent. */
export const updateMutants: readonly Mutant[] = [
  ...merges,
  ...rareMerges,
  ...stores,
  ...requirements,
];
