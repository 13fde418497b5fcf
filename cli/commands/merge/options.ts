import type { CommandForm, FlagTable } from '../../io/flags.ts';
import { documentFlags } from '../../io/document-flags.ts';
import { certifyFlags } from '../../io/certify-flags.ts';
import { reportFlags } from '../../io/run-flags.ts';

const flags = {
  allowMissing: {
    help: 'A shard that is missing does not make the report inconclusive. It is told all the same.',
  },
  contract: {
    value: '<file>',
    help: 'OpenAPI document that the shards judged by. Default: the bundled openapi.yaml.',
  },
  ...documentFlags,
  ...reportFlags,
  ...certifyFlags,
} satisfies FlagTable;

export const mergeForm = {
  name: 'merge',
  takes: '<report>... [options]',
  about: [
    'Makes one report of the reports of petstore conform --shard: files report.json, folders that hold one, or folders of such folders. Each log is judged again. A requirement that a shard fails is failed; it is passed where the log of some shard shows it and none shows the contrary. With --certify it reads the certificate.json of each shard instead, verifies it, and signs a certificate that cites them.',
  ],
  flags,
  exits:
    '0 conforms, 1 failed, 2 inconclusive: a shard is missing, or the reports are not of one run',
  readsForeignFiles: true,
} satisfies CommandForm;
