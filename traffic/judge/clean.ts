import type { Finding, Intent } from '../../conformance/index.ts';
import type { RecordedResponse } from '../recorded/recorded.ts';
import type { TrafficReading } from './reading.ts';
import { bounds } from './tally.ts';

/** Responses that are remembered. */
const most = 256;

interface Clean {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
  readonly intent: Intent;
}

/**
 * Remembers responses that break nothing: where a client asks the same again and gets the same body,
 * the body is not judged again.
 */
export class CleanResponses {
  readonly #known = new Map<string, Clean>();

  /** What was expected of the same response before; undefined where it was not judged. */
  intentOf(
    reading: TrafficReading,
    { status, headers, body }: RecordedResponse,
  ): Intent | undefined {
    if (!isAlike(reading)) return undefined;
    const found = this.#known.get(nameOf(reading));
    const isSame =
      found !== undefined &&
      body.kind === 'whole' &&
      found.status === status &&
      found.text === body.text &&
      found.type === typeOf(headers);
    return isSame ? found.intent : undefined;
  }

  note(
    reading: TrafficReading,
    { status, headers, body }: RecordedResponse,
    intent: Intent,
    findings: readonly Finding[],
  ): void {
    const isClean = body.kind === 'whole' && findings.every(({ kind }) => kind === 'passed');
    if (!isAlike(reading) || !isClean || body.text.length > bounds.body) return;
    if (intent.kind !== 'valid') return;
    const name = nameOf(reading);
    this.#known.delete(name);
    this.#known.set(name, { status, type: typeOf(headers), text: body.text, intent });
    const [oldest] = this.#known.size > most ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

function isAlike({ isPlain, isKeyless }: TrafficReading): boolean {
  return isPlain && !isKeyless;
}

function nameOf({ recorded, target }: TrafficReading): string {
  return `${recorded.request.method} ${target}`;
}

function typeOf(headers: RecordedResponse['headers']): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
}
