import { expect, test } from 'vitest';
import { loadSample, refusalOf, sampleText } from '../testing/sample.ts';
import type { Contract } from '../contract.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

const securitySchemes = {
  token: { type: 'http', scheme: 'Bearer' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'key' },
  password: { type: 'http', scheme: 'basic' },
};

function secured(root: JsonValue | undefined, own?: JsonValue): JsonObject {
  const operation = {
    responses: { 204: { description: 'ok' } },
    ...(own === undefined ? {} : { security: own }),
  };
  return {
    paths: { '/x': { get: operation } },
    components: { securitySchemes },
    ...(root === undefined ? {} : { security: root }),
  };
}

function credentialOf(contract: Contract) {
  return contract.operations[0]?.credential;
}

const none = { kind: 'none' };
const bearer = { kind: 'bearer', pointer: '#/components/securitySchemes/token' };

test.each<[JsonValue | undefined, JsonValue | undefined, object]>([
  [undefined, undefined, none],
  [[{ token: [] }], undefined, bearer],
  [[{ token: [] }], [], none],
  [[{ token: [] }], [{}], none],
  [[{ token: [] }], [{ token: [] }, {}], none],
  [
    [{ token: [] }],
    [{ header: [] }],
    {
      kind: 'api-key',
      in: 'header',
      name: 'X-Key',
      pointer: '#/components/securitySchemes/header',
    },
  ],
  [
    undefined,
    [{ query: [] }],
    { kind: 'api-key', in: 'query', name: 'key', pointer: '#/components/securitySchemes/query' },
  ],
  [
    undefined,
    [{ cookie: [] }],
    { kind: 'api-key', in: 'cookie', name: 'key', pointer: '#/components/securitySchemes/cookie' },
  ],
  [[{ password: [] }, { token: [] }], undefined, bearer],
])('security %j of the document and %j of the operation', async (root, own, expected) => {
  const contract = await loadSample(secured(root, own));
  expect(credentialOf(contract)).toEqual(expected);
  expect(contract.warnings).toEqual([]);
});

test('a scheme that is not supported is a warning and counts as none', async () => {
  const contract = await loadSample(secured([{ password: [] }, { token: [], header: [] }]));
  expect(credentialOf(contract)).toEqual(none);
  expect(contract.warnings.map(({ pointer, reason }) => `${pointer}: ${reason}`)).toEqual([
    '#/security/0: the security scheme password is not supported: taken as no credential',
    '#/security/1: several credentials at once are not supported: taken as no credential',
  ]);
});

test('a scheme that is not there is an error', async () => {
  expect(await refusalOf({ text: sampleText(secured(undefined, [{ nope: [] }])) })).toEqual([
    '#/paths/~1x/get/security/0/nope: there is no security scheme nope',
  ]);
});
