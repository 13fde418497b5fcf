import { type InputOptions, type OutputChunk, type OutputOptions, rolldown } from 'rolldown';
import { packageFile } from '../../cli/package/package-root.ts';

/** Bundles modules with what they import, in memory. Throws for an import that leads nowhere. */
export async function bundle(
  input: InputOptions,
  output: OutputOptions,
): Promise<readonly OutputChunk[]> {
  const missing: string[] = [];
  await using build = await rolldown({
    checks: { bundlerTimings: false },
    tsconfig: packageFile('page/tsconfig.json'),
    onLog: (_level, { code, message }) =>
      void (code === 'UNRESOLVED_IMPORT' && missing.push(message)),
    ...input,
  });
  const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' };
  const { output: files } = await build.generate({ format: 'esm', ...names, ...output });
  if (missing.length > 0) throw new Error(missing.join('\n'));
  return files.filter((file) => file.type === 'chunk');
}
