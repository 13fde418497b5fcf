/** SHA-256 of the files that are taken on trust. `npm run record` writes this. */
export const recordedDigests = {
  'fixtures/passed.json': '71ad3cc0407b0d16c67fe1dd5d933e26f43a60bf71e20c6e639b42771355c949',
  'fixtures/dependencies.json': '52a83b4b768e78954340bf494c254b1d0c53132add8c2ae691c64280cb032e63',
  'fixtures/selftest.json': '62414f179c3c79e37dc0ab43353e183e1127511440e72ce16ac3b196ea368477',
  'fixtures/selftest-clients.json':
    'e103cca1fb3ed536e036ab8419d87b681b2812c68e67c3db35d45ec8d0d197ee',
} as const;
