import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPackage } from './installed-package.ts';
import { projectRoot } from './project-files.ts';

const run = promisify(execFile);

/** Packs the package as it is published. Gives the path of the tarball, which is in the folder. */
export async function packPackage(folder: string): Promise<string> {
  const source = join(folder, 'source');
  await installPackage(source);
  for (const name of ['README.md', 'LICENSE'])
    await cp(join(projectRoot, name), join(source, name));
  const options = ['--ignore-scripts', '--silent', '--pack-destination', folder];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: source });
  return join(folder, stdout.trim().split('\n').at(-1) ?? '');
}

/**
 * Installs a tarball into an empty folder as `npm install` does, but without a network: undici comes
 * from this project.
 */
export async function installTarball(tarball: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--offline', '--install-links', '--ignore-scripts'];
  const undici = join(projectRoot, 'node_modules/undici');
  await run('npm', ['install', ...options, tarball, undici], { cwd: folder });
}

/** How many packages are installed in a folder. */
export async function countPackages(folder: string): Promise<number> {
  const lock: { readonly packages: object } = JSON.parse(
    await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'),
  );
  return Object.keys(lock.packages).length;
}

/** What a folder takes of a disk, in megabytes: each file whole blocks of 4 KiB, as `du` counts. */
export async function sizeOnDisk(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + Math.ceil(size / 4096) * 4096, 0) / 1e6;
}
