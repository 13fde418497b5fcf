/** SHA-256 of the files that are taken on trust. `npm run record` writes this. */
export const recordedDigests = {
  'fixtures/passed.json': '71ad3cc0407b0d16c67fe1dd5d933e26f43a60bf71e20c6e639b42771355c949',
  'fixtures/dependencies.json': '52a83b4b768e78954340bf494c254b1d0c53132add8c2ae691c64280cb032e63',
  'fixtures/selftest.json': '97821c4728872a2288b884593b9240901b6d05d8a915d1037f82fc0356d94464',
  'fixtures/selftest-clients.json':
    '320005657894ecf3ffabd5a27bfa16a02479cec3e5690a879bcfde6a29ce4901',
} as const;
