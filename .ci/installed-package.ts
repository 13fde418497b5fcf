import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPackage } from '../tools/build/package-build.ts';
import { readManifest, readProjectJson } from './manifest.ts';
import { projectRoot } from './project-files.ts';

/** Puts the package into a folder as users have it, with the dependencies of this project. */
export async function installPackage(folder: string): Promise<void> {
  const { files } = readManifest(readProjectJson('package.json'));
  const published = files.filter((path) => path !== 'dist');
  const data = new Set(published.map((path) => path.replace(/\/\*.*$/, '')));
  await mkdir(folder, { recursive: true });
  await buildPackage(join(folder, 'dist'));
  for (const path of ['package.json', ...data])
    await cp(join(projectRoot, path), join(folder, path), { recursive: true });
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
}
