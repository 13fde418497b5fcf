import { resolve } from 'node:path';
import type { Contract } from '../../../contract/index.ts';
import type { Mock } from '../../../mock/index.ts';
import { type DocumentOptions, loadChosenContract } from '../../package/bundled.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { renderFaults } from './banner.ts';
import { createReading, haveChanged, listDocumentFiles } from './file-watcher.ts';
import { explainFailure } from '../../io/command-failure.ts';
import { layoutFor, tellError } from '../../io/terminal.ts';
import {
  type VisibleText,
  joinShown,
  show,
  showJson,
  showLine,
} from '../../../page/view/visible.ts';
import { wrapText } from '../../../report/text/columns.ts';
import type { TextLayout } from '../../../report/text/layout.ts';
import { packageFile } from '../../package/package-root.ts';

/** The file of a document, and how its changes are printed. */
interface WatchedDocument extends DocumentOptions {
  readonly contract: string | undefined;
  readonly log: 'text' | 'json';
}

/**
 * Reads the document again whenever it, or a file that it refers to, changes, until the signal is
 * aborted. `since` is an instant before it was read, in milliseconds since 1970: what has changed
 * after that is read.
 */
export async function watchDocument(
  mock: Mock,
  wanted: WatchedDocument,
  io: CommandIo,
  since: number,
): Promise<void> {
  const read = createReader(mock, wanted, io);
  const follow = async (): Promise<readonly string[]> => {
    const file = wanted.contract ?? packageFile('openapi.yaml');
    const files = [
      ...(await listDocumentFiles(file)),
      ...(wanted.overlay ?? []).map((one) => resolve(one)),
    ];
    reading.follow(files);
    return files;
  };
  const readAgain = async (): Promise<void> => {
    const before = await follow();
    const started = Date.now();
    await read();
    const added = (await follow()).filter((file) => !before.includes(file));
    // What it names only now may have changed since it was read, and before it was followed.
    if (await haveChanged(added, started)) reading.schedule();
  };
  const reading = createReading(readAgain, io.signal);
  if (await haveChanged(await follow(), since)) reading.schedule();
}

/** Reads one version of the document after another. Prints the result, and never rejects. */
function createReader(mock: Mock, wanted: WatchedDocument, io: CommandIo): () => Promise<void> {
  let isBroken = false;
  const tell = ({ source }: Contract, reload: ReloadAttempt): void => {
    const text =
      wanted.log === 'json'
        ? renderReloadJson(source, reload)
        : renderReload(source, reload, layoutFor(io, Number.POSITIVE_INFINITY));
    io.stdout.write(show`${text}\n`);
  };
  return async () => {
    try {
      // A document that had no problems is not replaced by a broken one: its author is still writing.
      const strict = wanted.strict === true || isWhole(mock.contract);
      const contract = await loadChosenContract(wanted.contract, { ...wanted, strict });
      if (contract.digest !== mock.contract.digest) {
        const reload = await mock.reload(contract);
        const faults = renderFaults(contract, wanted.contract);
        if (faults !== '') tellError(io, 'mock', faults);
        tell(contract, reload);
      } else if (isBroken) tell(contract, { changes: [], setAside: [], leftOut: [] });
      isBroken = false;
    } catch (error) {
      isBroken = true;
      const reason = explainFailure(error) ?? String(error);
      tellError(io, 'mock', `still serving the previous version of the document: ${reason}`);
    }
  };
}

function isWhole({ diagnostics }: Contract): boolean {
  return diagnostics.length === 0;
}

type ReloadAttempt = Awaited<ReturnType<Mock['reload']>>;

function renderReloadJson(
  source: string,
  { changes, setAside, leftOut }: ReloadAttempt,
): VisibleText {
  const aside = setAside.map((item) => ({ ...item, id: `${item.id}` }));
  const at = new Date().toISOString();
  return showJson({ kind: 'reload', at, source, changes, setAside: aside, leftOut });
}

function renderReload(
  source: string,
  { changes, setAside, leftOut }: ReloadAttempt,
  { width }: TextLayout,
): VisibleText {
  const lines = [
    ...(changes.length === 0 ? ['nothing served has changed'] : changes),
    ...setAside.map(
      ({ sandbox, path, id, reason }) => `set aside ${path} ${id} of ${sandbox}: ${reason}`,
    ),
    ...leftOut.map((reason) => `left out: ${reason}`),
  ];
  const indent = show`         `;
  const wrapped = lines.flatMap((line) => wrapText(showLine(line), width - indent.length));
  return joinShown(
    [
      ...wrapText(show`${showLine(source)} was reloaded`, width),
      ...wrapped.map((line) => show`${indent}${line}`),
    ],
    '\n',
  );
}
