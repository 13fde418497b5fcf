import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'node:http';
import { startVitest } from 'vitest/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../test/page/browser.ts';
import { type Command, startCommand } from '../test/cli/command.ts';
import { createControlClient } from '../mock/control/client.ts';
import { blocksOf, curlLines, sendCurl } from '../test/docs/curl.ts';

/** A front end, as a team would test it, served on a port of its own. */
interface Shop extends AsyncDisposable {
  readonly url: string;
}

/**
 * Opens a page that lists the pets of a service, and adds one; `/deaf` does not send again what
 * fails, nor read headers.
 */
async function openShop(baseUrl: string): Promise<Shop> {
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

const page = await readFile(new URL('mock.md', import.meta.url), 'utf8');

const blocks = (language: string): readonly string[] => blocksOf(page, language);

let command: Command;
let origin: string;
beforeAll(async () => {
  command = startCommand('mock', '--port', '0', '--no-watch');
  origin = new URL((await command.printed(/is mocked at (\S+)/))[1] ?? '').origin;
});
afterAll(async () => {
  await command.stop();
});

test('the curl lines of the page work in sequence', async () => {
  const responses: (readonly [number, string])[] = [];
  for (const line of curlLines(page)) responses.push(await sendCurl(line, origin));
  expect(responses.map(([status]) => status)).toEqual([
    200, 201, 200, 429, 200, 200, 200, 200, 201, 200, 200, 204,
  ]);
  const [added = [], ofBob = []] = responses.slice(1, 3);
  const [name = 'none'] = /"name":"[^"]+"/.exec(String(added[1])) ?? [];
  expect([String(ofBob[1]), page]).toEqual([
    expect.not.stringContaining(name),
    expect.stringContaining(`Bob does not see ${name.split('"')[3]}.`),
  ]);
});

/** Where the modules are that the page names as its readers do. */
const sources: Readonly<Record<string, string>> = {
  'petstore-contract/control': 'mock/control/client.ts',
  'petstore-contract/vitest': 'mock/integrations/vitest/index.ts',
  '@playwright/test': 'test/docs/playwright.ts',
};

/** Writes a snippet as a module of this project that runs against the mock of this test. */
const writeSnippet = async (folder: string, name: string, text: string): Promise<string> => {
  const local = text.replaceAll(
    /'(petstore-contract\/\w+|@playwright\/test)'/g,
    (_, module: string) =>
      JSON.stringify(fileURLToPath(new URL(`../${sources[module] ?? 'none'}`, import.meta.url))),
  );
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), local.replaceAll('http://127.0.0.1:4010', origin));
  return join(folder, name);
};

describe('the snippets', () => {
  const folder = fileURLToPath(
    new URL(`../node_modules/.snippets-${process.pid}`, import.meta.url),
  );
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  test('for end-to-end tests prepare a sandbox, and wait for its requests', async () => {
    const file = await writeSnippet(folder, 'prepare.ts', blocks('ts')[0] ?? '');
    const { prepare } = await import(file);
    const { key, additions } = await prepare('page');
    const send = (method: string, body?: string) =>
      fetch(`${origin}/v1/pets`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      });
    expect(await (await send('GET')).json()).toEqual([
      { id: 7, name: 'Rex', categoryId: 1, status: 'sold' },
    ]);
    const seen = additions(2);
    const added = [
      await send('POST', '{"name":"Tom","categoryId":1}'),
      await send('POST', '{"name":"Tom","categoryId":1}'),
    ];
    expect([
      added.map(({ status }) => status),
      (await seen).exchanges.map(({ status }: { status: number }) => status),
    ]).toEqual([
      [503, 201],
      [503, 201],
    ]);
    expect(await createControlClient(origin).call('readClock', { sandbox: 'page' })).toEqual({
      now: '2026-06-01T12:00:00.000Z',
      frozen: true,
    });
  });

  test('for events prints the first refusal with its pointer', async () => {
    const file = await writeSnippet(folder, 'refusal.ts', blocks('ts')[2] ?? '');
    const { firstRefusal } = await import(file);
    const found = firstRefusal();
    const events = createControlClient(origin).events();
    await events.next();
    await fetch(`${origin}/v1/pets?limit=0`, { headers: { authorization: 'Bearer free_refused' } });
    expect(await found).toMatchObject({
      exchange: { sandbox: 'refused', status: 400 },
      place: '#/paths/~1pets/get/parameters/0',
    });
    await events.return();
  });

  /** Runs modules of tests, all at the same time; of each what failed, and how many there are. */
  const runTests = async (...names: readonly string[]): Promise<readonly unknown[]> => {
    const vitest = await startVitest('test', [], {
      root: folder,
      config: false,
      watch: false,
      include: [...names],
      reporters: [{}],
      sequence: { concurrent: true },
      testTimeout: 30_000,
    });
    const modules = vitest.state.getTestModules();
    const results = names.map((name) => {
      const module = modules.find(({ moduleId }) => moduleId.endsWith(`/${name}`));
      const tests = [...(module?.children.allTests() ?? [])];
      const failed = tests.filter((one) => !one.ok()).flatMap((one) => one.result().errors ?? []);
      return [[...(module?.errors() ?? []), ...failed].map(({ message }) => message), tests.length];
    });
    await vitest.close();
    return results;
  };

  test('for vitest passes', async () => {
    await writeSnippet(folder, 'snippet.test.ts', blocks('ts')[1] ?? '');
    expect(await runTests('snippet.test.ts')).toEqual([[[], 1]]);
  });

  const why =
    findChromium() === undefined
      ? ' (skipped: this machine has no Chromium; `apt-get install chromium` brings it)'
      : '';

  test.skipIf(findChromium() === undefined)(
    `for Playwright pass in Chromium${why}`,
    { timeout: 120_000 },
    async () => {
      await using shop = await openShop(`${origin}/v1`);
      await writeSnippet(folder, 'prepare.ts', blocks('ts')[0] ?? '');
      const [tests = ''] = blocks('ts playwright');
      await writeSnippet(
        folder,
        'playwright.test.ts',
        tests.replaceAll('http://localhost:5173', shop.url),
      );
      const hasty = (blocks('ts')[0] ?? '').replace('wait: 5000', 'wait: 500');
      await writeSnippet(folder, 'hasty.ts', hasty);
      const impatient = tests
        .replaceAll(/waitForSelector\(('[^']*')\)/g, 'waitForSelector($1, { timeout: 500 })')
        .replace('./prepare.ts', './hasty.ts');
      await writeSnippet(
        folder,
        'deaf.test.ts',
        impatient.replaceAll('http://localhost:5173', `${shop.url}/deaf`),
      );
      expect(await runTests('playwright.test.ts', 'deaf.test.ts')).toEqual([
        [[], 2],
        [[expect.anything(), expect.anything()], 2],
      ]);
    },
  );
});
