import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { buildPackage } from '../build/package-build.ts';
import { projectRoot } from './project-files.ts';

/**
 * Puts the package into a folder as users have it: with its own dependencies, and without what else
 * this project has.
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

/** Puts an installed package into the `node_modules` of another folder, under a name. */
export async function linkPackage(from: string, folder: string, name: string): Promise<void> {
  const place = join(folder, 'node_modules', name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(from, place);
}
