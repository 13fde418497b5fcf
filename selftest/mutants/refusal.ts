import type { Call, ServiceResponse } from '../service/behaviour.ts';
import { isRecord } from '../service/json.ts';
import { type Mutant, type Rows, listMutants } from '../subject/mutant.ts';
import { everyOperation, fallen, isAt, isCallOf, refused, unauthorized } from '../subject/place.ts';

/** The same refusal under another status, in the body too where it is an error. */
function restate(response: ServiceResponse, status: number): ServiceResponse {
  const { body } = response;
  return {
    ...response,
    status,
    body: isRecord(body) && status >= 400 ? { ...body, status: BigInt(status) } : body,
  };
}

type Fits = (call: Call) => boolean;

/** Refusals of a place that have another status; the rows say how and for which calls. */
const restating =
  (place: typeof refused) =>
  ([status, fits]: readonly [status: number, fits: Fits]) => ({
    render: (response: ServiceResponse, call: Call): ServiceResponse =>
      isAt(place, call, response.status) && fits(call) ? restate(response, status) : response,
  });

const textOf = ({ body }: Call): string => new TextDecoder().decode(body);

const required = ['createPet/request.body.required'] as const;

/** Every facet of a body whose violation has to be answered 400. */
const everyFacet = [
  ...required,
  'createPet/request.body.type',
  'createPet/request.body.name.required',
  'createPet/request.body.name.type',
  'createPet/request.body.categoryId.required',
  'createPet/request.body.categoryId.type',
  'createPet/request.body.categoryId.format',
  'createPet/request.body.status.type',
  'createPet/request.body.status.values',
] as const;

const bodies: Rows<readonly [number, Fits]> = {
  '415-no-body': [
    'A request without a body is refused for its missing media type: 415 instead of 400.',
    [415, (call) => textOf(call) === ''],
  ],
  '422': [
    'Every body that breaks the contract is answered 422 instead of 400.',
    [422, isObject],
    everyFacet,
  ],
  '500': [
    'Every body that breaks the contract is answered 500 instead of 400.',
    [500, isObject],
    [...everyFacet, fallen.addition],
  ],
};

/** A body that is not JSON is refused as before: the document leaves its status open. */
function isObject(call: Call): boolean {
  const text = textOf(call);
  return text === '' || !text.startsWith('{') || text.endsWith('}');
}

const isMissing: Fits = ({ headers }) => headers.authorization === undefined;
const isBearer: Fits = ({ headers }) => /^bearer /i.test(headers.authorization ?? '');

const credentials: Rows<readonly [number, Fits]> = {
  '403-missing': [
    'A request without a key is forbidden: 403 instead of 401.',
    [403, isMissing],
    everyOperation('auth.missing'),
  ],
  '500-missing': [
    'The missing header is read all the same: 500 instead of 401.',
    [500, isMissing],
    [...everyOperation('auth.missing'), ...Object.values(fallen)],
  ],
  '403-any': [
    'Every wrong credential is forbidden: 403 instead of 401.',
    [403, () => true],
    [
      ...everyOperation('auth.missing'),
      ...everyOperation('auth.invalid'),
      '*/auth.exact',
      '*/auth.scheme',
    ],
  ],
  '404-invalid': [
    'An unknown key is not found: 404 instead of 401.',
    [404, isBearer],
    [...everyOperation('auth.invalid'), '*/auth.exact'],
  ],
  '400-scheme': [
    'Another scheme is malformed: 400 instead of 401.',
    [400, (call) => !isMissing(call) && !isBearer(call)],
    ['*/auth.scheme'],
  ],
  '404-single': [
    'A single pet is hidden from strangers: 404 instead of 401.',
    [404, (call) => isCallOf('getPet', call)],
    ['getPet/auth.missing', 'getPet/auth.invalid'],
  ],
};

/** Requests that have to be refused and are, with another status than the documented one. */
export const refusalMutants: readonly Mutant[] = [
  ...listMutants('refused-', required, restating(refused), bodies),
  ...listMutants('unauthorized-', ['*/auth.scheme'], restating(unauthorized), credentials),
];
