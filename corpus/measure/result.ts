import type { LoadResult } from '../server/server.ts';
import type { AnswerResult } from './answers.ts';
import type { ConformanceResult } from './conformance.ts';
import type { PairRow } from './pairs.ts';

/** What the measure of one document found, kept as JSON. */
export interface DocumentResult {
  readonly id: string;
  readonly openapi: string;
  /** `unfinished` until the process that measures has come to its end. */
  readonly state: 'measured' | 'unfinished' | 'crashed' | 'timed-out';
  readonly load?: LoadResult;
  /** Why the document could not be read here, and so nothing be asked. */
  readonly unread?: string;
  readonly answers?: AnswerResult;
  /** With every optional query parameter. */
  readonly optional?: AnswerResult;
  readonly pairs?: readonly PairRow[];
  /** Most megabytes that the server used until its end. */
  readonly memoryAtEnd?: number;
  readonly conformance?: ConformanceResult;
  /** The same with the budget that the whole plan needs. */
  readonly fullConformance?: ConformanceResult;
  /** Seconds that the whole measure took. */
  readonly seconds?: number;
}
