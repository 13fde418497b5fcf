import { createServer } from 'node:http';
import { Agent } from 'undici';

/** A bare undici proxy: it forwards requests and responses, and does nothing else. */
const [port = '', origin = ''] = process.argv.slice(2);
const agent = new Agent({ pipelining: 1 });
const ofConnection = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding']);

function passOn(fields: readonly string[]): string[] {
  const passed: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    if (!ofConnection.has((fields[at] ?? '').toLowerCase()))
      passed.push(fields[at] ?? '', fields[at + 1] ?? '');
  return passed;
}

createServer((request, response) => {
  const { method = 'GET', url: path = '/', rawHeaders } = request;
  const body = method === 'GET' ? null : request;
  agent.dispatch(
    { origin, path, method, headers: passOn(rawHeaders), body },
    {
      onRequestStart: () => {},
      onResponseStart: ({ rawHeaders: raw }, status, _headers, reason) => {
        const fields = Array.isArray(raw) ? raw.map((field) => field.toString('latin1')) : [];
        response.writeHead(status, reason, passOn(fields));
      },
      onResponseData: (_controller, chunk) => void response.write(chunk),
      onResponseEnd: () => void response.end(),
      onResponseError: () => void response.destroy(),
    },
  );
}).listen(Number(port), '127.0.0.1');
