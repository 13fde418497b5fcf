import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as sqlite from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { makeFolder } from './folder.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { StateEngine, StateWrite } from './engine.ts';

/** Incremented whenever the tables get a form that earlier versions cannot read. */
const format = 1;

/** Marks a file as the state of a mock: "Pets". */
const applicationId = 0x50657473;

const schema = `
  CREATE TABLE sandbox (name TEXT PRIMARY KEY, version TEXT NOT NULL) STRICT;
  CREATE TABLE part (
    sandbox TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (sandbox, name)
  ) STRICT;
  PRAGMA user_version = ${format};
  PRAGMA application_id = ${applicationId};
`;

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
    if (!existsSync(file)) {
      refuseFormerState(folder);
      // The state contains keys. SQLite gives its other files the mode of this one. Only a new file may be
      // opened here: closing any descriptor of a file drops all locks that this process has on it (POSIX).
      closeSync(openSync(file, 'wx', 0o600));
    }
    return startEngine(folder, file, new DatabaseSync(file));
  } catch (error) {
    throw explainError(folder, error);
  }
}

/** Suppresses the warning of Node 22 that SQLite is experimental. */
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

/** Earlier versions used a log instead of SQLite. */
function refuseFormerState(folder: string): void {
  if (!existsSync(join(folder, 'state.jsonl'))) return;
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

/** Stores sandboxes in a SQLite database that only this process has open. */
function startEngine(folder: string, file: string, database: sqlite.DatabaseSync): StateEngine {
  const identity = identityOf(file);
  openTables(folder, database);
  const selectVersion = database.prepare('SELECT version FROM sandbox WHERE name = ?');
  const selectParts = database.prepare('SELECT name, text FROM part WHERE sandbox = ?');
  const selectNames = database.prepare('SELECT name FROM sandbox');
  const setVersion = database.prepare('INSERT OR REPLACE INTO sandbox VALUES (?, ?)');
  const put = database.prepare('INSERT OR REPLACE INTO part VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM part WHERE sandbox = ? AND name = ?');
  const versionOf = (sandbox: string): string | undefined => {
    const version = selectVersion.get(sandbox)?.['version'];
    return version === undefined ? undefined : String(version);
  };

  const transact = <Value>(act: () => Value): Value => {
    // SQLite continues with a file that was deleted.
    if (identityOf(file) !== identity)
      throw new PetstoreError('state', `${folder} was removed or replaced.`, {
        place: folder,
        remedy: 'Put it back, or start the mock again.',
      });
    database.exec('BEGIN IMMEDIATE');
    try {
      const value = act();
      database.exec('COMMIT');
      return value;
    } catch (error) {
      // SQLite may have rolled back by itself, for example when the disk is full.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };

  const writeOne = ({ sandbox, after, next, parts }: StateWrite): boolean => {
    const version = versionOf(sandbox);
    if (version === next) return true;
    if (version !== after) return false;
    setVersion.run(sandbox, next);
    for (const [name, text] of parts)
      if (text === undefined) remove.run(sandbox, name);
      else put.run(sandbox, name, text);
    return true;
  };

  // Writes of the same turn of the event loop share one transaction, and so one sync.
  let waiting: Waiting[] = [];
  const commit = (): void => {
    const writes = waiting;
    waiting = [];
    if (writes.length === 0) return;
    try {
      const written = transact(() => writes.map(({ write }) => writeOne(write)));
      for (const [index, one] of writes.entries()) one.resolve(written[index] === true);
    } catch (error) {
      for (const { reject } of writes) reject(explainError(folder, error));
    }
  };

  const attempt = async <Value>(act: () => Value): Promise<Value> => {
    try {
      return await Promise.resolve(act());
    } catch (error) {
      throw explainError(folder, error);
    }
  };

  return {
    read: (sandbox, after) =>
      attempt(() => {
        const version = versionOf(sandbox);
        const isWhole = after === undefined || version !== after;
        const rows = isWhole ? selectParts.all(sandbox) : [];
        const parts = rows.map(({ name, text }) => [String(name), String(text)] as const);
        return { version, isWhole, parts: new Map(parts) };
      }),
    write: (write) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(commit);
        waiting.push({ write, resolve, reject });
      }),
    forget: (sandbox) =>
      attempt(() =>
        transact(() => {
          database.prepare('DELETE FROM part WHERE sandbox = ?').run(sandbox);
          database.prepare('DELETE FROM sandbox WHERE name = ?').run(sandbox);
        }),
      ),
    list: () => attempt(() => selectNames.all().map(({ name }) => String(name))),
    close: () =>
      attempt(() => {
        commit();
        if (database.isOpen) database.close();
      }),
  };
}

/** Device and inode of a file; empty if it does not exist. */
function identityOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev} ${found.ino}`;
}

/**
 * Locks the file until the process ends, so that a second process cannot open it, and creates the tables
 * in an empty one.
 *
 * @throws {PetstoreError} with code `state` for a file of another program, or of a later version
 * @throws the error of SQLite for a damaged file
 */
function openTables(folder: string, database: sqlite.DatabaseSync): void {
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const { version, id, tables } = Object(
      database
        .prepare(
          `SELECT user_version AS version, application_id AS id,
             (SELECT count(*) FROM sqlite_master) AS tables
           FROM pragma_user_version, pragma_application_id`,
        )
        .get(),
    );
    const isNew = version === 0 && id === 0 && tables === 0;
    if (!isNew && id !== applicationId)
      throw new PetstoreError('state', `state.sqlite in ${folder} is not the state of a mock.`, {
        place: folder,
        remedy: 'Use another folder.',
      });
    if (version > format)
      throw new PetstoreError(
        'state',
        `The state in ${folder} was written by a later version, in format ${version}; this version reads up to format ${format}.`,
        { remedy: 'Use that version, or another folder.' },
      );
    const found = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    if (found !== 'ok') throw Object.assign(new Error(String(found)), { errcode: damaged });
    // Not earlier, because this changes the file.
    database.exec('COMMIT; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE');
    if (isNew) database.exec(schema);
    database.exec('COMMIT');
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Error codes of SQLite. */
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
