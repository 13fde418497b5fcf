import type { Session } from './session.ts';

/** Asks the mock for a text as it is, which the control client would parse. Rejects with the reason of a refusal. */
export async function fetchText(
  { headers }: Session,
  path: string,
  init: RequestInit = {},
): Promise<string> {
  const response = await fetch(path, {
    ...init,
    headers: { ...headers, ...(init.body && { 'content-type': 'application/json' }) },
  });
  const text = await response.text();
  if (response.ok) return text;
  const [, message = `"The mock responded with ${response.status}."`] =
    /"message":\s*("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  throw new Error(JSON.parse(message));
}
