import { type Parts, isRefusal, type Call, type ServiceResponse } from '../../service/behaviour.ts';
import { isRecord, type Json } from '../../service/json.ts';
import { parseBody } from '../../service/new-pet.ts';
import { isInt64 } from '../../service/pet.ts';
import {
  type Mutant,
  type Requirements,
  alsoBreaking,
  createMutant,
  requirementsOf,
} from '../../subject/mutant.ts';
import {
  everyOperation,
  fallen,
  fetched,
  isAt,
  isCallOf,
  refused,
  requiredAt,
  unauthorized,
} from '../../subject/place.ts';

/** The same refusal under another status, in the body too where it is an error. */
function restate(response: ServiceResponse, status: number): ServiceResponse {
  const body =
    isRecord(response.body) && status >= 400
      ? { ...response.body, status: BigInt(status) }
      : response.body;
  return { ...response, status, body };
}

/** A service that gives some refusals of bodies another status. */
function restating(status: number, fits: (call: Call) => boolean): Parts {
  return {
    render: (response, call) =>
      isAt(refused, call, response.status) && fits(call) ? restate(response, status) : response,
  };
}

/** The body that was sent; an empty text stands for one that is no JSON. */
function readSent(call: Call): Json | undefined {
  const body = parseBody(call.body);
  return isRefusal(body) ? '' : body;
}

type Test = (value: Json | undefined) => boolean;

/** Bodies or members of a kind, and by each other status than 400 why a service answers it. */
type Refused = Readonly<Record<string, readonly [fits: Test, byStatus: Record<number, string>]>>;

/** What an addition breaks that is answered with such a status. */
function fallenBy(status: string): readonly string[] {
  return status.startsWith('5') ? [fallen.addition] : [];
}

function refusedBodies(facet: string, rows: Refused): readonly Mutant[] {
  return Object.entries(rows).flatMap(([id, [fits, byStatus]]) =>
    Object.entries(byStatus).map(([status, words]) =>
      createMutant(
        `refused-${status}-${id}`,
        [`createPet/request.body.${facet}`, ...fallenBy(status)],
        `${words}: ${status} instead of 400.`,
        restating(Number(status), (call) => fits(readSent(call))),
      ),
    ),
  );
}

function refusedMembers(name: string, facet: string, rows: Refused): readonly Mutant[] {
  const ofMember = Object.entries(rows).map(([id, [fits, byStatus]]) => {
    const fitsBody: Test = (body) => fits(isRecord(body) ? body[name] : undefined);
    return [id, [fitsBody, byStatus]] as const;
  });
  return refusedBodies(`${name}.${facet}`, Object.fromEntries(ofMember));
}

const lacksName: Test = (body) => isRecord(body) && body['name'] === undefined;

const lacksCategory: Test = (body) =>
  isRecord(body) && body['name'] !== undefined && body['categoryId'] === undefined;

const isText: Test = (value) => typeof value === 'string';
const isNull: Test = (value) => value === null;

/** Bodies that break the contract in one way and are refused with another status than 400. */
const bodyMutants: readonly Mutant[] = [
  ...refusedBodies('required', {
    'no-body': [
      (body) => body === undefined,
      {
        500: 'No body at all brings the handler down',
        411: 'No body at all is refused for its missing length',
        415: 'No body at all is refused for its missing media type',
      },
    ],
  }),
  ...refusedBodies('type', {
    null: [isNull, { 500: 'A body of null brings the handler down' }],
    array: [
      Array.isArray,
      {
        500: 'An array as body brings the handler down',
        422: 'An array as body is well-formed, so that it is found unprocessable',
        501: 'An array as body is taken for an addition of many, which is not there yet',
      },
    ],
  }),
  ...refusedBodies('name.required', {
    'name-missing': [
      lacksName,
      {
        422: 'A missing name is unprocessable',
        200: 'A missing name is told in the body of a success',
        500: 'A missing name breaks a constraint of the database',
      },
    ],
  }),
  ...refusedMembers('name', 'type', {
    'name-type': [
      (name) => name !== undefined && !isText(name),
      { 500: 'A name that is no string has no method for trimming' },
    ],
    'name-null': [isNull, { 500: 'A name of null breaks a constraint of the database' }],
    'name-object': [isRecord, { 422: 'A name that is an object is unprocessable' }],
  }),
  ...refusedBodies('categoryId.required', {
    'category-missing': [
      lacksCategory,
      {
        404: 'A missing categoryId is a category that is not found',
        500: 'A missing categoryId is read all the same',
      },
    ],
  }),
  ...refusedMembers('categoryId', 'type', {
    'category-string': [isText, { 422: 'A categoryId of digits in quotes is unprocessable' }],
    'category-fraction': [
      (id) => typeof id === 'number',
      { 500: 'A categoryId with a fraction cannot become an integer' },
    ],
    'category-null': [isNull, { 409: 'A categoryId of null conflicts with the foreign key' }],
  }),
  ...refusedMembers('categoryId', 'format', {
    'category-overflow': [
      (id) => typeof id === 'bigint' && !isInt64(id),
      {
        500: 'A categoryId beyond 64 bits overflows in the database',
        404: 'A categoryId beyond 64 bits is a category that is not found',
      },
    ],
  }),
  ...refusedMembers('status', 'values', {
    'status-unknown': [
      isText,
      {
        500: 'An unknown status breaks a check of the database',
        409: 'An unknown status conflicts with the table of states',
      },
    ],
    'status-empty': [(status) => status === '', { 500: 'An empty status has no first letter' }],
  }),
  ...refusedMembers('status', 'type', {
    'status-type': [
      (status) => typeof status === 'bigint',
      { 500: 'A status that is a number has no method for lower case' },
    ],
    'status-null': [isNull, { 422: 'A status of null is unprocessable' }],
  }),
];

const bodyRequirements = requirementsOf([...new Set(bodyMutants.map(({ breaks }) => breaks[0]))]);

/** Every refused body gets the other status: one handler answers all, no facet breaks alone. */
const anyBodyMutants: readonly Mutant[] = [422, 500, 200, 406].map((status) =>
  createMutant(
    `refused-${status}`,
    [...bodyRequirements, ...fallenBy(String(status))],
    `Every body that breaks the contract is answered ${status} instead of 400.`,
    restating(status, (call) => readSent(call) !== ''),
  ),
);

/** A redirect leads to the page for signing in. */
function challenge(response: ServiceResponse, status: number): ServiceResponse {
  return status === 302
    ? { ...response, body: undefined, headers: { ...response.headers, Location: '/login' } }
    : response;
}

const isMissing = ({ headers }: Call): boolean => headers.authorization === undefined;

const isBearer = ({ headers }: Call): boolean => /^bearer /i.test(headers.authorization ?? '');

const isOtherScheme = (call: Call): boolean => !isMissing(call) && !isBearer(call);

const missing = everyOperation('auth.missing');
const invalid: Requirements = [...everyOperation('auth.invalid'), '*/auth.exact'];

function refusedCredentials(
  id: string,
  breaks: Requirements,
  fits: (call: Call) => boolean,
  byStatus: Readonly<Record<number, string>>,
): readonly Mutant[] {
  return Object.entries(byStatus).map(([status, words]) =>
    createMutant(`unauthorized-${status}-${id}`, breaks, `${words}: ${status} instead of 401.`, {
      render: (response, call) =>
        isAt(unauthorized, call, response.status) && fits(call)
          ? challenge(restate(response, Number(status)), Number(status))
          : response,
    }),
  );
}

const isSingle = (call: Call): boolean => isCallOf('getPet', call);
const isAddition = (call: Call): boolean => isCallOf('createPet', call);

const credentialMutants: readonly Mutant[] = [
  ...refusedCredentials('missing', missing, isMissing, {
    403: 'A request without a key is forbidden',
    400: 'A request without the header is incomplete',
    302: 'A request without a key leads to the page for signing in',
    407: 'A request without a key gets the status for proxies',
  }),
  ...refusedCredentials('invalid', invalid, isBearer, {
    403: 'An unknown key is forbidden',
    404: 'An unknown key is not found',
  }),
  ...alsoBreaking(Object.values(fallen), [
    ...refusedCredentials('missing', missing, isMissing, {
      500: 'The missing header is read all the same',
    }),
    ...refusedCredentials('invalid', invalid, isBearer, {
      500: 'An unknown key cannot be decoded',
    }),
    ...refusedCredentials('scheme', ['*/auth.scheme'], isOtherScheme, {
      500: 'Another scheme has no handler',
    }),
  ]),
  ...alsoBreaking(
    [
      'listPets/response.200.body.type',
      ...requiredAt(fetched),
      'getPet/response.200.body.status.type',
    ],
    refusedCredentials('any', [...missing, ...invalid, '*/auth.scheme'], () => true, {
      200: 'Every wrong credential is told in the body of a success',
    }),
  ),
  ...refusedCredentials('scheme', ['*/auth.scheme'], isOtherScheme, {
    400: 'Another scheme is malformed',
  }),
  ...refusedCredentials('any', [...missing, ...invalid, '*/auth.scheme'], () => true, {
    403: 'Every wrong credential is forbidden',
  }),
  ...refusedCredentials('single', ['getPet/auth.missing', 'getPet/auth.invalid'], isSingle, {
    404: 'A single pet is hidden from strangers',
  }),
  ...refusedCredentials(
    'created',
    ['createPet/auth.missing', 'createPet/auth.invalid'],
    isAddition,
    { 403: 'Additions by strangers are forbidden' },
  ),
  ...refusedCredentials(
    'created-missing',
    ['createPet/auth.missing'],
    (call) => isMissing(call) && isAddition(call),
    { 405: 'Strangers see a read-only service' },
  ),
];

/** Requests that have to be refused and are, with another status than the documented one. */
export const errorRefusalMutants: readonly Mutant[] = [
  ...bodyMutants,
  ...anyBodyMutants,
  ...credentialMutants,
];
