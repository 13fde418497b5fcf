import { spawnSync } from 'node:child_process';

/** A program that builds images and runs containers here. */
export interface ContainerEngine {
  readonly name: string;
  /** Runs it; gives what it prints. Throws an Error with what it tells where it fails. */
  readonly run: (...words: readonly string[]) => string;
  /** Images in place of those that the file names, where no registry is reached. */
  readonly images: Readonly<Record<string, string>>;
  /** Options of every container. */
  readonly options: readonly string[];
}

/**
 * podman or docker, where it works here and has the base images or can get them. The environment
 * says otherwise: `CONTAINER_ENGINE` the program with its options, `CONTAINER_OPTIONS` those of each
 * container, `CONTAINER_NODE` and `CONTAINER_BASE` other images.
 */
export function findEngine(
  bases: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): ContainerEngine | undefined {
  const { CONTAINER_ENGINE: chosen } = env;
  const options = wordsOf(env['CONTAINER_OPTIONS']);
  const images = Object.fromEntries(
    Object.entries(bases).map(([name, base]) => [name, env[`CONTAINER_${name}`] ?? base]),
  );
  for (const engine of chosen === undefined ? ['podman', 'docker'] : [chosen]) {
    const run = runnerOf(wordsOf(engine));
    const works = (...words: readonly string[]): boolean => {
      try {
        run(...words);
        return true;
      } catch {
        return false;
      }
    };
    const hasImages = (): boolean =>
      Object.values(images).every(
        (image) => works('image', 'inspect', image) || works('pull', '--quiet', image),
      );
    if (works('info') && hasImages()) return { name: engine, run, images, options };
  }
  return undefined;
}

function wordsOf(text = ''): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}

function runnerOf([program = '', ...first]: readonly string[]): ContainerEngine['run'] {
  return (...words) => {
    const { status, stdout, stderr, error } = spawnSync(program, [...first, ...words], {
      encoding: 'utf8',
      timeout: 240_000,
    });
    if (status === 0) return stdout;
    throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? stderr}`);
  };
}
