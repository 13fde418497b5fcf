import { type FSWatcher, watch } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Contract, isJsonObject, renderDocumentIssue } from '../contract/index.ts';
import type { Mock } from '../mock/index.ts';
import { loadChosenContract } from './bundled-contract.ts';
import type { CommandIo } from './command-io.ts';
import type { MockArguments } from './mock-arguments.ts';
import { explainFailure } from './mock-failure.ts';
import { packageFile } from './package-root.ts';

/** Editors write a file in several steps: it is read this long after the last, in milliseconds. */
const SETTLED = 100;

/** Reads the document again whenever it, or a file that it refers to, changes, until the signal is aborted. */
export async function watchDocument(mock: Mock, wanted: MockArguments, io: CommandIo): Promise<void> {
  const root = await realpath(wanted.contract ?? packageFile('openapi.yaml'));
  let timer: NodeJS.Timeout | undefined;
  const reading = new Reading(mock, wanted, io, () => watchers.follow(filesOf(mock.contract, root)));
  const watchers = new Watchers(() => {
    clearTimeout(timer);
    timer = setTimeout(() => reading.start(), SETTLED);
  });
  watchers.follow(filesOf(mock.contract, root));
  io.signal.addEventListener('abort', () => {
    clearTimeout(timer);
    watchers.follow([]);
  }, { once: true });
}

/** The document, and the files that were bundled into it. */
function filesOf({ document }: Contract, root: string): readonly string[] {
  const bundled = isJsonObject(document['x-files']) ? Object.keys(document['x-files']) : [];
  return [root, ...bundled.map((path) => join(dirname(root), path))];
}

/** Watches the folders of files, since editors often put a new file in the place of the old one. */
class Watchers {
  readonly #onChange: () => void;
  readonly #open = new Map<string, FSWatcher>();
  #files: ReadonlySet<string> = new Set();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  follow(files: readonly string[]): void {
    this.#files = new Set(files);
    const folders = new Set(files.map((file) => dirname(file)));
    for (const [folder, watcher] of this.#open) if (!folders.has(folder)) this.#close(folder, watcher);
    for (const folder of folders) if (!this.#open.has(folder)) this.#start(folder);
  }

  #start(folder: string): void {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name === null || this.#files.has(join(folder, basename(name)))) this.#onChange();
    });
    watcher.on('error', () => this.#close(folder, watcher));
    this.#open.set(folder, watcher);
  }

  #close(folder: string, watcher: FSWatcher): void {
    watcher.close();
    this.#open.delete(folder);
  }
}

/** Reads one version after the other; a change during a reading is read after it. */
class Reading {
  readonly #mock: Mock;
  readonly #wanted: MockArguments;
  readonly #io: CommandIo;
  readonly #onRead: () => void;
  #last: Promise<void> = Promise.resolve();

  constructor(mock: Mock, wanted: MockArguments, io: CommandIo, onRead: () => void) {
    this.#mock = mock;
    this.#wanted = wanted;
    this.#io = io;
    this.#onRead = onRead;
  }

  start(): void {
    this.#last = this.#last.then(() => this.#read());
  }

  async #read(): Promise<void> {
    const { stdout, stderr } = this.#io;
    try {
      const contract = await loadChosenContract(this.#wanted.contract);
      if (contract.digest === this.#mock.contract.digest) return;
      const { changes, misfits, leftOut } = await this.#mock.reload(contract);
      this.#onRead();
      for (const warning of contract.warnings) stderr.write(`petstore mock: warning: ${renderDocumentIssue(warning)}\n`);
      const lines = [...(changes.length === 0 ? ['nothing that is served'] : changes), ...misfits.map(({ sandbox, path, id, reason }) => `set aside ${path} ${id} of ${sandbox}: ${reason}`), ...leftOut.map((reason) => `left out: ${reason}`)];
      stdout.write(this.#wanted.log === 'json' ? `${JSON.stringify({ kind: 'reload', source: contract.source, changes, misfits: misfits.map((misfit) => ({ ...misfit, id: `${misfit.id}` })), leftOut })}\n` : `${contract.source} was read again\n${lines.map((line) => `         ${line}\n`).join('')}`);
    } catch (error) {
      stderr.write(`petstore mock: the document is served as it was before: ${explainFailure(error) ?? String(error)}\n`);
    }
  }
}
