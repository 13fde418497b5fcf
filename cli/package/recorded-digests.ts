/** SHA-256 of the files that are taken on trust. `npm run digest` writes this. */
export const recordedDigests = {
  'fixtures/passed.json': '91c72e37bed4321b1a0804fc654bc0240a8a7c9f8c5f40a2e584cb4d8a88ee9e',
  'fixtures/dependencies.json': '52a83b4b768e78954340bf494c254b1d0c53132add8c2ae691c64280cb032e63',
  'fixtures/selftest.json': '4855e4bc64cb24fa87fd4100a68ceff7d111033657a3e2e1a3771e3754103f28',
  'fixtures/selftest-clients.json':
    '0377a8675280fd3a89e94acf2aba07558d9a9f57b0209373fce4815729dc1082',
} as const;
