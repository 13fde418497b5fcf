import { NothingToSend } from '../probes/probe.ts';
import {
  everyChoice,
  forLists,
  isServed,
  observeResponses,
  type Observe,
  type QuestionKind,
} from './question.ts';

/** `versioning`: the list of the version after this one. */
export const versioning: QuestionKind = {
  trials: forLists((list, { basePath }) => {
    const [, name, number] = /\/(v)(\d+)$/.exec(basePath) ?? [];
    if (name === undefined || number === undefined) return [];
    const segment = `/${name}${number}`;
    const next = `/${name}${Number(number) + 1}`;
    return [
      {
        way: `GET ${next}${list.path}`,
        rank: 3,
        request: ({ session: { baseUrl } }) => {
          if (!baseUrl.endsWith(segment))
            throw new NothingToSend(
              `the base URL does not end in ${segment}, so the address of another version is not known`,
            );
          return { target: `/..${next}${list.path}` };
        },
      },
    ];
  }),
  observe: observeServed('several-versions', 'one-version'),
};

/** Statuses of what is not there. A refusal of another kind does not say whether it is. */
const missing: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/** Observes whether what the document does not describe is there all the same. */
export function observeServed(served: string, notServed: string): Observe {
  return observeResponses((reading, _trace, question) => {
    if (isServed(reading)) return [served];
    return missing.has(reading.status) ? [notServed] : everyChoice(question);
  });
}
