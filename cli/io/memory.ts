import { setFlagsFromString } from 'node:v8';

/**
 * Whether memory matters more than time: while a document is read, and in commands that end. It would
 * cost a server a fifth of its requests.
 */
export function spareMemory(isSpared: boolean): void {
  // What is made and dropped again, as while a document is read, is cleared sooner: what is set aside
  // for it would grow to 128 MB.
  setFlagsFromString(`--semi-space-growth-factor=${isSpared ? 1 : 2}`);
  // And what stays is compacted when it has grown by two fifths, not by up to four times.
  setFlagsFromString(`--heap-growing-percent=${isSpared ? 40 : 0}`);
}
