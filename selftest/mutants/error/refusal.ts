import { type Parts, isRefusal, type Call, type ServiceResponse } from '../../service/behaviour.ts';
import { isRecord, type Json } from '../../service/json.ts';
import { parseBody } from '../../service/new-pet.ts';
import { isInt64 } from '../../service/pet.ts';
import { type Mutant, createMutant } from '../../subject/mutant.ts';
import { everyOperation, isAt, isCallOf, refused, unauthorized } from '../../subject/place.ts';

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

function memberOf(body: Json | undefined, name: string): Json | undefined {
  return isRecord(body) ? body[name] : undefined;
}

const lacksName = (body: Json | undefined): boolean => isRecord(body) && body['name'] === undefined;

function lacksCategory(body: Json | undefined): boolean {
  return isRecord(body) && body['name'] !== undefined && body['categoryId'] === undefined;
}

const isLarge = (value: Json | undefined): boolean => typeof value === 'bigint' && !isInt64(value);

type RefusedBody = readonly [
  id: string,
  facet: string,
  fits: (body: Json | undefined) => boolean,
  byStatus: Readonly<Record<number, string>>,
];

/** Bodies that break the contract in one way and are refused with another status than 400. */
const refusedBodies: readonly RefusedBody[] = [
  [
    'no-body',
    'required',
    (body) => body === undefined,
    {
      500: 'No body at all brings the handler down',
      411: 'No body at all is refused for its missing length',
      415: 'No body at all is refused for its missing media type',
    },
  ],
  ['null', 'type', (body) => body === null, { 500: 'A body of null brings the handler down' }],
  [
    'array',
    'type',
    Array.isArray,
    {
      500: 'An array as body brings the handler down',
      422: 'An array as body is well-formed, so that it is found unprocessable',
      501: 'An array as body is taken for an addition of many, which is not there yet',
    },
  ],
  [
    'name-missing',
    'name.required',
    lacksName,
    {
      422: 'A missing name is unprocessable',
      200: 'A missing name is told in the body of a success',
      500: 'A missing name breaks a constraint of the database',
    },
  ],
  [
    'name-type',
    'name.type',
    (body) => !['string', 'undefined'].includes(typeof memberOf(body, 'name')),
    { 500: 'A name that is no string has no method for trimming' },
  ],
  [
    'name-null',
    'name.type',
    (body) => memberOf(body, 'name') === null,
    { 500: 'A name of null breaks a constraint of the database' },
  ],
  [
    'name-object',
    'name.type',
    (body) => isRecord(memberOf(body, 'name')),
    { 422: 'A name that is an object is unprocessable' },
  ],
  [
    'category-missing',
    'categoryId.required',
    lacksCategory,
    {
      404: 'A missing categoryId is a category that is not found',
      500: 'A missing categoryId is read all the same',
    },
  ],
  [
    'category-string',
    'categoryId.type',
    (body) => typeof memberOf(body, 'categoryId') === 'string',
    { 422: 'A categoryId of digits in quotes is unprocessable' },
  ],
  [
    'category-fraction',
    'categoryId.type',
    (body) => typeof memberOf(body, 'categoryId') === 'number',
    { 500: 'A categoryId with a fraction cannot become an integer' },
  ],
  [
    'category-null',
    'categoryId.type',
    (body) => memberOf(body, 'categoryId') === null,
    { 409: 'A categoryId of null conflicts with the foreign key' },
  ],
  [
    'category-overflow',
    'categoryId.format',
    (body) => isLarge(memberOf(body, 'categoryId')),
    {
      500: 'A categoryId beyond 64 bits overflows in the database',
      404: 'A categoryId beyond 64 bits is a category that is not found',
    },
  ],
  [
    'status-unknown',
    'status.values',
    (body) => typeof memberOf(body, 'status') === 'string',
    {
      500: 'An unknown status breaks a check of the database',
      409: 'An unknown status conflicts with the table of states',
    },
  ],
  [
    'status-empty',
    'status.values',
    (body) => memberOf(body, 'status') === '',
    { 500: 'An empty status has no first letter' },
  ],
  [
    'status-type',
    'status.type',
    (body) => typeof memberOf(body, 'status') === 'bigint',
    { 500: 'A status that is a number has no method for lower case' },
  ],
  [
    'status-null',
    'status.type',
    (body) => memberOf(body, 'status') === null,
    { 422: 'A status of null is unprocessable' },
  ],
];

const bodyMutants = refusedBodies.flatMap(([id, facet, fits, byStatus]) =>
  Object.entries(byStatus).map(([status, words]) =>
    createMutant(
      `refused-${status}-${id}`,
      [`createPet/request.body.${facet}`],
      `${words}: ${status} instead of 400.`,
      restating(Number(status), (call) => fits(readSent(call))),
    ),
  ),
);

const facets = [
  'required',
  'type',
  'name.required',
  'name.type',
  'categoryId.required',
  'categoryId.type',
  'categoryId.format',
  'status.type',
  'status.values',
];

/** Every refused body gets the other status: one handler answers all, no facet breaks alone. */
const anyBodyMutants: readonly Mutant[] = [422, 500, 200, 406].map((status) => {
  const [first = '', ...rest] = facets.map((facet) => `createPet/request.body.${facet}`);
  return createMutant(
    `refused-${status}`,
    [first, ...rest],
    `Every body that breaks the contract is answered ${status} instead of 400.`,
    restating(status, (call) => readSent(call) !== ''),
  );
});

/** A redirect leads to the page for signing in. */
function challenge(response: ServiceResponse, status: number): ServiceResponse {
  return status === 302
    ? { ...response, body: undefined, headers: { ...response.headers, Location: '/login' } }
    : response;
}

const isMissing = ({ headers }: Call): boolean => headers.authorization === undefined;

const isBearer = ({ headers }: Call): boolean => /^bearer /i.test(headers.authorization ?? '');

const missing = everyOperation('auth.missing');
const invalid: Mutant['breaks'] = [...everyOperation('auth.invalid'), '*/auth.exact'];

type RefusedCredential = readonly [
  id: string,
  breaks: Mutant['breaks'],
  fits: (call: Call) => boolean,
  byStatus: Readonly<Record<number, string>>,
];

const refusedCredentials: readonly RefusedCredential[] = [
  [
    'missing',
    missing,
    isMissing,
    {
      403: 'A request without a key is forbidden',
      400: 'A request without the header is incomplete',
      302: 'A request without a key leads to the page for signing in',
      500: 'The missing header is read all the same',
      407: 'A request without a key gets the status for proxies',
    },
  ],
  [
    'invalid',
    invalid,
    isBearer,
    {
      403: 'An unknown key is forbidden',
      404: 'An unknown key is not found',
      500: 'An unknown key cannot be decoded',
    },
  ],
  [
    'scheme',
    ['*/auth.scheme'],
    (call) => !isMissing(call) && !isBearer(call),
    { 400: 'Another scheme is malformed', 500: 'Another scheme has no handler' },
  ],
  [
    'any',
    [...missing, ...invalid, '*/auth.scheme'],
    () => true,
    {
      403: 'Every wrong credential is forbidden',
      200: 'Every wrong credential is told in the body of a success',
    },
  ],
  [
    'single',
    ['getPet/auth.missing', 'getPet/auth.invalid'],
    (call) => isCallOf('getPet', call),
    { 404: 'A single pet is hidden from strangers' },
  ],
  [
    'created',
    ['createPet/auth.missing', 'createPet/auth.invalid'],
    (call) => isCallOf('createPet', call),
    { 403: 'Additions by strangers are forbidden' },
  ],
  [
    'created-missing',
    ['createPet/auth.missing'],
    (call) => isMissing(call) && isCallOf('createPet', call),
    { 405: 'Strangers see a read-only service' },
  ],
];

const credentialMutants = refusedCredentials.flatMap(([id, breaks, fits, byStatus]) =>
  Object.entries(byStatus).map(([status, words]) =>
    createMutant(`unauthorized-${status}-${id}`, breaks, `${words}: ${status} instead of 401.`, {
      render: (response, call) =>
        isAt(unauthorized, call, response.status) && fits(call)
          ? challenge(restate(response, Number(status)), Number(status))
          : response,
    }),
  ),
);

/** Requests that have to be refused and are, with another status than the documented one. */
export const errorRefusalMutants: readonly Mutant[] = [
  ...bodyMutants,
  ...anyBodyMutants,
  ...credentialMutants,
];
