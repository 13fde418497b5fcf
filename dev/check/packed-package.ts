import { execFile } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { buildPackage } from '../build/package-build.ts';
import { projectRoot } from './project-files.ts';

const run = promisify(execFile);

/**
 * Installs the package into a folder as users do: with its own dependencies, and without other packages of
 * this project.
 */
export async function installPackage(folder: string): Promise<void> {
  const published = manifest.files.filter((path) => path !== 'dist');
  const data = new Set(published.map((path) => path.replace(/\/\*.*$/, '')));
  await mkdir(folder, { recursive: true });
  await buildPackage(join(folder, 'dist'));
  for (const path of ['package.json', ...data])
    await cp(join(projectRoot, path), join(folder, path), { recursive: true });
  for (const name of Object.keys(manifest.dependencies))
    await linkPackage(join(projectRoot, 'node_modules', name), folder, name);
}

/** Links an installed package into the `node_modules` of another folder, under a name. */
export async function linkPackage(from: string, folder: string, name: string): Promise<void> {
  const place = join(folder, 'node_modules', name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(from, place);
}

/** Packs the package for publishing. @returns the path of the tarball in the folder */
export async function packPackage(folder: string): Promise<string> {
  const source = join(folder, 'source');
  await installPackage(source);
  for (const name of ['README.md', 'LICENSE'])
    await cp(join(projectRoot, name), join(source, name));
  const options = ['--ignore-scripts', '--silent', '--pack-destination', folder];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: source });
  return join(folder, stdout.trim().split('\n').at(-1) ?? '');
}
