import { observeServed } from './versioning.ts';
import type { QuestionKind } from './question.ts';

/** `undescribed-operations`: the paths that the question names. */
export const undescribedOperations: QuestionKind = {
  trials: ({ details }, { resources: [resource] }) => {
    const paths = Array.isArray(details['paths']) ? details['paths'] : [];
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
  },
  observe: observeServed('served', 'not-served'),
};
