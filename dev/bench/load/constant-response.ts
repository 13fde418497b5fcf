import { type Scenario, apiKey } from './scenario.ts';

export interface ConstantResponse {
  readonly status: number;
  /** Name, value, name, value. */
  readonly headers: string[];
  readonly body: string;
}

/** What `node:http` adds to every response on its own. */
const added = new Set(['connection', 'date', 'keep-alive']);

/** The response of a server to a scenario. Throws where it is not the expected one. */
export async function captureResponse(
  port: number,
  { method, body, status, name }: Scenario,
  path: string,
): Promise<ConstantResponse> {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const headers = { Authorization: `Bearer ${apiKey}`, ...type };
  const sent = { method, headers, body: body ?? null };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, sent);
  const text = await response.text();
  if (response.status !== status)
    throw new Error(`${name} was answered ${response.status}, not ${status}: ${text}`);
  return {
    status,
    headers: [...response.headers].filter(([header]) => !added.has(header)).flat(),
    body: text,
  };
}
