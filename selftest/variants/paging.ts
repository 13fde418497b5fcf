import { type Parts, type Call, type ServiceBehaviour, isRefusal } from '../service/behaviour.ts';
import { seedPets } from '../service/inventory.ts';
import { listPets, queryOf } from '../service/operations.ts';
import { type Variant, createVariants } from '../subject/variant.ts';

const valid =
  'Endpoints / Gaps in the endpoints: paging beyond `limit` is not shown (x-unspecified paging); `limit` is the maximum number answered.';

type Headers = Readonly<Record<string, string>>;

/** Answers so many pets at most, and says in headers how to go on where there are more. */
function page(most: number, headers: (total: number) => Headers): Parts {
  return {
    seed: () => seedPets(30),
    listPets: async (call, all) => {
      const select: ServiceBehaviour['select'] = (pets, query, ...rest) =>
        all.select(pets, { ...query, limit: Math.min(query.limit, most) }, ...rest);
      const response = await listPets(call, { ...all, select });
      const { status, body } = response;
      const total = countMatches(call, all);
      if (status !== 200 || total === undefined || !Array.isArray(body) || body.length >= total)
        return response;
      return { ...response, headers: { ...response.headers, ...headers(total) } };
    },
  };
}

function countMatches(call: Call, all: ServiceBehaviour): number | undefined {
  const query = all.readListQuery(queryOf(call));
  if (isRefusal(query)) return undefined;
  const pets = [...call.inventory.pets.values()];
  return query.status === undefined ? pets.length : all.filter(pets, query.status).length;
}

const shortPage = (headers: Headers): Parts => page(7, () => headers);

/** How a client reaches further pets. */
export const pagingVariants: readonly Variant[] = createVariants('paging', valid, {
  link: [
    'A full page has a Link to the next one.',
    page(100, () => ({ Link: '</v1/pets?after=20>; rel="next"' })),
  ],
  'link-short-pages': [
    'Pages have at most seven pets, whatever the limit, and a Link to the next.',
    shortPage({ Link: '<https://petstore.example/v1/pets?cursor=Nw>; rel="next"' }),
  ],
  'link-many-relations': [
    'The Link of a short page has several targets and the relation next without quotes.',
    shortPage({
      Link: '</v1/pets?page=1>; rel="first", </v1/pets?page=2>; rel=next; title="more, of them", </v1/pets?page=9>; rel="last"',
    }),
  ],
  'link-shared-relation': [
    'The Link of a short page has two relations in one value (RFC 8288 section 3.3).',
    shortPage({ Link: '</v1/pets?page=2>; rel="prefetch next"' }),
  ],
  'link-parameter-first': [
    'The Link of a short page has another parameter before its relation, in capitals and with spaces.',
    shortPage({ Link: '</v1/pets?page=2>; type="application/json"; REL = "next"' }),
  ],
  cursor: ['A short page has a cursor in a header.', shortPage({ 'X-Next-Cursor': 'eyJpZCI6N30' })],
  continuation: [
    'A short page has a continuation token in a header.',
    shortPage({ 'X-Continuation-Token': 'k7' }),
  ],
  'has-more': [
    'A short page says that it has more.',
    shortPage({ 'X-Has-More': 'true', 'X-Page': '1' }),
  ],
  total: [
    'A full page has the number of all pets in a header.',
    page(100, (total) => ({ 'X-Total-Count': String(total) })),
  ],
});
