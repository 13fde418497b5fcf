import { resolve } from 'node:path';
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
import { argumentError } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { readInput } from '../../io/file.ts';
import { layoutFor, tellError } from '../../io/terminal.ts';
import { type DocumentOptions, loadChosenContract } from '../../package/bundled.ts';
import { packageFile } from '../../package/package-root.ts';
import { renderFaults } from './banner.ts';
import { listDocumentFiles, type Reading } from './watch.ts';

/** The file of a document, and how its changes are printed. */
interface WatchedDocument extends DocumentOptions {
  readonly contract: string | undefined;
  readonly log: 'text' | 'json';
}

/** The files of a document: also its overlays and the files that it refers to. */
export async function listWatched({ contract, overlay }: WatchedDocument) {
  const files = await listDocumentFiles(contract ?? packageFile('openapi.yaml'));
  return [...files, ...(overlay ?? []).map((file) => resolve(file))];
}

/** How a mock gets another version of its document. */
export function createReloading(mock: Mock, wanted: WatchedDocument, io: CommandIo): Reading {
  return {
    read: async (wasBroken) => await reload(mock, wanted, io, wasBroken),
    fallback: 'still serving the previous version of the document',
  };
}

/** Returns what to print; undefined if the document has not changed. */
async function reload(
  mock: Mock,
  wanted: WatchedDocument,
  io: CommandIo,
  wasBroken: boolean,
): Promise<VisibleText | undefined> {
  // A document that had no problems is not replaced by a broken one: its author is still writing.
  const strict = wanted.strict === true || mock.contract.diagnostics.length === 0;
  const contract = await loadChosenContract(wanted.contract, { ...wanted, strict });
  const isNew = contract.digest !== mock.contract.digest;
  if (!isNew && !wasBroken) return undefined;
  const changes = isNew ? await mock.reload(contract) : unchanged;
  const faults = isNew ? renderFaults(contract, wanted.contract) : '';
  if (faults !== '') tellError(io, 'mock', faults);
  return wanted.log === 'json'
    ? renderJson(contract.source, changes)
    : renderText(contract.source, changes, layoutFor(io, Infinity).width);
}

type Reload = Awaited<ReturnType<Mock['reload']>>;

const unchanged: Reload = { changes: [], setAside: [], leftOut: [] };

function renderJson(source: string, { changes, setAside, leftOut }: Reload): VisibleText {
  const aside = setAside.map((item) => ({ ...item, id: `${item.id}` }));
  const at = new Date().toISOString();
  return showJson({ kind: 'reload', at, source, changes, setAside: aside, leftOut });
}

function renderText(
  source: string,
  { changes, setAside, leftOut }: Reload,
  width: number,
): VisibleText {
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

/**
 * Puts the stubs of a file in every sandbox of a mock, and prints how they break the contract. Returns
 * how they are read again. Throws `PetstoreError`, or the system's error.
 */
export async function openStubFile(
  control: Control,
  file: string,
  log: 'text' | 'json',
  io: CommandIo,
): Promise<Reading> {
  let text = await readInput(file);
  await useStubs(control, text, file, io);
  return {
    async read(wasBroken) {
      const before = text;
      text = await readInput(file);
      // A file that was saved without a change does not reset its stubs.
      if (text === before && !wasBroken) return undefined;
      const count = await useStubs(control, text, file, io);
      const at = new Date().toISOString();
      return log === 'json'
        ? showJson({ kind: 'stubs', at, source: file, count })
        : show`${showLine(file)} was reloaded: ${countOf(count, 'stub')}`;
    },
    fallback: 'the previous stubs stay in use',
  };
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
