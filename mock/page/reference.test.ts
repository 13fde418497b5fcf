import { expect, test } from 'vitest';
import { createPage } from './page.ts';
import { findReference } from './reference.ts';

test('the library is found in this checkout, with the script that the page asks for', async () => {
  const reference = findReference();
  expect(reference).toMatchObject({ available: true, package: 'swagger-ui-dist' });
  expect(await reference.read('reference/swagger-ui.js')).toContain('SwaggerUIBundle');
  expect(await reference.read('reference/swagger-ui.css')).toBeUndefined();
});

test.for([
  'reference/package.json',
  'reference/swagger-ui-bundle.js',
  'reference/../swagger-ui-dist/package.json',
  'reference/..%2f..%2fpackage.json',
  'reference/',
])('%s is not served', async (name) => {
  expect(await findReference().read(name)).toBeUndefined();
  const page = createPage(() => Promise.resolve(new Map()));
  const request = { method: 'GET', target: `/_mock/page/${name}`, headers: {}, content: undefined };
  expect(await page.response(request)).toBeUndefined();
});

test('a library that is missing is said to be, with what to install', async () => {
  const reference = findReference(() => undefined);
  expect(reference).toMatchObject({ available: false, package: 'swagger-ui-dist' });
  expect(await reference.read('reference/swagger-ui.js')).toBeUndefined();
});
