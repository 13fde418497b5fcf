import { changeWireResponse, leaveOut } from '../../subject/response-change.ts';
import { type Mutant, createMutant } from '../../subject/mutant.ts';
import {
  created,
  errorPlaces,
  fetched,
  listed,
  notFound,
  requirementsAt,
  petPlaces,
  refused,
  unauthorized,
  type Place,
} from '../../subject/place.ts';

/** The body is right, but its Content-Type is another one, or there is none. */
function type(place: Place, mediaType: string | undefined, cause: string): Mutant {
  const name = mediaType?.replaceAll(/\W+/g, '-') ?? 'missing';
  const what = mediaType === undefined ? 'no Content-Type' : `the Content-Type ${mediaType}`;
  return createMutant(
    `${place.name}-content-${name}`,
    requirementsAt(place, 'content-type'),
    `The JSON of ${place.words} has ${what}: ${cause}.`,
    changeWireResponse(place, (response) => ({
      ...response,
      headers: {
        ...leaveOut(response.headers, 'Content-Type'),
        ...(mediaType === undefined ? {} : { 'Content-Type': mediaType }),
      },
    })),
  );
}

/** Content types other than the documented one, in each kind of response. */
export const contentMutants: readonly Mutant[] = [
  ...[...petPlaces, ...errorPlaces].flatMap((place) => [
    type(
      place,
      'text/html; charset=utf-8',
      'the text is sent without its type, and the framework takes its default',
    ),
    type(place, undefined, 'the raw writer of the server is used'),
  ]),
  ...[listed, created, unauthorized, notFound].map((place) =>
    type(place, 'text/plain', 'the serializer gives a string'),
  ),
  ...errorPlaces.map((place) =>
    type(place, 'application/problem+json', 'the error handler of a framework sets it (RFC 9457)'),
  ),
  type(listed, 'application/xml', 'the first of the types that the route produces'),
  type(listed, 'application/javascript', 'left over from JSONP'),
  type(listed, 'application/vnd.api+json', 'a library for JSON:API'),
  type(created, 'text/json', 'a type that was never registered'),
  type(created, 'json', 'the short name is not expanded'),
  type(fetched, 'application/octet-stream', 'the bytes come from a store of objects'),
  type(fetched, 'application/hal+json', 'links were planned'),
  type(refused, 'application/json+error', 'a type made up for errors'),
];
