import {
  type Contract,
  type JsonValue,
  type OpenQuestion,
  isJsonArray,
  isJsonObject,
  hasCode,
} from '../../../contract/index.ts';
import { createMock } from '../../../mock/index.ts';
import { argumentError } from '../../io/command-failure.ts';
import { parseJsonFile, readInput } from '../../io/file.ts';

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
  const [choices, leftOut]: [Record<string, string>, string[]] = [{}, []];
  for (const [id, observed] of observationsOf(name, text)) {
    const { choice, reason } = choose(contract, id, observed);
    if (choice === undefined) leftOut.push(`${id}: ${reason}`);
    else choices[id] = choice;
  }
  return { choices, leftOut };
}

/** The choices that fit what was observed, by question; none where the server does something else. */
type ObservedChoices = ReadonlyMap<string, readonly string[]>;

function observationsOf(file: string, text: string): ObservedChoices {
  const report = parseJsonFile(file, text);
  if (!isJsonObject(report) || !isJsonArray(report['verdicts']))
    throw argumentError(`${file} is not a report of conform --report: it has no verdicts.`);
  return new Map(
    report['verdicts']
      .filter(isJsonObject)
      .flatMap(({ id, verdict, choices, observations }): [string, readonly string[]][] => {
        const isObserved = verdict === 'open' && typeof id === 'string' && id.startsWith(OPEN);
        const texts = textsOf(isJsonArray(choices) ? choices : olderChoices(observations));
        return isObserved ? [[id.slice(OPEN.length), texts]] : [];
      }),
  );
}

const textsOf = (all: readonly JsonValue[]): readonly string[] =>
  all.filter((one) => typeof one === 'string');

/** Older reports have a choice for each observation: the one that all of them have. */
function olderChoices(observations: JsonValue | undefined): readonly JsonValue[] {
  const all = isJsonArray(observations) ? observations.filter(isJsonObject) : [];
  const choices = [...new Set(all.map(({ choice = null }) => choice))];
  return choices.length === 1 ? choices : [];
}

interface Chosen {
  readonly choice?: string;
  /** Why none of the choices can be made. */
  readonly reason?: string;
}

/** The document's default where it fits, else the first that fits and that the mock can make. */
function choose(contract: Contract, id: string, observed: readonly string[]): Chosen {
  const question: OpenQuestion | undefined = contract.openQuestions.find((one) => one.id === id);
  if (question === undefined) return { reason: 'the document does not ask this.' };
  if (observed.length === 0)
    return { reason: 'the server did something that is none of the choices.' };
  const preset = observed.filter((choice) => choice === question.default);
  const reasons = [...preset, ...observed].map((choice) => ({
    choice,
    reason: refusalOf(contract, id, choice),
  }));
  const playable = reasons.find(({ reason }) => reason === undefined);
  return playable ? { choice: playable.choice } : { reason: reasons[0]?.reason ?? '' };
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
