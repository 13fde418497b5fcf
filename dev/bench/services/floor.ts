import { readFileSync } from 'node:fs';
import { type ServerResponse, createServer } from 'node:http';

interface KnownResponse {
  readonly status: number;
  /** Name, value, name, value. */
  readonly headers: string[];
  readonly body: string;
}

/**
 * The floor: `node:http`, plus what every server has to do. It has one response for each path and body
 * length. It reads and parses a body, and stores a created item, which it returns with its id.
 */
const [port = '', file = ''] = process.argv.slice(2);
const responses: Readonly<Record<string, KnownResponse>> = JSON.parse(readFileSync(file, 'utf8'));
const created: object[] = [];

createServer((request, outgoing) => {
  const response = responses[`${request.url} ${request.headers['content-length'] ?? 0}`];
  if (response === undefined) outgoing.writeHead(404).end();
  else if (request.method === 'GET') send(outgoing, response);
  else {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const sent: object = JSON.parse(Buffer.concat(chunks).toString());
      send(outgoing, response.status === 201 ? create(sent, response) : response);
    });
  }
}).listen(Number(port), '127.0.0.1');

function send(outgoing: ServerResponse, { status, headers, body }: KnownResponse): void {
  outgoing.writeHead(status, headers).end(body);
}

/** A response like another one, for a new item. */
function create(sent: object, { status, headers }: KnownResponse): KnownResponse {
  const item = { id: created.push(sent), ...sent };
  const body = JSON.stringify(item);
  const own: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = [headers[at], headers[at + 1]];
    if (name === 'location') own.push(name, value.replace(/\d+$/, `${item.id}`));
    else if (name === 'content-length') own.push(name, `${Buffer.byteLength(body)}`);
    else own.push(name, value);
  }
  return { status, headers: own, body };
}
