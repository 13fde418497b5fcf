import { expect, test } from 'vitest';
import { loadSample, refusalOf, sampleText } from '../../test/contract/sample.ts';
import type { Contract } from '../contract.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

const securitySchemes = {
  token: { type: 'http', scheme: 'Bearer' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'key' },
  password: { type: 'http', scheme: 'basic' },
  digest: { type: 'http', scheme: 'Digest' },
  pass: { type: 'openIdConnect', openIdConnectUrl: 'https://example.org/openid' },
  connection: { type: 'mutualTLS' },
  plain: { type: 'apiKey', in: 'header', name: 'Authorization' },
  inQuery: { type: 'apiKey', in: 'query', name: 'authorization' },
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
  [
    [{ password: [] }, { token: [] }],
    undefined,
    { kind: 'basic', pointer: '#/components/securitySchemes/password' },
  ],
  [[{ token: [], header: [] }, { token: [] }], undefined, bearer],
  [[{ pass: [] }], undefined, { ...bearer, pointer: '#/components/securitySchemes/pass' }],
  [
    [{ digest: [] }],
    undefined,
    { kind: 'http', scheme: 'digest', pointer: '#/components/securitySchemes/digest' },
  ],
  [[{ connection: [] }], undefined, none],
])('security %j of the document and %j of the operation', async (root, own, expected) => {
  const contract = await loadSample(secured(root, own));
  expect(credentialOf(contract)).toEqual(expected);
  expect(contract.diagnostics).toEqual([]);
});

test('all alternatives are listed, those with fewer schemes first', async () => {
  const contract = await loadSample(
    secured([{ token: [], header: [] }, { connection: [] }, { query: [] }, {}]),
  );
  const kinds = contract.operations[0]?.security.map((schemes) => schemes.map(({ kind }) => kind));
  expect(kinds).toEqual([[], ['mutual-tls'], ['api-key'], ['bearer', 'api-key']]);
});

test.each<[JsonObject, readonly (readonly string[])[]]>([
  [{ token: [], password: [] }, [['bearer'], ['basic']]],
  [
    { token: [], plain: [], query: [] },
    [
      ['api-key', 'bearer'],
      ['api-key', 'api-key'],
    ],
  ],
  [{ token: [], pass: [] }, [['bearer', 'bearer']]],
  [{ token: [], inQuery: [] }, [['bearer', 'api-key']]],
])('schemes of one requirement that share a header are alternatives: %j', async (one, kinds) => {
  const { operations, diagnostics } = await loadSample(secured([one]));
  expect(operations[0]?.security.map((all) => all.map(({ kind }) => kind))).toEqual(kinds);
  expect(diagnostics).toHaveLength(kinds.length - 1);
});

test('an undefined scheme is an error', async () => {
  expect(await refusalOf({ text: sampleText(secured(undefined, [{ nope: [] }])) })).toEqual([
    '#/paths/~1x/get/security/0/nope: there is no security scheme nope',
  ]);
});
