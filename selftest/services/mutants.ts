import type { Requirements } from '../subject/mutant.ts';
import { type Settings, createService as createStore } from './store/service.ts';
import type { Coercion } from './validating/schema.ts';
import { createService as createValidating } from './validating/service.ts';

interface Time {
  readonly now: () => number;
}

/** A deliberate fault of one of the other services: a setting, as people leave it. */
export interface ServiceMutant {
  /** Kebab-case, unique. */
  readonly id: string;
  /** The suite has to name the first; a setting has many effects, and others may be named. */
  readonly breaks: Requirements;
  readonly summary: string;
  readonly needs?: 'more';
  readonly create: (
    time: Time,
  ) => ReturnType<typeof createStore> | ReturnType<typeof createValidating>;
}

type Rows<Options> = Readonly<
  Record<
    string,
    readonly [summary: string, settings: Partial<Options>, breaks: Requirements, needs?: 'more']
  >
>;

function listMutants<Options>(
  start: string,
  create: (settings: Partial<Options>, time: Time) => ReturnType<ServiceMutant['create']>,
  rows: Rows<Options>,
): readonly ServiceMutant[] {
  return Object.entries(rows).map(([rest, [summary, settings, breaks, needs]]) => ({
    id: `${start}-${rest}`,
    breaks,
    summary,
    ...(needs && { needs }),
    create: (time) => create(settings, time),
  }));
}

const nameTaken = 'createPet/request.body.name.taken';
const nameType = 'createPet/request.body.name.type';
const categoryType = 'createPet/request.body.categoryId.type';
const statusType = 'createPet/request.body.status.type';
const statusValues = 'createPet/request.body.status.values';
const nameRequired = 'createPet/request.body.name.required';
const categoryRequired = 'createPet/request.body.categoryId.required';
const echo = 'createPet/state.echo.name';

/** A validator that does more than to validate. */
const validating: Rows<Coercion> = {
  types: [
    'The validator makes numbers of texts, booleans and null, and texts of numbers.',
    { types: true },
    [nameType, categoryType, statusType],
  ],
  lists: [
    'A list of one value is taken for the value.',
    { lists: true },
    [nameType, categoryType, statusType, 'createPet/request.body.type'],
    'more',
  ],
  fractions: ['A fraction is cut to an integer.', { fractions: true }, [categoryType]],
  nulls: [
    'A null is left out before anything is checked.',
    { nulls: true },
    [statusType, statusValues],
  ],
  cases: ['A status may be in any case.', { cases: true }, [statusValues]],
  'default-name': [
    'A name that is not there has a default.',
    { defaults: { name: '' } },
    [nameRequired],
  ],
  'default-category': [
    'A categoryId that is not there has a default.',
    { defaults: { categoryId: 0n } },
    [categoryRequired],
  ],
  all: [
    'The validator has everything on that makes it lenient.',
    {
      types: true,
      lists: true,
      fractions: true,
      nulls: true,
      cases: true,
      defaults: { name: '', categoryId: 0n },
    },
    [
      nameRequired,
      categoryRequired,
      nameType,
      categoryType,
      statusType,
      statusValues,
      'createPet/request.body.type',
    ],
  ],
};

/** A database that does not hold what the interface has. */
const store: Rows<Settings> = {
  'column-of-20': [
    'The column of the name has 20 characters, and cuts what is longer.',
    { columns: { name: { size: 20, lenient: true } } },
    [echo],
  ],
  'column-of-255': [
    'The column of the name has 255 characters, and cuts what is longer.',
    { columns: { name: { size: 255, lenient: true } } },
    [echo],
  ],
  'column-of-255-uncaught': [
    'A name of more than 255 characters is an error that nobody caught.',
    { caught: /^22003|^23/, columns: { name: { size: 255 } } },
    [nameTaken],
  ],
  'integer-uncaught': [
    'A categoryId of more than 32 bits is an error that nobody caught.',
    { caught: /^23/, columns: { categoryId: { type: 'INT' } } },
    ['createPet/request.body.categoryId.taken'],
  ],
  'integer-nearest': [
    'A categoryId of more than 32 bits becomes the largest of 32.',
    { columns: { categoryId: { type: 'INT', lenient: true } } },
    ['createPet/state.echo.categoryId'],
  ],
  double: [
    'The column of categoryId is a DOUBLE.',
    { columns: { categoryId: { type: 'DOUBLE' } } },
    ['createPet/state.echo.categoryId'],
  ],
  'not-null-status': [
    'The column of status is NOT NULL and without a default.',
    { columns: { status: { nullable: false } } },
    ['createPet/request.body.status.optional'],
  ],
  'check-of-two': [
    'The CHECK of status has only two of the values.',
    { columns: { status: { values: ['available', 'pending'] } } },
    ['createPet/request.body.status.taken'],
  ],
  'check-of-none': [
    'The column of status has no CHECK.',
    { columns: { status: { values: [] } } },
    [statusValues],
  ],
  'nul-uncaught': [
    'A name with a NUL is an error that nobody caught.',
    { refusesNul: true, caught: /^22003|^23/ },
    [nameTaken],
  ],
  'three-bytes': ['Characters of four bytes become question marks.', { threeBytes: true }, [echo]],
  padded: [
    'Blanks at the end of a name are lost.',
    { padded: true },
    ['createPet/state.spaces.name'],
  ],
  'rolls-back': [
    'The transaction of an addition is never committed.',
    { rollsBack: true },
    ['listPets/state.listed'],
  ],
  deadlock: [
    'Every fifth addition is the victim of a deadlock.',
    { deadlockEvery: 5 },
    ['createPet/robustness.no-server-error'],
  ],
};

export const serviceMutants: readonly ServiceMutant[] = [
  ...listMutants('validating', createValidating, validating),
  ...listMutants('store', createStore, store),
];
