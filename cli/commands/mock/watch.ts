import { type Contract, renderDocumentIssue } from '../../../contract/index.ts';
import type { Mock } from '../../../mock/index.ts';
import { loadChosenContract } from '../../package/bundled-contract.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { haveChanged, listDocumentFiles } from './document-files.ts';
import { FileWatcher } from './file-watcher.ts';
import type { MockArguments } from './options.ts';
import { explainFailure } from '../../io/command-failure.ts';
import { packageFile } from '../../package/package-root.ts';

/** Editors write a file in several steps: it is read this long after the last, in milliseconds. */
const SETTLED = 100;

/** The file of a document, and how its changes are told. */
type WatchedDocument = Pick<MockArguments, 'contract' | 'log'>;

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
  const reader = new DocumentReader(mock, wanted, io);
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const schedule = (): void => {
    clearTimeout(timer);
    if (!io.signal.aborted)
      timer = setTimeout(() => {
        last = last.then(readAgain);
      }, SETTLED);
  };
  const watcher = new FileWatcher(schedule);
  const follow = async (): Promise<readonly string[]> => {
    const files = await listDocumentFiles(wanted.contract ?? packageFile('openapi.yaml'));
    watcher.follow(io.signal.aborted ? [] : files);
    return files;
  };
  const readAgain = async (): Promise<void> => {
    const before = await follow();
    const started = Date.now();
    await reader.read();
    const added = (await follow()).filter((file) => !before.includes(file));
    // What it names only now may have changed since it was read, and before it was followed.
    if (await haveChanged(added, started)) schedule();
  };
  io.signal.addEventListener(
    'abort',
    () => {
      clearTimeout(timer);
      watcher.follow([]);
    },
    { once: true },
  );
  if (await haveChanged(await follow(), since)) schedule();
}

/** Reads one version of the document after another. Tells what came of it, and never rejects. */
class DocumentReader {
  readonly #mock: Mock;
  readonly #wanted: WatchedDocument;
  readonly #io: CommandIo;
  #isBroken = false;

  constructor(mock: Mock, wanted: WatchedDocument, io: CommandIo) {
    this.#mock = mock;
    this.#wanted = wanted;
    this.#io = io;
  }

  async read(): Promise<void> {
    try {
      const contract = await loadChosenContract(this.#wanted.contract);
      const isOther = contract.digest !== this.#mock.contract.digest;
      if (isOther) await this.#serve(contract);
      else if (this.#isBroken) this.#tell(contract, { changes: [], setAside: [], leftOut: [] });
      this.#isBroken = false;
    } catch (error) {
      this.#isBroken = true;
      this.#io.stderr.write(
        `petstore mock: the document is served as it was before: ${explainFailure(error) ?? String(error)}\n`,
      );
    }
  }

  async #serve(contract: Contract): Promise<void> {
    const reload = await this.#mock.reload(contract);
    for (const warning of contract.warnings)
      this.#io.stderr.write(`petstore mock: warning: ${renderDocumentIssue(warning)}\n`);
    this.#tell(contract, reload);
  }

  #tell({ source }: Contract, { changes, setAside, leftOut }: ReloadAttempt): void {
    const { stdout } = this.#io;
    if (this.#wanted.log === 'json') {
      stdout.write(
        `${JSON.stringify({ kind: 'reload', source, changes, setAside: setAside.map((item) => ({ ...item, id: `${item.id}` })), leftOut })}\n`,
      );
      return;
    }
    const lines = [
      ...(changes.length === 0 ? ['nothing that is served has changed'] : changes),
      ...setAside.map(
        ({ sandbox, path, id, reason }) => `set aside ${path} ${id} of ${sandbox}: ${reason}`,
      ),
      ...leftOut.map((reason) => `left out: ${reason}`),
    ];
    stdout.write(`${source} was read again\n${lines.map((line) => `         ${line}\n`).join('')}`);
  }
}

type ReloadAttempt = Awaited<ReturnType<Mock['reload']>>;
