import { loadContract } from '../../contract/load.ts';
import { fixtureFile } from './sample.ts';

/** For tests: the contract of `fixtures/documents/books.yaml`, loaded once. */
export const books = await loadContract({ file: fixtureFile('books.yaml') });
