import { randomUUID } from 'node:crypto';
import { PetstoreError } from '../../../contract/index.ts';
import type { Appended, Changes, StateEngine, StoredSandbox } from '../engine.ts';
import type { Reply } from './carrier.ts';
import type { Connection } from './connection.ts';
import {
  type Script,
  appendScript,
  compactScript,
  forgetScript,
  keysOf,
  readScript,
  stateKeys,
} from './script.ts';

/** Keys that a server is asked for at once, when all are listed. */
const scanCount = '1000';

/** Keeps each sandbox under keys of its own on a server that many processes share. */
export class ValkeyEngine implements StateEngine {
  readonly #connection: Connection;
  readonly #prefix: string;
  /** By what the server knows this engine, so that an append that is sent twice is done once. */
  readonly #writer = randomUUID();
  #appends = 0;
  /** Appends under way: one a sandbox, as the server knows the last of each engine. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(connection: Connection, prefix: string) {
    this.#connection = connection;
    this.#prefix = prefix;
  }

  async load(sandbox: string): Promise<StoredSandbox> {
    const found = readStored(await this.#run(readScript, sandbox, '-1'));
    if (found.kind === 'whole') return found;
    throw unexpected();
  }

  async read(sandbox: string, version: number): Promise<Changes | StoredSandbox> {
    return readStored(await this.#run(readScript, sandbox, `${version}`));
  }

  append(sandbox: string, version: number, changes: readonly string[]): Promise<Appended> {
    const turn = this.#turns.get(sandbox) ?? Promise.resolve();
    const appended = turn.then(() => this.#appendNow(sandbox, version, changes));
    const done = appended.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(sandbox, done);
    void done.then(() => {
      if (this.#turns.get(sandbox) === done) this.#turns.delete(sandbox);
    });
    return appended;
  }

  async compact(sandbox: string, version: number, snapshot: string): Promise<void> {
    await this.#run(compactScript, sandbox, `${version}`, snapshot);
  }

  async forget(sandbox: string): Promise<void> {
    await this.#run(forgetScript, sandbox);
  }

  async list(): Promise<readonly string[]> {
    const names = new Set<string>();
    const pattern = stateKeys.pattern(this.#prefix);
    for (const key of await this.#connection.scan(pattern, scanCount))
      names.add(stateKeys.sandboxOf(key));
    return [...names];
  }

  async close(): Promise<void> {
    await Promise.all(this.#turns.values());
    await this.#connection.close();
  }

  async #appendNow(
    sandbox: string,
    version: number,
    changes: readonly string[],
  ): Promise<Appended> {
    if (changes.length === 0) {
      const missed = await this.read(sandbox, version);
      return missed.kind === 'changes' && missed.version === version
        ? { kind: 'appended', version }
        : { kind: 'conflict', missed };
    }
    this.#appends += 1;
    const reply = await this.#run(
      appendScript,
      sandbox,
      `${version}`,
      this.#writer,
      `${this.#appends}`,
      ...changes,
    );
    const [kind, after] = readList(reply);
    return kind === 'appended'
      ? { kind, version: readVersion(after) }
      : { kind: 'conflict', missed: readStored(reply) };
  }

  /** Runs a script by its digest, and by its source where the server does not know it. */
  async #run(script: Script, sandbox: string, ...values: readonly string[]): Promise<Reply> {
    const keys = keysOf(this.#prefix, sandbox);
    const [key = ''] = keys;
    const rest = [`${keys.length}`, ...keys, ...values];
    return await this.#connection.send(key, [
      ['EVALSHA', script.digest, ...rest],
      ['EVAL', script.source, ...rest],
    ]);
  }
}

function readStored(reply: Reply): Changes | StoredSandbox {
  const [kind, version, ...rest] = readList(reply);
  if (kind === 'changes')
    return { kind, version: readVersion(version), changes: readTexts(rest[0]) };
  if (kind !== 'whole') throw unexpected();
  const [snapshot, changes] = rest;
  return {
    kind,
    version: readVersion(version),
    snapshot: typeof snapshot === 'string' ? snapshot : undefined,
    changes: readTexts(changes),
  };
}

function readList(reply: Reply | undefined): readonly Reply[] {
  if (isList(reply)) return reply;
  throw unexpected();
}

function isList(reply: Reply | undefined): reply is readonly Reply[] {
  return Array.isArray(reply);
}

function readTexts(reply: Reply | undefined): readonly string[] {
  return readList(reply).map((text) => {
    if (typeof text !== 'string') throw unexpected();
    return text;
  });
}

function readVersion(reply: Reply | undefined): number {
  const version = Number(reply);
  if (Number.isSafeInteger(version)) return version;
  throw unexpected();
}

function unexpected(): PetstoreError {
  const remedy = 'Check whether another program writes to the same keys.';
  return new PetstoreError('state', 'The data on the state server is not what this mock wrote.', {
    remedy,
  });
}
