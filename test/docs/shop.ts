import { createServer } from 'node:http';

/** A front end, as a team would test it, served on a port of its own. */
export interface Shop extends AsyncDisposable {
  readonly url: string;
}

/**
 * Opens a page that lists the pets of a service, and adds one; `/deaf` does not send again what
 * fails, nor read headers.
 */
export async function openShop(baseUrl: string): Promise<Shop> {
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(renderShop(baseUrl, !url.startsWith('/deaf')));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function renderShop(baseUrl: string, isCareful: boolean): string {
  return `<!doctype html><title>Shop</title><ul></ul><p></p><output></output><button>Add Tom</button><script type="module">
    const headers = { 'Authorization': 'Bearer ' + new URLSearchParams(location.search).get('key'), 'Content-Type': 'application/json' };
    const show = (selector, text) => { document.querySelector(selector).textContent = text; };
    const list = async () => {
      const response = await fetch('${baseUrl}/pets', { headers });
      const left = response.headers.get('X-RateLimit-Remaining');
      if (${isCareful}) show('p', left + ' of ' + response.headers.get('X-RateLimit-Limit') + ' requests left');
      document.querySelector('ul').replaceChildren(...(await response.json()).map(({ name }) => Object.assign(document.createElement('li'), { textContent: name })));
    };
    const add = () => fetch('${baseUrl}/pets', { method: 'POST', headers, body: '{"name":"Tom","categoryId":1}' });
    document.querySelector('button').onclick = async () => {
      const first = await add();
      const added = first.ok || !${isCareful} ? first : await add();
      await list();
      show('output', added.ok ? 'Tom was added' : 'Sorry');
    };
    await list();
  </script>`;
}
