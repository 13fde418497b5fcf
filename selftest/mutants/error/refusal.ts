import { isRefusal, type Call, type ServiceResponse } from '../../service/behaviour.ts';
import { isRecord, type Json } from '../../service/json.ts';
import { parseBody } from '../../service/new-pet.ts';
import { isInt64 } from '../../service/pet.ts';
import { createMutant } from '../../subject/response-change.ts';
import type { Mutant } from '../../subject/mutant.ts';
import { isAt, refused, unauthorized } from '../../subject/place.ts';

/** The same refusal under another status, in the body too where it is an error. */
function restate(response: ServiceResponse, status: number): ServiceResponse {
  const body =
    isRecord(response.body) && status >= 400
      ? { ...response.body, status: BigInt(status) }
      : response.body;
  return { ...response, status, body };
}

/**
 * A body that breaks the contract is refused with another status than 400, where it is broken in
 * this way.
 */
function refusal(
  id: string,
  facet: string,
  status: number,
  words: string,
  fits: (body: Json | undefined) => boolean,
): Mutant {
  return createMutant(
    `refused-${status}-${id}`,
    [`createPet/request.body.${facet}`],
    `${words}: ${status} instead of 400.`,
    {
      render: (response, call) =>
        isAt(refused, call, response.status) && fits(readSent(call))
          ? restate(response, status)
          : response,
    },
  );
}

/** The body that was sent; an empty text stands for one that is no JSON. */
function readSent(call: Call): Json | undefined {
  const body = parseBody(call.body);
  return isRefusal(body) ? '' : body;
}

function memberOf(body: Json | undefined, name: string): Json | undefined {
  return isRecord(body) ? body[name] : undefined;
}

function lacksName(body: Json | undefined): boolean {
  return isRecord(body) && body['name'] === undefined;
}

/** The name is checked first. */
function lacksCategory(body: Json | undefined): boolean {
  return isRecord(body) && body['name'] !== undefined && body['categoryId'] === undefined;
}

function isLarge(value: Json | undefined): boolean {
  return typeof value === 'bigint' && !isInt64(value);
}

const bodyMutants: readonly Mutant[] = [
  refusal(
    'no-body',
    'required',
    500,
    'No body at all brings the handler down',
    (body) => body === undefined,
  ),
  refusal(
    'no-body',
    'required',
    411,
    'No body at all is refused for its missing length',
    (body) => body === undefined,
  ),
  refusal(
    'no-body',
    'required',
    415,
    'No body at all is refused for its missing media type',
    (body) => body === undefined,
  ),
  refusal('null', 'type', 500, 'A body of null brings the handler down', (body) => body === null),
  refusal('array', 'type', 500, 'An array as body brings the handler down', Array.isArray),
  refusal(
    'array',
    'type',
    422,
    'An array as body is well-formed, so that it is found unprocessable',
    Array.isArray,
  ),
  refusal(
    'array',
    'type',
    501,
    'An array as body is taken for an addition of many, which is not there yet',
    Array.isArray,
  ),
  refusal('name-missing', 'name.required', 422, 'A missing name is unprocessable', lacksName),
  refusal(
    'name-missing',
    'name.required',
    200,
    'A missing name is told in the body of a success',
    lacksName,
  ),
  refusal(
    'name-missing',
    'name.required',
    500,
    'A missing name breaks a constraint of the database',
    lacksName,
  ),
  refusal(
    'name-type',
    'name.type',
    500,
    'A name that is no string has no method for trimming',
    (body) => !['string', 'undefined'].includes(typeof memberOf(body, 'name')),
  ),
  refusal(
    'name-null',
    'name.type',
    500,
    'A name of null breaks a constraint of the database',
    (body) => memberOf(body, 'name') === null,
  ),
  refusal('name-object', 'name.type', 422, 'A name that is an object is unprocessable', (body) =>
    isRecord(memberOf(body, 'name')),
  ),
  refusal(
    'category-missing',
    'categoryId.required',
    404,
    'A missing categoryId is a category that is not found',
    lacksCategory,
  ),
  refusal(
    'category-missing',
    'categoryId.required',
    500,
    'A missing categoryId is read all the same',
    lacksCategory,
  ),
  refusal(
    'category-string',
    'categoryId.type',
    422,
    'A categoryId of digits in quotes is unprocessable',
    (body) => typeof memberOf(body, 'categoryId') === 'string',
  ),
  refusal(
    'category-fraction',
    'categoryId.type',
    500,
    'A categoryId with a fraction cannot become an integer',
    (body) => typeof memberOf(body, 'categoryId') === 'number',
  ),
  refusal(
    'category-null',
    'categoryId.type',
    409,
    'A categoryId of null conflicts with the foreign key',
    (body) => memberOf(body, 'categoryId') === null,
  ),
  refusal(
    'category-overflow',
    'categoryId.format',
    500,
    'A categoryId beyond 64 bits overflows in the database',
    (body) => isLarge(memberOf(body, 'categoryId')),
  ),
  refusal(
    'category-overflow',
    'categoryId.format',
    404,
    'A categoryId beyond 64 bits is a category that is not found',
    (body) => isLarge(memberOf(body, 'categoryId')),
  ),
  refusal(
    'status-unknown',
    'status.values',
    500,
    'An unknown status breaks a check of the database',
    (body) => typeof memberOf(body, 'status') === 'string',
  ),
  refusal(
    'status-unknown',
    'status.values',
    409,
    'An unknown status conflicts with the table of states',
    (body) => typeof memberOf(body, 'status') === 'string',
  ),
  refusal(
    'status-empty',
    'status.values',
    500,
    'An empty status has no first letter',
    (body) => memberOf(body, 'status') === '',
  ),
  refusal(
    'status-type',
    'status.type',
    500,
    'A status that is a number has no method for lower case',
    (body) => typeof memberOf(body, 'status') === 'bigint',
  ),
  refusal(
    'status-null',
    'status.type',
    422,
    'A status of null is unprocessable',
    (body) => memberOf(body, 'status') === null,
  ),
];

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

/**
 * Every refused body gets the other status; no facet can be broken alone, since one handler answers
 * them all.
 */
const anyBodyMutants: readonly Mutant[] = [422, 500, 200, 406].map((status) => {
  const [first = '', ...rest] = facets.map((facet) => `createPet/request.body.${facet}`);
  return createMutant(
    `refused-${status}`,
    [first, ...rest],
    `Every body that breaks the contract is answered ${status} instead of 400.`,
    {
      render: (response, call) =>
        isAt(refused, call, response.status) && readSent(call) !== ''
          ? restate(response, status)
          : response,
    },
  );
});

/** A wrong credential is refused with another status than 401. */
function credential(
  id: string,
  breaks: Mutant['breaks'],
  status: number,
  words: string,
  fits: (call: Call) => boolean,
): Mutant {
  return createMutant(
    `unauthorized-${status}-${id}`,
    breaks,
    `${words}: ${status} instead of 401.`,
    {
      render: (response, call) =>
        isAt(unauthorized, call, response.status) && fits(call)
          ? challenge(restate(response, status), status)
          : response,
    },
  );
}

/** A redirect leads to the page for signing in. */
function challenge(response: ServiceResponse, status: number): ServiceResponse {
  return status === 302
    ? { ...response, body: undefined, headers: { ...response.headers, Location: '/login' } }
    : response;
}

function isMissing({ headers }: Call): boolean {
  return headers.authorization === undefined;
}

function isBearer({ headers }: Call): boolean {
  return /^bearer /i.test(headers.authorization ?? '');
}

function isOperation(operation: string): (call: Call) => boolean {
  return ({ route }) => route.kind === 'operation' && route.operation === operation;
}

const missing: Mutant['breaks'] = [
  'listPets/auth.missing',
  'createPet/auth.missing',
  'getPet/auth.missing',
];
const invalid: Mutant['breaks'] = [
  'listPets/auth.invalid',
  'createPet/auth.invalid',
  'getPet/auth.invalid',
  '*/auth.exact',
];

const credentialMutants: readonly Mutant[] = [
  credential('missing', missing, 403, 'A request without a key is forbidden', isMissing),
  credential('missing', missing, 400, 'A request without the header is incomplete', isMissing),
  credential(
    'missing',
    missing,
    302,
    'A request without a key leads to the page for signing in',
    isMissing,
  ),
  credential('missing', missing, 500, 'The missing header is read all the same', isMissing),
  credential(
    'missing',
    missing,
    407,
    'A request without a key gets the status for proxies',
    isMissing,
  ),
  credential('invalid', invalid, 403, 'An unknown key is forbidden', isBearer),
  credential('invalid', invalid, 404, 'An unknown key is not found', isBearer),
  credential('invalid', invalid, 500, 'An unknown key cannot be decoded', isBearer),
  credential(
    'scheme',
    ['*/auth.scheme'],
    400,
    'Another scheme is malformed',
    (call) => !isMissing(call) && !isBearer(call),
  ),
  credential(
    'scheme',
    ['*/auth.scheme'],
    500,
    'Another scheme has no handler',
    (call) => !isMissing(call) && !isBearer(call),
  ),
  credential(
    'any',
    [...missing, ...invalid, '*/auth.scheme'],
    403,
    'Every wrong credential is forbidden',
    () => true,
  ),
  credential(
    'any',
    [...missing, ...invalid, '*/auth.scheme'],
    200,
    'Every wrong credential is told in the body of a success',
    () => true,
  ),
  credential(
    'single',
    ['getPet/auth.missing', 'getPet/auth.invalid'],
    404,
    'A single pet is hidden from strangers',
    isOperation('getPet'),
  ),
  credential(
    'created',
    ['createPet/auth.missing', 'createPet/auth.invalid'],
    403,
    'Additions by strangers are forbidden',
    isOperation('createPet'),
  ),
  credential(
    'created-missing',
    ['createPet/auth.missing'],
    405,
    'Strangers see a read-only service',
    (call) => isMissing(call) && isOperation('createPet')(call),
  ),
];

/** Requests that have to be refused and are, with another status than the documented one. */
export const errorRefusalMutants: readonly Mutant[] = [
  ...bodyMutants,
  ...anyBodyMutants,
  ...credentialMutants,
];
