/** SHA-256 of the files that are taken on trust. `npm run digest` writes this. */
export const recordedDigests = {
  'fixtures/passed.json': '8fb807ef99a5c63d799e5868188cf3d278fa544d62fed5624fc5fa6dab948572',
  'fixtures/dependencies.json': '4b50b5d7084f13c72038ccac352dc1f1f69b9503b5204b2f540d23cc594552b9',
  'fixtures/selftest.json': '4855e4bc64cb24fa87fd4100a68ceff7d111033657a3e2e1a3771e3754103f28',
  'fixtures/selftest-clients.json':
    '0377a8675280fd3a89e94acf2aba07558d9a9f57b0209373fce4815729dc1082',
} as const;
