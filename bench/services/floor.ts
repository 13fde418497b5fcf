import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { ConstantAnswer } from '../load/constant-response.ts';

/**
 * The floor: `node:http` and nothing else, with an answer that never changes for each path of a
 * file.
 */
const [port = '', file = ''] = process.argv.slice(2);
const answers: Readonly<Record<string, ConstantAnswer>> = JSON.parse(readFileSync(file, 'utf8'));

createServer((request, response) => {
  const answer = answers[request.url ?? ''];
  if (answer === undefined) response.writeHead(404).end();
  else response.writeHead(answer.status, answer.headers).end(answer.body);
}).listen(Number(port), '127.0.0.1');
