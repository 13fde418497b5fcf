import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { buildPackage } from '../../build/package-build.ts';
import { packageFile } from '../../../cli/package/package-root.ts';

const dataFiles = ['package.json', 'openapi.yaml', 'openapi.d.ts', 'docs', 'fixtures'];

/** Puts the package and the hand-written services into a folder, compiled to JavaScript. */
export async function compilePackage(folder: string): Promise<void> {
  await buildPackage(join(folder, 'dist'));
  for (const path of dataFiles)
    await cp(packageFile(path), join(folder, path), { recursive: true });
  await mkdir(join(folder, 'services'));
  const services = packageFile('dev/bench/services');
  for (const name of await readdir(services)) {
    const text = stripTypeScriptTypes(await readFile(join(services, name), 'utf8'));
    await writeFile(
      join(folder, 'services', name.replace(/\.ts$/, '.js')),
      text.replaceAll(/from '(\.[^']*)\.ts'/g, "from '$1.js'"),
    );
  }
}
