import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codec, hasCode, parseValueText } from '../../../contract/index.ts';
import { type Control, fileStub, type Mock } from '../../../mock/index.ts';
import { countOf } from '../../../page/view/count.ts';
import {
  joinShown,
  show,
  showJson,
  showLine,
  type VisibleText,
} from '../../../page/view/visible.ts';
import { wrapText } from '../../../report/text/columns.ts';
import { argumentError, explainError } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { readInput } from '../../io/file.ts';
import { layoutFor, tellError } from '../../io/terminal.ts';
import { type DocumentOptions, loadChosenContract } from '../../package/bundled.ts';
import { packageFile } from '../../package/package-root.ts';
import { renderFaults } from './banner.ts';

/** What of the options says which files are read, and how their changes are printed. */
interface Wanted extends DocumentOptions {
  readonly contract: string | undefined;
  readonly log: 'text' | 'json';
}

/** How files that have changed are read again. */
interface Reading {
  /** Returns what to print, if anything. `wasBroken`: the last reading failed. */
  readonly read: (wasBroken: boolean) => Promise<VisibleText | undefined>;
  /** Begins the error for files that cannot be read: `the previous stubs stay in use`. */
  readonly fallback: string;
}

type Follow = (reading: Reading, io: CommandIo) => Promise<void>;

/** Milliseconds between two looks at the files. */
const interval = 150;

/**
 * Notes how files are now, whether they exist or not: a broken document may wait for a file that it
 * names. The returned function reads them again after each change since then, until the signal of the
 * command is aborted. It polls, because a poll also sees what events miss: folders that are replaced,
 * links that lead elsewhere, file systems of networks and containers.
 */
async function watchFiles(list: () => Promise<readonly string[]>): Promise<Follow> {
  let files = await list();
  let seen = await stateOf(files);
  return async ({ read, fallback }, io) => {
    let isBroken = false;
    let last = seen;
    // `sleep` rejects once the signal is aborted.
    while (await sleep(interval, true, { signal: io.signal, ref: false }).catch(() => false)) {
      let now = await stateOf(files);
      if (now !== seen) {
        files = await list();
        now = await stateOf(files);
      }
      // Editors write a file in several steps: it is read once nothing has changed between two looks.
      const isSettled = now === last;
      last = now;
      if (now === seen || !isSettled) continue;
      seen = now;
      try {
        const text = await read(isBroken);
        if (text !== undefined) io.stdout.write(show`${text}\n`);
        isBroken = false;
      } catch (error) {
        isBroken = true;
        tellError(io, 'mock', `${fallback}: ${explainError(error, io.env)}`);
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

/** Notes the files of a document; the returned function gives a mock each later version of it. */
export async function watchDocument(
  wanted: Wanted,
  io: CommandIo,
): Promise<(mock: Mock) => Promise<void>> {
  const follow = await watchFiles(async () => {
    const files = await listDocumentFiles(wanted.contract ?? packageFile('openapi.yaml'));
    return [...files, ...(wanted.overlay ?? []).map((file) => resolve(file))];
  });
  return (mock) => {
    const read = (wasBroken: boolean) => reload(mock, wanted, io, wasBroken);
    return follow({ read, fallback: 'still serving the previous version of the document' }, io);
  };
}

/** A reference to another file, in YAML or JSON: `$ref: 'schemas/pet.json#/Pet'`. */
const reference = /\$ref['"]?\s*:\s*['"]?([^\s'"#,}]+)/g;

/** The files that a document is made of. None outside of its folder is looked at. */
async function listDocumentFiles(file: string): Promise<readonly string[]> {
  const given = resolve(file);
  const root = await realpath(given).catch(() => given);
  const found = new Set([root]);
  for (const one of found) {
    const isFile = (await stat(one).catch(() => undefined))?.isFile() ?? false;
    const text = isFile ? await readFile(one, 'utf8').catch(() => '') : '';
    for (const [, path = ''] of text.matchAll(reference)) {
      const named = resolve(dirname(one), decodePath(path));
      if (!relative(dirname(root), named).startsWith(`..${sep}`)) found.add(named);
    }
  }
  return [...new Set([given, ...found])];
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns what to print; undefined if the document has not changed. */
async function reload(
  mock: Mock,
  wanted: Wanted,
  io: CommandIo,
  wasBroken: boolean,
): Promise<VisibleText | undefined> {
  // A document that had no problems is not replaced by a broken one: its author is still writing.
  const strict = wanted.strict === true || mock.contract.diagnostics.length === 0;
  const contract = await loadChosenContract(wanted.contract, { ...wanted, strict });
  const isNew = contract.digest !== mock.contract.digest;
  if (!isNew && !wasBroken) return undefined;
  const { changes, setAside, leftOut } = isNew ? await mock.reload(contract) : unchanged;
  const faults = isNew ? renderFaults(contract, wanted.contract) : '';
  if (faults !== '') tellError(io, 'mock', faults);
  const { source } = contract;
  if (wanted.log === 'json') {
    const aside = setAside.map((item) => ({ ...item, id: `${item.id}` }));
    const at = new Date().toISOString();
    return showJson({ kind: 'reload', at, source, changes, setAside: aside, leftOut });
  }
  const { width } = layoutFor(io, Infinity);
  const indent = show`         `;
  const lines = [
    ...(changes.length === 0 ? ['nothing served has changed'] : changes),
    ...setAside.map(
      ({ sandbox, path, id, reason }) => `set aside ${path} ${id} of ${sandbox}: ${reason}`,
    ),
    ...leftOut.map((reason) => `left out: ${reason}`),
  ].flatMap((line) => wrapText(showLine(line), width - indent.length));
  const title = wrapText(show`${showLine(source)} was reloaded`, width);
  return joinShown([...title, ...lines.map((line) => show`${indent}${line}`)], '\n');
}

const unchanged: Awaited<ReturnType<Mock['reload']>> = { changes: [], setAside: [], leftOut: [] };

/**
 * Puts the stubs of a file in every sandbox of a mock, and prints how they break the contract. The
 * returned function reads them again when they change. Throws `PetstoreError`, or the system's error.
 */
export async function watchStubs(
  control: Control,
  file: string,
  { log }: Wanted,
  io: CommandIo,
): Promise<() => Promise<void>> {
  const follow = await watchFiles(() => Promise.resolve([resolve(file)]));
  let text = await readInput(file);
  await useStubs(control, text, file, io);
  const read = async (wasBroken: boolean): Promise<VisibleText | undefined> => {
    const before = text;
    text = await readInput(file);
    // A file that was saved without a change does not reset its stubs.
    if (text === before && !wasBroken) return undefined;
    const count = await useStubs(control, text, file, io);
    const at = new Date().toISOString();
    return log === 'json'
      ? showJson({ kind: 'stubs', at, source: file, count })
      : show`${showLine(file)} was reloaded: ${countOf(count, 'stub')}`;
  };
  return () => follow({ read, fallback: 'the previous stubs stay in use' }, io);
}

/** Returns how many there are. */
async function useStubs(
  control: Control,
  text: string,
  file: string,
  io: CommandIo,
): Promise<number> {
  const value = await parseValueText(text, file);
  try {
    const stubs = control.useStubs(codec.list(fileStub).read(value ?? [], ''));
    for (const [index, { name, warnings }] of stubs.entries())
      for (const { message } of warnings)
        tellError(io, 'mock', `${file}: stub ${name ?? index + 1} breaks the contract: ${message}`);
    return stubs.length;
  } catch (error) {
    if (hasCode(error, 'shape', 'stub')) throw argumentError(`${file}: ${error.message}`, error);
    throw error;
  }
}
