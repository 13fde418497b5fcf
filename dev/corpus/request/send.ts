import { Agent, request } from 'undici';
import type { BuiltRequest } from './request.ts';

/** A response as it came, or why there is none. */
export type Received =
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
    }
  | { readonly status: undefined; readonly error: string };

const milliseconds = 10_000;

/** Sends to one server. Never throws. */
export class Sender {
  readonly #base: string;
  readonly #agent = new Agent({ connections: 4 });

  /** @param base address without a last slash */
  constructor(base: string) {
    this.#base = base;
  }

  async send({ method, path, query, headers, body }: BuiltRequest): Promise<Received> {
    try {
      const response = await request(this.#base + path + query, {
        method,
        headers,
        body: method === 'HEAD' ? null : (body ?? null),
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(milliseconds),
      });
      const text = await response.body.text();
      return { status: response.statusCode, headers: flatHeaders(response.headers), text };
    } catch (error) {
      return { status: undefined, error: errorWord(error) };
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function flatHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
}

function errorWord(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.name;
}
