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
import { closePayload, factsOf, openPayload } from '../test/certificate/forge.ts';
import { type Forgery, createForgery, forgers } from '../test/certificate/forgeries.ts';

/**
 * Forgeries by a seed: whoever makes them, none is told to hold and to conform with exit code 0. Set
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
    'is not told to conform after a change by: %s',
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

  test('is never told to hold without a key', { timeout: 60_000 + count * 4000 }, async () => {
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
