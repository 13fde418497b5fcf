import { execFile } from 'node:child_process';
import { chmod, cp, glob, mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Stage } from './containerfile.ts';

const run = promisify(execFile);

/**
 * Does what the stages of a Containerfile say, each in an empty folder in place of its base image.
 * Gives the folder of the last one, which nobody may write to then.
 */
export async function runStages(
  stages: readonly Stage[],
  context: string,
  folder: string,
): Promise<string> {
  const roots = new Map<string, string>();
  let root = folder;
  for (const [index, stage] of stages.entries()) {
    root = join(folder, `stage-${index}`);
    await mkdir(root, { recursive: true });
    roots.set(stage.name, root);
    await runStage(stage, root, (name) => (name === undefined ? context : roots.get(name)));
  }
  await protect(root);
  return root;
}

async function runStage(
  { instructions }: Stage,
  root: string,
  findSource: (stage: string | undefined) => string | undefined,
): Promise<void> {
  let place = root;
  for (const { name, text } of instructions) {
    if (name === 'WORKDIR') {
      place = join(root, text);
      await mkdir(place, { recursive: true });
    } else if (name === 'COPY') {
      const [, stage, from = '', to = ''] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(text) ?? [];
      const source = findSource(stage);
      if (source === undefined) throw new Error(`There is no stage ${stage}.`);
      await copy(
        source,
        from.replace(/^\//, ''),
        to.startsWith('/') ? join(root, to) : join(place, to),
      );
    } else if (name === 'RUN') {
      await run('sh', ['-c', text], {
        cwd: place,
        env: { ...process.env, npm_config_prefer_offline: 'true' },
      });
    } else if (!known.has(name)) throw new Error(`${name} is not known here.`);
  }
}

/** What changes no file. */
const known = new Set(['ENV', 'EXPOSE', 'USER', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD']);

async function copy(source: string, pattern: string, to: string): Promise<void> {
  const found = await Array.fromAsync(glob(pattern, { cwd: source }));
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new Error(`COPY of ${pattern} takes one file or folder, not ${found.length}.`);
  await cp(join(source, only), to, { recursive: true, verbatimSymlinks: true });
}

/** Nobody may write, and everybody may read. */
async function protect(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (entry.isSymbolicLink()) continue;
    const isFolder = entry.isDirectory();
    const isProgram = basename(entry.parentPath) === '.bin';
    await chmod(join(entry.parentPath, entry.name), isFolder || isProgram ? 0o555 : 0o444);
  }
  await chmod(root, 0o555);
}
