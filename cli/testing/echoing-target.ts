import { once } from 'node:events';
import { createServer, STATUS_CODES } from 'node:http';

/** A text in the forms in which a careless server, or a careless client, shows a secret. */
export function listForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const swapped = secret.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  const escaped = (write: (code: string) => string): string =>
    Array.from(secret, (each) => write((each.codePointAt(0) ?? 0).toString(16))).join('');
  return [
    secret,
    secret.toUpperCase(),
    secret.toLowerCase(),
    swapped,
    `${secret}x`,
    secret.slice(0, -1),
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    escaped((code) => `%${code}`),
    escaped((code) => `\\u${code.padStart(4, '0')}`),
    escaped((code) => `&#x${code};`),
    bytes.toString('base64'),
    Buffer.from(`Bearer ${secret}`).toString('base64'),
    Buffer.from(`user:${swapped}`).toString('base64url'),
    Buffer.from(secret.slice(0, -1)).toString('base64'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    Buffer.from(swapped).toString('hex'),
    Array.from(secret).toReversed().join(''),
    Array.from(swapped).toReversed().join(''),
  ];
}

/** A server that shows the secrets, and the credentials that it is sent, wherever HTTP takes a text. */
export async function startEchoingTarget(secrets: readonly string[]) {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    count += 1;
    const sent = request.headers.authorization?.replace(/^\S+ /, '') ?? '';
    const bytes = Buffer.from(sent);
    const echoes = [sent, bytes.toString('base64'), bytes.toString('hex')];
    const forms = [...secrets.flatMap(listForms), ...(sent === '' ? [] : echoes)];
    const form = forms[count % forms.length] ?? '';
    const all = forms.join(' ');
    // A run whose first look finds nothing ends there.
    const isFirstLook = request.url?.endsWith('limit=100') ?? false;
    const status = isFirstLook ? 200 : ([200, 201, 404, 500, 401][count % 5] ?? 200);
    const name = form.replaceAll(/[^\w-]/g, '');
    response.writeHead(status, `${STATUS_CODES[status]} ${form}`, {
      'content-type': count % 3 === 0 ? `text/plain; a="${form}"` : 'application/json',
      location: `/v1/pets/${form}`,
      'set-cookie': `key=${form}; Path=/`,
      'www-authenticate': `Bearer realm="${form}"`,
      'x-ratelimit-limit': form,
      'x-ratelimit-remaining': all.slice(0, 4000),
      [`x-${name || 'none'}`]: form,
    });
    const item = { id: count % 7 === 0 ? form : 1, name: all, [form]: form };
    const body = JSON.stringify(count % 2 === 0 ? [item] : { code: form, message: all, ...item });
    // In chunks that end within the secrets.
    for (let at = 0; at < body.length; at += 1009) response.write(body.slice(at, at + 1009));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  return {
    host: `127.0.0.1:${port}`,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
