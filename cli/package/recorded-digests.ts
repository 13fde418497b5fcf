/** SHA-256 of the files that are taken on trust. `npm run digest` writes this. */
export const recordedDigests = {
  'fixtures/passed.json': '91c72e37bed4321b1a0804fc654bc0240a8a7c9f8c5f40a2e584cb4d8a88ee9e',
  'fixtures/dependencies.json': '4b50b5d7084f13c72038ccac352dc1f1f69b9503b5204b2f540d23cc594552b9',
  'fixtures/selftest.json': '4855e4bc64cb24fa87fd4100a68ceff7d111033657a3e2e1a3771e3754103f28',
  'fixtures/selftest-clients.json':
    '0377a8675280fd3a89e94acf2aba07558d9a9f57b0209373fce4815729dc1082',
} as const;
