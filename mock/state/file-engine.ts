import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as sqlite from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { StateEngine, StateWrite, StoredSandbox } from './engine.ts';
import { makeFolder } from './folder.ts';

/** Grows with each form of the tables that a version before cannot read. */
const format = 1;

const schema = `
  CREATE TABLE sandbox (name TEXT PRIMARY KEY, version TEXT NOT NULL) STRICT;
  CREATE TABLE part (
    sandbox TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (sandbox, name)
  ) STRICT;
  PRAGMA user_version = ${format};
`;

/** By which a file is known as one of ours: "Pets". */
const applicationId = 0x50657473;

/**
 * The folder of an address: `file:./state`, `file:/var/lib/petstore` or `file:///var/lib/petstore`.
 *
 * @throws {PetstoreError} with code `state`
 */
export function readFolder(address: string): string {
  const path = address.replace(/^file:/i, '');
  if (path === '')
    throw new PetstoreError('state', `"${address}" does not name a folder.`, {
      remedy: 'Name one, such as file:./petstore-state.',
    });
  if (!path.startsWith('//')) return resolve(path);
  try {
    return fileURLToPath(address);
  } catch (cause) {
    const remedy = 'Write a relative path without slashes before it: file:./petstore-state';
    throw new PetstoreError('state', `"${address}" is not a folder on this machine.`, {
      remedy,
      cause,
    });
  }
}

/**
 * Opens a folder to store state in, and creates it if needed. No other process can open it until the
 * engine is closed or this process ends.
 *
 * @throws {PetstoreError} with code `state`
 */
export async function openFileEngine(folder: string): Promise<StateEngine> {
  const { DatabaseSync } = loadSqlite();
  try {
    await makeFolder(folder, 0o700);
    const file = join(folder, 'state.sqlite');
    refuseFormerState(folder, file);
    // The state contains keys. SQLite gives its other files the mode of this one.
    closeSync(openSync(file, 'a', 0o600));
    return new FileEngine(folder, file, new DatabaseSync(file));
  } catch (error) {
    throw explainError(folder, error);
  }
}

/** Node 22 warns that SQLite is experimental: the only warning that is left out. */
function loadSqlite(): typeof sqlite {
  const emitWarning = Reflect.get(process, 'emitWarning');
  process.emitWarning = () => undefined;
  try {
    // Loading is synchronous, so no other warning can come in between.
    const module = process.getBuiltinModule?.('node:sqlite');
    if (module !== undefined) return module;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw new PetstoreError('state', 'State in a folder needs the module node:sqlite.', {
    remedy: 'Use Node 22.19 or later, or store the state on a server.',
  });
}

/** Versions before used a log of their own. */
function refuseFormerState(folder: string, file: string): void {
  if (existsSync(file) || !existsSync(join(folder, 'state.jsonl'))) return;
  throw new PetstoreError(
    'state',
    `${folder} has state of an earlier version (state.jsonl), which this version cannot read.`,
    {
      remedy:
        'Use another folder, or delete state.jsonl. To keep the items, start the earlier version, save GET /_mock/sandboxes/main/state to a file, and pass it to --seed.',
    },
  );
}

interface Waiting {
  readonly write: StateWrite;
  readonly resolve: (isWritten: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Stores sandboxes in a SQLite database, which only this process has open. */
class FileEngine implements StateEngine {
  readonly #folder: string;
  readonly #file: string;
  /** Which file it was when it was opened. */
  readonly #identity: string;
  readonly #database: sqlite.DatabaseSync;
  readonly #version: sqlite.StatementSync;
  readonly #parts: sqlite.StatementSync;
  readonly #names: sqlite.StatementSync;
  readonly #setVersion: sqlite.StatementSync;
  readonly #put: sqlite.StatementSync;
  readonly #remove: sqlite.StatementSync;
  #waiting: Waiting[] = [];

  constructor(folder: string, file: string, database: sqlite.DatabaseSync) {
    this.#folder = folder;
    this.#file = file;
    this.#identity = identityOf(file);
    this.#database = database;
    try {
      // The lock is taken here and kept, so that a second process is refused when it opens the file.
      database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
      const isNew = checkOrigin(folder, database);
      // Not before: it changes the file.
      database.exec(
        'COMMIT; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE',
      );
      if (isNew) database.exec(schema);
      database.exec(`PRAGMA application_id = ${applicationId}; COMMIT`);
      this.#version = database.prepare('SELECT version FROM sandbox WHERE name = ?');
      this.#parts = database.prepare('SELECT name, text FROM part WHERE sandbox = ?');
      this.#names = database.prepare('SELECT name FROM sandbox');
      this.#setVersion = database.prepare('INSERT OR REPLACE INTO sandbox VALUES (?, ?)');
      this.#put = database.prepare('INSERT OR REPLACE INTO part VALUES (?, ?, ?)');
      this.#remove = database.prepare('DELETE FROM part WHERE sandbox = ? AND name = ?');
    } catch (error) {
      database.close();
      throw error;
    }
  }

  read(sandbox: string, after: string | undefined): Promise<StoredSandbox> {
    return this.#attempt(() => {
      const version = this.#versionOf(sandbox);
      const isWhole = after === undefined || version !== after;
      const rows = isWhole ? this.#parts.all(sandbox) : [];
      const parts = rows.map(({ name, text }): [string, string] => [textOf(name), textOf(text)]);
      return { version, isWhole, parts: new Map(parts) };
    });
  }

  /** Writes that come in the same turn of the event loop share one transaction, and so one sync. */
  write(write: StateWrite): Promise<boolean> {
    const { promise, resolve: done, reject } = Promise.withResolvers<boolean>();
    if (this.#waiting.length === 0) setImmediate(() => this.#commit());
    this.#waiting.push({ write, resolve: done, reject });
    return promise;
  }

  forget(sandbox: string): Promise<void> {
    return this.#attempt(() => {
      this.#transact(() => {
        this.#database.prepare('DELETE FROM part WHERE sandbox = ?').run(sandbox);
        this.#database.prepare('DELETE FROM sandbox WHERE name = ?').run(sandbox);
      });
    });
  }

  list(): Promise<readonly string[]> {
    return this.#attempt(() => this.#names.all().map(({ name }) => textOf(name)));
  }

  close(): Promise<void> {
    this.#commit();
    if (this.#database.isOpen) this.#database.close();
    return Promise.resolve();
  }

  #versionOf(sandbox: string): string | undefined {
    const version = this.#version.get(sandbox)?.['version'];
    return version === undefined ? undefined : textOf(version);
  }

  #commit(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    try {
      const written = this.#transact(() => waiting.map(({ write }) => this.#writeOne(write)));
      for (const [index, one] of waiting.entries()) one.resolve(written[index] === true);
    } catch (error) {
      for (const { reject } of waiting) reject(explainError(this.#folder, error));
    }
  }

  #writeOne({ sandbox, after, next, parts }: StateWrite): boolean {
    const version = this.#versionOf(sandbox);
    if (version === next) return true;
    if (version !== after) return false;
    this.#setVersion.run(sandbox, next);
    for (const [name, text] of parts)
      if (text === undefined) this.#remove.run(sandbox, name);
      else this.#put.run(sandbox, name, text);
    return true;
  }

  #transact<Value>(act: () => Value): Value {
    // SQLite goes on with a file that has no name any more.
    if (identityOf(this.#file) !== this.#identity)
      throw new PetstoreError('state', `${this.#folder} was removed or replaced.`, {
        place: this.#folder,
        remedy: 'Put it back, or start the mock again.',
      });
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const value = act();
      this.#database.exec('COMMIT');
      return value;
    } catch (error) {
      // SQLite may have rolled back by itself, as it does when the disk is full.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #attempt<Value>(act: () => Value): Promise<Value> {
    return new Promise((done, reject) => {
      try {
        done(act());
      } catch (error) {
        reject(explainError(this.#folder, error));
      }
    });
  }
}

function textOf(value: sqlite.SQLOutputValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The same for the same file, under any name; empty for none. */
function identityOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev} ${found.ino}`;
}

/**
 * True for a file without anything in it.
 *
 * @throws {PetstoreError} with code `state` for a file of another program, or of a later version
 * @throws for one that is damaged, as SQLite does
 */
function checkOrigin(folder: string, database: sqlite.DatabaseSync): boolean {
  const { version, id, tables } = Object(
    database
      .prepare(
        `SELECT user_version AS version, application_id AS id,
           (SELECT group_concat(name) FROM sqlite_master WHERE sql IS NOT NULL) AS tables
         FROM pragma_user_version, pragma_application_id`,
      )
      .get(),
  );
  if (id === applicationId && version > format) throw laterFormat(folder, version);
  if (version === 0 && id === 0 && tables === null) return true;
  // The first versions left the id out.
  const isOwn = (id === applicationId || id === 0) && version === format;
  if (!isOwn || tables !== 'sandbox,part')
    throw new PetstoreError('state', `state.sqlite in ${folder} is not the state of a mock.`, {
      place: folder,
      remedy: 'Use another folder.',
    });
  const found = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (found !== 'ok') throw Object.assign(new Error(String(found)), { errcode: damaged });
  return false;
}

function laterFormat(folder: string, found: number): PetstoreError {
  return new PetstoreError(
    'state',
    `The state in ${folder} was written by a later version, in format ${found}; this version reads up to format ${format}.`,
    { remedy: 'Use that version, or another folder.' },
  );
}

/** Codes of SQLite. */
const damaged = 11;
const noDatabase = 26;
const busy = 5;

/** The error that users see. */
export function explainError(folder: string, cause: unknown): PetstoreError {
  if (cause instanceof PetstoreError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  const { errcode }: { errcode?: unknown } = Object(cause);
  // The low byte of an extended code is the primary one.
  const key = typeof errcode === 'number' ? errcode & 0xff : undefined;
  if (key === busy)
    return new PetstoreError('state', `Another process stores its state in ${folder}.`, {
      place: folder,
      remedy: 'Stop it, or use another folder.',
      cause,
    });
  return new PetstoreError('state', `The state cannot be stored in ${folder}: ${message}.`, {
    place: folder,
    remedy:
      key === damaged || key === noDatabase
        ? 'Restore a copy, or move the file state.sqlite away.'
        : 'Make it a folder that this user may write to, or use another one.',
    cause,
  });
}
