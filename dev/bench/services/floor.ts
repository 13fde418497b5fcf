import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

interface ConstantResponse {
  readonly status: number;
  /** Name, value, name, value. */
  readonly headers: string[];
  readonly body: string;
}

/** The floor: `node:http` and nothing else, with one constant response for each path and length of body. */
const [port = '', file = ''] = process.argv.slice(2);
const responses: Readonly<Record<string, ConstantResponse>> = JSON.parse(
  readFileSync(file, 'utf8'),
);

createServer((request, outgoing) => {
  const response = responses[`${request.url} ${request.headers['content-length'] ?? 0}`];
  if (response === undefined) outgoing.writeHead(404).end();
  else outgoing.writeHead(response.status, response.headers).end(response.body);
}).listen(Number(port), '127.0.0.1');
