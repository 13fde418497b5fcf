/** One instruction of a Containerfile, with the variables of `ARG` and `ENV` replaced. */
export interface Instruction {
  /** In capitals: `COPY`. */
  readonly name: string;
  readonly text: string;
}

/** What a `FROM` begins. */
export interface Stage {
  readonly base: string;
  /** After `AS`; empty for none. */
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

/** What is run in a container of the last stage. */
export interface ImageConfig {
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly user: string;
  /** The entry point and its default words. */
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/** Reads the stages of a Containerfile. What is given replaces the defaults of `ARG`. */
export function parseContainerfile(
  text: string,
  given: Readonly<Record<string, string>> = {},
): readonly Stage[] {
  const stages: { base: string; name: string; instructions: Instruction[] }[] = [];
  const variables = new Map<string, string>();
  const lines = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  for (const line of lines.split('\n').filter((each) => each.trim() !== '')) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    const value = /\["/.test(rest) ? rest : replaceVariables(rest, variables);
    if (name === 'ARG') {
      const [variable = '', fallback = ''] = value.split('=');
      variables.set(variable, given[variable] ?? fallback);
    } else if (name === 'FROM') {
      const [base = '', , stage = ''] = value.split(/\s+/);
      stages.push({ base, name: stage, instructions: [] });
    } else {
      stages.at(-1)?.instructions.push({ name, text: value });
    }
  }
  return stages;
}

function replaceVariables(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => variables.get(name) ?? '');
}

/** What a container of a stage runs, by its last instruction of each kind. */
export function configOf({ instructions }: Stage): ImageConfig {
  const texts = (name: string): readonly string[] =>
    instructions.filter((one) => one.name === name).map(({ text }) => text);
  const last = (name: string): string => texts(name).at(-1) ?? '';
  return {
    env: Object.fromEntries(
      texts('ENV')
        .flatMap((text) => text.split(/\s+/))
        .map((pair): [string, string] => [
          pair.split('=')[0] ?? '',
          pair.split('=').slice(1).join('='),
        ]),
    ),
    folder: last('WORKDIR'),
    user: last('USER'),
    command: [...parseWords(last('ENTRYPOINT')), ...parseWords(last('CMD'))],
    healthCheck: parseWords(last('HEALTHCHECK').replace(/^.*?CMD /, '')),
  };
}

/** The words of the JSON form. */
function parseWords(text: string): readonly string[] {
  const words: unknown = JSON.parse(text === '' ? '[]' : text);
  return Array.isArray(words) ? words.map(String) : [];
}
