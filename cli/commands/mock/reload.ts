import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodePercent } from '../../../contract/source/percent.ts';
import { hasCode } from '../../../contract/error/petstore-error.ts';
import type { Control, Mock } from '../../../mock/index.ts';
import { countOf } from '../../../page/view/count.ts';
import { joinShown, show, showLine, spaces } from '../../../page/view/visible.ts';
import { wrapText } from '../../../report/text/layout.ts';
import { argumentError, explainError } from '../../io/command-failure.ts';
import { type CommandIo, layoutFor, printError } from '../../io/command-io.ts';
import { readInput } from '../../io/file.ts';
import { type DocumentOptions, loadChosenContract } from '../../package/bundled.ts';
import { packageFile } from '../../package/package-root.ts';
import { printDiagnostics } from './banner.ts';
import type { Print } from './request-log.ts';

/** Polling interval in milliseconds. */
const interval = 150;

/** Reads the changed files and prints what has changed. */
type Read = () => Promise<void>;

/**
 * Records the state of files, whether they exist or not: a broken document may refer to a file that
 * is still missing. The returned function calls `read` after each change since then, until the
 * signal of the command is aborted. It polls because file system events miss replaced folders,
 * links with a new target, and changes on network and container file systems.
 *
 * @param fallback beginning of the error for files that cannot be read: `the previous stubs stay in
 * use`
 */
async function watchFiles(
  list: () => readonly string[] | Promise<readonly string[]>,
  fallback: string,
  io: CommandIo,
): Promise<(read: Read) => Promise<void>> {
  let files = await list();
  let seen = await stateOf(files);
  return async (read) => {
    let last = seen;
    // `sleep` rejects once the signal is aborted.
    while (await sleep(interval, true, { signal: io.signal, ref: false }).catch(() => false)) {
      let now = await stateOf(files);
      if (now !== seen) {
        files = await list();
        now = await stateOf(files);
      }
      // Editors write a file in several steps, so read it once nothing has changed between two
      // polls.
      const isSettled = now === last;
      last = now;
      if (now === seen || !isSettled) continue;
      seen = now;
      try {
        await read();
      } catch (error) {
        printError(io, 'mock', `${fallback}: ${explainError(error, io.env)}`);
      }
    }
  };
}

/** Changes whenever a file is written, replaced or removed. */
async function stateOf(files: readonly string[]): Promise<string> {
  const states = await Promise.all(
    files.map(async (file) => await stat(file).catch(() => undefined)),
  );
  return states.map((state) => `${state?.ino} ${state?.ctimeMs} ${state?.size}`).join();
}

type Wanted = DocumentOptions & { readonly contract: string | undefined };

/**
 * Records the state of the document's files. The returned function reloads the mock after each
 * change.
 */
export async function watchDocument(
  wanted: Wanted,
  print: Print,
  io: CommandIo,
): Promise<(mock: Mock) => Promise<void>> {
  const { contract: file = packageFile('openapi.yaml'), overlay = [] } = wanted;
  const list = async () => [
    ...(await listDocumentFiles(file)),
    ...overlay.map((each) => resolve(each)),
  ];
  const fallback = 'still serving the previous version of the document';
  const follow = await watchFiles(list, fallback, io);
  return (mock) => follow(() => reload(mock, wanted, print, io));
}

/** A reference to another file, in YAML or JSON: `$ref: 'schemas/pet.json#/Pet'`. */
const reference = /\$ref['"]?\s*:\s*['"]?([^\s'"#,}]+)/g;

/** The files of a document. References that leave its folder are ignored. */
async function listDocumentFiles(file: string): Promise<readonly string[]> {
  const given = resolve(file);
  const root = await realpath(given).catch(() => given);
  const found = new Set([root]);
  for (const one of found) {
    const isFile = (await stat(one).catch(() => undefined))?.isFile() ?? false;
    const text = isFile ? await readFile(one, 'utf8').catch(() => '') : '';
    for (const [, path = ''] of text.matchAll(reference)) {
      const named = resolve(dirname(one), decodePercent(path) ?? path);
      if (!relative(dirname(root), named).startsWith(`..${sep}`)) found.add(named);
    }
  }
  return [...new Set([given, ...found])];
}

async function reload(mock: Mock, wanted: Wanted, print: Print, io: CommandIo): Promise<void> {
  // A broken version does not replace a document without problems: its author is still writing.
  const strict = wanted.strict === true || mock.contract.diagnostics.length === 0;
  const contract = await loadChosenContract(wanted.contract, { ...wanted, strict });
  const { changes, setAside, leftOut } = await mock.reload(contract);
  printDiagnostics(contract, wanted.contract, io);
  const { source } = contract;
  print(
    'reload',
    () => ({
      source,
      changes,
      setAside: setAside.map((item) => ({ ...item, id: `${item.id}` })),
      leftOut,
    }),
    () => {
      const { width } = layoutFor(io, Infinity);
      const lines = [
        `${source} was reloaded`,
        ...(changes.length === 0 ? ['nothing served has changed'] : changes),
        ...setAside.map(
          ({ sandbox, path, id, reason }) => `set aside ${path} ${id} of ${sandbox}: ${reason}`,
        ),
        ...leftOut.map((reason) => `left out: ${reason}`),
      ];
      const shown = lines.flatMap((line, at) =>
        wrapText(showLine(line), width - 9).map((part) => show`${spaces(at === 0 ? 0 : 9)}${part}`),
      );
      return joinShown(shown, '\n');
    },
  );
}

/**
 * Adds the stubs of a file to every sandbox of a mock, and prints how they break the contract. The
 * returned function reloads the file after each change. Throws `PetstoreError`, or the system's
 * error.
 */
export async function watchStubs(
  control: Control,
  file: string,
  print: Print,
  io: CommandIo,
): Promise<() => Promise<void>> {
  const follow = await watchFiles(() => [resolve(file)], 'the previous stubs stay in use', io);
  await useStubs(control, file, io);
  return () =>
    follow(async () => {
      const count = await useStubs(control, file, io);
      print(
        'stubs',
        () => ({ source: file, count }),
        () => show`${showLine(file)} was reloaded: ${countOf(count, 'stub')}`,
      );
    });
}

/** Returns the number of stubs. */
async function useStubs(control: Control, file: string, io: CommandIo): Promise<number> {
  const text = await readInput(file);
  // Loaded late: with the bundled document, a start needs no YAML parser.
  const { parseValueText } = await import('../../../contract/source/text.ts');
  const value = await parseValueText(text, file);
  try {
    const stubs = control.useStubs(control.readStubs(value ?? []));
    for (const [index, { name, warnings }] of stubs.entries())
      for (const { message } of warnings)
        printError(
          io,
          'mock',
          `${file}: stub ${name ?? index + 1} breaks the contract: ${message}`,
        );
    return stubs.length;
  } catch (error) {
    if (hasCode(error, 'shape', 'stub')) throw argumentError(`${file}: ${error.message}`, error);
    throw error;
  }
}
