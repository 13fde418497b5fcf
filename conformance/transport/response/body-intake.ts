import { Excess, tellCount } from './excess.ts';

/** Times the limit after which a body that goes on counts as endless. */
export const endlessFactor = 4;

/** The bytes of one body as they come in, bounded. */
export interface BodyIntake {
  /**
   * Takes a piece in. What is beyond the bound is counted, not kept.
   * @throws {Excess} `endless`, where it goes on at a multiple of the bound
   */
  readonly add: (chunk: Uint8Array) => void;
  /**
   * The whole body.
   * @throws {Excess} `too-large`, where it is over the bound
   */
  readonly bytes: () => Uint8Array;
}

/**
 * Creates the intake of one body of at most so many bytes.
 * @throws {Excess} `too-large`, where its `Content-Length` says already that it has more
 */
export function createBodyIntake(most: number, contentLength: string | undefined): BodyIntake {
  const declared = /^\d+$/.test(contentLength ?? '') ? Number(contentLength) : 0;
  if (declared > most) throw tooLarge(`${tellCount(declared)} bytes by its Content-Length`, most);
  const endless = most * endlessFactor;
  const chunks: Uint8Array[] = [];
  let length = 0;
  return {
    add: (chunk) => {
      length += chunk.length;
      if (length <= most) chunks.push(chunk);
      else chunks.length = 0;
      if (length > endless)
        throw new Excess(
          'endless',
          `its body went on after ${tellCount(endless)} bytes; at most ${tellCount(most)} are read`,
          '--max-response-bytes',
        );
    },
    bytes: () => {
      if (length > most) throw tooLarge(`${tellCount(length)} bytes`, most);
      return Buffer.concat(chunks);
    },
  };
}

/** A body over the bound of bytes; `size` tells how large it is. */
export function tooLarge(size: string, most: number): Excess {
  return new Excess(
    'too-large',
    `its body has ${size}; at most ${tellCount(most)} are read`,
    '--max-response-bytes',
  );
}
