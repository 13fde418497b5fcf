import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPackage } from '../tools/build/package-build.ts';
import { readManifest, readProjectJson } from './manifest.ts';
import { projectRoot } from './project-files.ts';

/**
 * Puts the package into a folder as users have it: built, with its data, with the dependencies of
 * this project, and without what only the checkout has.
 */
export async function installPackage(folder: string): Promise<void> {
  const { files } = readManifest(readProjectJson('package.json'));
  const data = new Set(
    files.filter((path) => path !== 'dist').map((path) => path.replace(/\/\*.*$/, '')),
  );
  await mkdir(folder, { recursive: true });
  await buildPackage(join(folder, 'dist'));
  for (const path of ['package.json', ...data])
    await cp(join(projectRoot, path), join(folder, path), { recursive: true });
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
}
