import { type Call, type ServiceBehaviour, isRefusal } from '../service/behaviour.ts';
import { seedPets } from '../service/inventory.ts';
import { listPets } from '../service/operations.ts';
import type { Variant } from '../subject/variant.ts';

const lawful =
  'Endpoints / Gaps in the endpoints: paging beyond `limit` is not shown (x-unspecified paging); `limit` is the maximum number answered.';

/** Answers at most `most` pets, and says in headers how to go on where there are more. */
function paged(
  id: string,
  summary: string,
  most: number,
  headers: (total: number) => Readonly<Record<string, string>>,
): Variant {
  const behaviour = (): Partial<ServiceBehaviour> => ({
    seed: () => seedPets(30),
    listPets: async (call, all) => {
      const select: ServiceBehaviour['select'] = (pets, query, ...rest) =>
        all.select(pets, { ...query, limit: Math.min(query.limit, most) }, ...rest);
      const response = await listPets(call, { ...all, select });
      const total = countMatches(call, all);
      const isWhole =
        response.status !== 200 ||
        total === undefined ||
        !Array.isArray(response.body) ||
        response.body.length >= total;
      return isWhole
        ? response
        : { ...response, headers: { ...response.headers, ...headers(total) } };
    },
  });
  return { id: `paging-${id}`, summary, lawful, behaviour };
}

function countMatches(call: Call, all: ServiceBehaviour): number | undefined {
  const query = all.readListQuery(
    call.route.kind === 'operation' ? call.route.query : new URLSearchParams(),
  );
  if (isRefusal(query)) return undefined;
  const pets = [...call.inventory.pets.values()];
  return query.status === undefined ? pets.length : all.filter(pets, query.status).length;
}

/** How a client reaches further pets. */
export const pagingVariants: readonly Variant[] = [
  paged('link', 'A full page has a Link to the next one.', 100, () => ({
    Link: '</v1/pets?after=20>; rel="next"',
  })),
  paged(
    'link-short-pages',
    'Pages have at most seven pets, whatever the limit, and a Link to the next.',
    7,
    () => ({ Link: '<https://petstore.example/v1/pets?cursor=Nw>; rel="next"' }),
  ),
  paged(
    'link-many-relations',
    'The Link of a short page has several targets and the relation next without quotes.',
    7,
    () => ({
      Link: '</v1/pets?page=1>; rel="first", </v1/pets?page=2>; rel=next; title="more, of them", </v1/pets?page=9>; rel="last"',
    }),
  ),
  paged(
    'link-shared-relation',
    'The Link of a short page has two relations in one value (RFC 8288 section 3.3).',
    7,
    () => ({ Link: '</v1/pets?page=2>; rel="prefetch next"' }),
  ),
  paged(
    'link-parameter-first',
    'The Link of a short page has another parameter before its relation, in capitals and with spaces.',
    7,
    () => ({ Link: '</v1/pets?page=2>; type="application/json"; REL = "next"' }),
  ),
  paged('cursor', 'A short page has a cursor in a header.', 7, () => ({
    'X-Next-Cursor': 'eyJpZCI6N30',
  })),
  paged('continuation', 'A short page has a continuation token in a header.', 7, () => ({
    'X-Continuation-Token': 'k7',
  })),
  paged('has-more', 'A short page says that it has more.', 7, () => ({
    'X-Has-More': 'true',
    'X-Page': '1',
  })),
  paged('total', 'A full page has the number of all pets in a header.', 100, (total) => ({
    'X-Total-Count': String(total),
  })),
];
