/** SHA-256 of the files that are taken on trust. `npm run digest` writes this. */
export const recordedDigests = {
  'fixtures/passed.json': '91c72e37bed4321b1a0804fc654bc0240a8a7c9f8c5f40a2e584cb4d8a88ee9e',
  'fixtures/dependencies.json': '52a83b4b768e78954340bf494c254b1d0c53132add8c2ae691c64280cb032e63',
  'fixtures/selftest.json': '61edf9b33866a1d68e656294723f71c141ededea1d3aef3bde5b7480cebb7a6d',
  'fixtures/selftest-clients.json':
    'd0d8aa3652c387ffa3a43fa7fc16d78e7bb5ec61132781d2e99877f587b33827',
} as const;
