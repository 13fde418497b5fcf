import type { Contract, OpenQuestion } from '../../../contract/index.ts';
import { NothingToSend } from '../probe.ts';
import { forLists, type Trial } from './trial.ts';

/** `undescribed-requests`: a path that nothing has, and a method that no operation has. */
export function listUndescribedTrials(
  _question: OpenQuestion,
  contract: Contract,
): readonly Trial[] {
  return contract.resources.slice(0, 1).flatMap(({ list, get, remove, idParameter }) => {
    const path: Trial = {
      way: 'an unknown path',
      operation: list,
      rank: 2,
      request: () => ({ target: '/no-such-path' }),
    };
    const keyless: Trial = {
      way: 'an unknown path without a key',
      operation: list,
      rank: 3,
      request: () => ({ target: '/no-such-path', credential: 'missing' }),
    };
    // An identifier that nothing has: should the method be served after all, nothing is lost.
    const isNumber = idParameter?.schema.shape().types.includes('integer') === true;
    const method: readonly Trial[] =
      get === undefined || remove !== undefined || !isNumber
        ? []
        : [
            {
              way: 'the method DELETE, which is not described',
              operation: get,
              rank: 3,
              writes: true,
              request: () => ({ method: 'DELETE', path: { [idParameter.name]: absentId } }),
            },
          ];
    return [path, keyless, ...method];
  });
}

/** An identifier far beyond those that counters give. */
const absentId = String(2n ** 62n + 11n);

/** `undescribed-operations`: the paths that the question names. */
export function listUndescribedOperationTrials(
  { details }: OpenQuestion,
  contract: Contract,
): readonly Trial[] {
  const paths = Array.isArray(details['paths']) ? details['paths'] : [];
  const [resource] = contract.resources;
  return paths.flatMap((path: unknown) =>
    typeof path !== 'string' || resource === undefined
      ? []
      : [
          {
            way: `GET ${path}`,
            operation: resource.list,
            rank: 3,
            request: () => ({ target: path }),
          },
        ],
  );
}

/** `versioning`: the list of the version after this one. */
export const listVersionTrials = forLists((list, { basePath }) => {
  const [, name, number] = /\/(v)(\d+)$/.exec(basePath) ?? [];
  if (name === undefined || number === undefined) return [];
  const segment = `/${name}${number}`;
  const next = `/${name}${Number(number) + 1}`;
  return [
    {
      way: `GET ${next}${list.path}`,
      operation: list,
      rank: 3,
      request: ({ session: { baseUrl } }) => {
        if (!baseUrl.endsWith(segment))
          throw new NothingToSend(
            `the base URL does not end in ${segment}, so that the address of another version is unknown`,
          );
        return { target: `/..${next}${list.path}` };
      },
    },
  ];
});
