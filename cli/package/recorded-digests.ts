/** SHA-256 of the files that are taken on trust. `npm run digest` writes this. */
export const recordedDigests = {
  'fixtures/passed.json': '91c72e37bed4321b1a0804fc654bc0240a8a7c9f8c5f40a2e584cb4d8a88ee9e',
  'fixtures/dependencies.json': '52a83b4b768e78954340bf494c254b1d0c53132add8c2ae691c64280cb032e63',
  'fixtures/selftest.json': 'd7af6c2077eb458b72b9757c595accf97b15c30787ff762f219391989efb068d',
  'fixtures/selftest-clients.json':
    '0e900cb756cf2d91225c0029f4ac09fc024b106befa3540cd8c82bec3368f6c5',
} as const;
