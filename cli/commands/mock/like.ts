import {
  type Contract,
  type JsonValue,
  type OpenQuestion,
  isJsonArray,
  isJsonObject,
  hasCode,
} from '../../../contract/index.ts';
import { createMock } from '../../../mock/index.ts';
import { parseJsonFile } from './seed.ts';
import { argumentError } from '../../io/command-failure.ts';
import { readInput } from '../../input/file.ts';

/** The choices that a report observed, and why others could not be taken, a line each. */
export interface Likeness {
  readonly choices: Readonly<Record<string, string>>;
  readonly leftOut: readonly string[];
}

const OPEN = '*/open.';

/** Reads the choices of a report file. Throws `PetstoreError`, or the system's error. */
export async function readLikeness(contract: Contract, file: string): Promise<Likeness> {
  return parseLikeness(contract, file, await readInput(file));
}

/** As `readLikeness`, from text; errors call it by the name. Throws `PetstoreError`. */
export function parseLikeness(contract: Contract, name: string, text: string): Likeness {
  const found = observationsOf(name, text);
  const [choices, leftOut]: [Record<string, string>, string[]] = [{}, []];
  for (const [id, observed] of found) {
    const reason = whyNot(contract, id, observed);
    if (reason === undefined && typeof observed[0] === 'string') choices[id] = observed[0];
    else leftOut.push(`${id}: ${reason}`);
  }
  return { choices, leftOut };
}

/** The choices observed, each once, by question; null for one that is none of the question's. */
type ObservedChoices = ReadonlyMap<string, readonly (string | null)[]>;

function observationsOf(file: string, text: string): ObservedChoices {
  const report = parseJsonFile(file, text);
  if (!isJsonObject(report) || !isJsonArray(report['verdicts']))
    throw argumentError(`${file} is no report of petstore conform --report: it has no verdicts.`);
  return new Map(
    report['verdicts']
      .filter(isJsonObject)
      .flatMap(({ id, verdict, observations }): [string, readonly (string | null)[]][] => {
        const isObserved = verdict === 'open' && typeof id === 'string' && id.startsWith(OPEN);
        return isObserved ? [[id.slice(OPEN.length), choicesOf(observations)]] : [];
      }),
  );
}

function choicesOf(observations: JsonValue | undefined): readonly (string | null)[] {
  const all = isJsonArray(observations) ? observations.filter(isJsonObject) : [];
  return [...new Set(all.map(({ choice }) => (typeof choice === 'string' ? choice : null)))];
}

/** Why the mock cannot answer as was observed; undefined where it can. */
function whyNot(
  contract: Contract,
  id: string,
  choices: readonly (string | null)[],
): string | undefined {
  const question: OpenQuestion | undefined = contract.openQuestions.find((one) => one.id === id);
  if (question === undefined) return 'the document does not ask this.';
  const [choice, ...others] = choices;
  if (others.length > 0)
    return `the server made several choices, ${choices.map((one) => one ?? 'one that is not listed').join(' and ')}.`;
  if (typeof choice !== 'string')
    return 'the server made a choice that the document does not list.';
  return refusalOf(contract, id, choice);
}

function refusalOf(contract: Contract, id: string, choice: string): string | undefined {
  try {
    createMock(contract, { seed: {}, choices: { [id]: choice } });
    return undefined;
  } catch (error) {
    if (hasCode(error, 'choice')) return error.message;
    throw error;
  }
}
