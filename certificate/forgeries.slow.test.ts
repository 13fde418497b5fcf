import { describe, expect, test } from 'vitest';
import { exitCodeOf } from '../cli/commands/verify.ts';
import {
  certify,
  certifyMock,
  createParty,
  sampleVersion,
  verifyWith,
} from '../test/cli/certificates.ts';
import { clientCommand, openClientCertifier } from '../test/cli/client-certificates.ts';
import { openService } from '../test/cli/target.ts';
import { loadBundledContract } from '../mock/index.ts';
import { mutants } from '../selftest/index.ts';
import { readEnvelope } from './envelope/envelope.ts';
import {
  type Loose,
  closePayload,
  digestAnew,
  factsOf,
  list,
  loose,
  openPayload,
  signaturesOf,
} from '../test/certificate/forge.ts';
import { createRandom } from '../contract/sample/random.ts';
import type { SigningKey } from './envelope/signing-key.ts';

/**
 * Who makes a forgery: `file` edits the file, `kept` the payload under the signature that is there,
 * `stranger` signs with a key of their own, `named` does so in the name of the owner, `unsigned` by
 * nobody; `owner` edits the payload and signs it with the right key.
 */
const forgers = ['file', 'kept', 'stranger', 'named', 'unsigned', 'owner'] as const;

interface Forgery {
  readonly text: string;
  /** Where the payload was changed, as names and indexes joined by `/`; empty for a file. */
  readonly place: string;
  /** What was done, for messages. */
  readonly what: string;
}

interface Parties {
  readonly owner: SigningKey;
  readonly stranger: SigningKey;
}

/** Changes a certificate at a place that the seed decides. The same seed makes the same forgery. */
function createForgery(
  seed: number,
  forger: (typeof forgers)[number],
  text: string,
  { owner, stranger }: Parties,
): Forgery {
  const chance = createRandom(seed);
  if (forger === 'file') return editFile(chance, text);
  const { document, place, what } = editPayload(chance, text);
  const signed = closePayload(document, [stranger]);
  const texts = {
    kept: () => closePayload(document, signaturesOf(text)),
    unsigned: () => closePayload(document, []),
    owner: () => closePayload(document, [owner]),
    stranger: () => signed,
    named: () => {
      const named = signaturesOf(signed).map(({ sig }) => ({ keyid: owner.keyid, sig }));
      return closePayload(document, named);
    },
  };
  return { text: texts[forger](), place, what: `seed ${seed}, ${forger}: ${place} ${what}` };
}

/** Numbers from 0 (included) to 1 (not included), the same for one seed. */
type Chance = () => number;

function choose<T>(chance: Chance, items: readonly T[]): T {
  const item = items[Math.floor(chance() * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}

/** Changes a few characters of the file, after the payload as often as anywhere. */
function editFile(chance: Chance, text: string): Forgery {
  const from = chance() < 0.5 ? 0 : text.indexOf('"payloadType"');
  const at = from + Math.floor(chance() * (text.length - 1 - from));
  const part = text.slice(at, at + 1 + Math.floor(chance() * 4));
  const others = ['', ...' |\n|A|=|"|,|{|}|\\|0'.split('|'), part + part].filter(
    (other) => other !== part,
  );
  const other = choose(chance, others);
  return {
    text: text.slice(0, at) + other + text.slice(at + part.length),
    place: '',
    what: `at ${at}: ${JSON.stringify(part)} became ${JSON.stringify(other)}`,
  };
}

/** Changes a member, and as often as not makes the log look untouched. Never leaves it as it was. */
function editPayload(chance: Chance, text: string) {
  for (;;) {
    const document = openPayload(text);
    const before = JSON.stringify(document);
    const { path, what } = mutateMember(chance, document);
    if (chance() < 0.5) tryDigesting(document);
    if (JSON.stringify(document) !== before) return { document, place: path.join('/'), what };
  }
}

function tryDigesting(document: Loose): void {
  const copy = structuredClone(document);
  try {
    for (const [index, each] of list(copy['exchanges']).entries()) {
      const exchange = loose(each);
      if ('index' in exchange) exchange['index'] = index;
    }
    digestAnew(copy);
  } catch {
    return;
  }
  Object.assign(document, copy);
}

/**
 * Changes one member at any depth of an object, in place. Every level is as likely as the next, so
 * that a long log does not take all the changes.
 */
function mutateMember(chance: Chance, value: Loose) {
  const path: string[] = [];
  let [parent, name]: [unknown, string] = [value, choose(chance, Object.keys(value))];
  for (;;) {
    path.push(name);
    const member: unknown = Reflect.get(Object(parent), name);
    const names = typeof member === 'object' && member !== null ? Object.keys(member) : [];
    if (names.length === 0 || chance() < 0.15) break;
    [parent, name] = [member, choose(chance, names)];
  }
  return { path, what: change(chance, Object(parent), name) };
}

function change(chance: Chance, parent: Loose, name: string): string {
  const member = parent[name];
  if (chance() < 0.08) {
    if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else delete parent[name];
    return 'removed';
  }
  const other = choose(chance, alternatives(chance, member));
  parent[name] = other;
  return `${JSON.stringify(member)} became ${JSON.stringify(other)}`.slice(0, 200);
}

const dates = ['2030-01-01T00:00:00.000Z', '1999-12-31T23:59:59.000Z', '9999-12-31T23:59:59.000Z'];
const words = ['passed', 'failed', 'waived', 'not-tested', 'open', 'must', 'should', 'conforms'];
const more = ['failed', 'incomplete', 'client', 'inconclusive', 'used', 'unreached'];

function alternatives(chance: Chance, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    const items = list(value);
    const at = Math.floor(chance() * items.length);
    if (items.length === 0) return [['x']];
    return [items.toSpliced(at, 1), items.toSpliced(at, 0, items[at]), items.toReversed(), []];
  }
  if (typeof value === 'number')
    return [value + 1, value - 1, 0, 1, -1, 200, 404, 1e9, 0.5, `${value}`, null];
  if (typeof value === 'boolean') return [!value, null, 'true'];
  if (typeof value === 'object' && value !== null) {
    const left = Math.floor(chance() * Object.keys(value).length);
    const fewer = Object.entries(value).filter((_, index) => index !== left);
    return [
      Object.fromEntries(fewer),
      ...[1, 'x', null, {}].map((stranger) => ({ ...value, stranger })),
    ];
  }
  if (typeof value !== 'string') return ['x', 0, false, {}];
  const isDate = /^\d{4}-\d\d-\d\d/.test(value);
  const edited = [`${value}x`, value.slice(1), `x${value}`, value.toUpperCase(), '', 0, null];
  return [...edited, ...(isDate ? dates : [...words, ...more])];
}

/**
 * Forgeries by a seed: whoever makes them, none verifies as conforming with exit code 0. Set
 * FORGERIES for more of them, and FORGERY_SEED for others.
 */
const count = Number(process.env['FORGERIES'] ?? 25);
const firstSeed = Number(process.env['FORGERY_SEED'] ?? 1);

/** As `verify` has it: a client's run is played again by a mock with the same items. */
const contract = await loadBundledContract();

const [party, stranger] = [createParty(), createParty()];
const parties = { owner: party.secret, stranger: stranger.secret };

const conforming = (await certifyMock(contract, party)).text;
const failing = await (async () => {
  const mutant = mutants.find(({ id }) => id === 'get-absent-400');
  await using place = await openService(contract, mutant?.behaviour() ?? {});
  return certify(contract, await place.run({ shrink: 0 }), party).text;
})();

const ofClient = await (async () => {
  await using certifier = await openClientCertifier();
  const document = openPayload(await certifier.certify(clientCommand('careful')));
  factsOf(document)['version'] = sampleVersion;
  return closePayload(document, [party.secret]);
})();
const codeOf = async (text: string, keys = [party.open]): Promise<number> =>
  exitCodeOf(await verifyWith(contract, text, { keys }));

/**
 * What the owner of the key can change so that the certificate is valid and conforms as before, as
 * docs/certificates.md says: the name of the target, that of the document's file, and settings that made
 * no difference.
 */
const harmless =
  /^(certificate\/target\/(name|version)|contract\/source|certificate\/settings\/(shrink|timeout|longestWait|verifyTls|plan|nearMisses|references|disposable|exclusive)(\/.*)?)$/;

const seeds = Array.from({ length: count }, (_, index) => firstSeed * 1_000_000 + index);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe.each([
  ['of a server that conforms', conforming],
  ['of a server that fails', failing],
  ['of a client', ofClient],
])('a certificate %s', (_name, text) => {
  const own = readEnvelope(Buffer.from(text));

  test.each(forgers)(
    'is not reported as conforming after a change by: %s',
    { timeout: 60_000 + count * 4000 },
    async (forger) => {
      const wrong: string[] = [];
      for (const seed of seeds) {
        const forged = createForgery(seed, forger, text, parties);
        const code = await codeOf(forged.text);
        if (!(await isRight(forger, forged, code))) wrong.push(`${code}: ${forged.what}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  /**
   * The exit code has to be 1, or 2 for a file that is not JSON any more; 2 may be the owner's; that of before
   * where nothing was changed.
   */
  const isRight = async (
    forger: (typeof forgers)[number],
    { place, text: edited }: Forgery,
    code: number,
  ): Promise<boolean> => {
    if (forger === 'owner') return code !== 0 || harmless.test(place);
    if (forger === 'file' && !isJson(edited)) return code === 2;
    return code === (forger === 'file' && isSame(edited) ? await codeOf(text) : 1);
  };

  test('never verifies as valid without a key', { timeout: 60_000 + count * 4000 }, async () => {
    expect(await codeOf(text, [])).toBe(2);
    const held: string[] = [];
    for (const seed of seeds.slice(0, Math.ceil(count / 3)))
      for (const forger of forgers) {
        const forged = createForgery(seed, forger, text, parties);
        if ((await codeOf(forged.text, [])) === 0) held.push(forged.what);
      }
    expect(held).toEqual([]);
  });

  /** Whether an edited file has the payload, its type and the signature of before. */
  function isSame(edited: string): boolean {
    try {
      const now = readEnvelope(Buffer.from(edited));
      return (
        now.payloadType === own.payloadType &&
        now.payload.equals(own.payload) &&
        now.signatures.some(({ sig }) => own.signatures[0]?.sig.equals(sig))
      );
    } catch {
      return false;
    }
  }
});
