/** SHA-256 of the files that are taken on trust. `npm run digest` writes this. */
export const recordedDigests = {
  'fixtures/passed.json': '91c72e37bed4321b1a0804fc654bc0240a8a7c9f8c5f40a2e584cb4d8a88ee9e',
  'fixtures/dependencies.json': '52a83b4b768e78954340bf494c254b1d0c53132add8c2ae691c64280cb032e63',
  'fixtures/selftest.json': '85dc3063377ac73923718503034abdca9b9f4d90159d43482e78ab16bf306f23',
  'fixtures/selftest-clients.json':
    '0e900cb756cf2d91225c0029f4ac09fc024b106befa3540cd8c82bec3368f6c5',
} as const;
