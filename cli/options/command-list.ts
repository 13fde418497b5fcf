/** All commands, by their heading in the help, each with its sentence. `cli/main.ts` loads them. */
export const commandGroups = {
  Commands: {
    mock: 'Start a mock server for an OpenAPI document.',
    conform: 'Test a server against the document.',
    lint: 'List the problems of a document.',
    diff: 'Show what differs between two servers.',
  },
  'Clients and traffic': {
    'certify-client': 'Test a client: run it against the mock.',
    'judge-journal': 'Test a client: check what it sent to a running mock.',
    proxy: 'Forward traffic to a server and check it.',
    judge: 'Check recorded traffic (HAR).',
  },
  Certificates: {
    keygen: 'Make a key pair to sign with.',
    verify: 'Verify a certificate offline.',
  },
  More: {
    merge: 'Combine the reports of the shards of a run.',
    resources: 'Show the collections of items in a document.',
    selftest: 'Measure how many faulty servers of a document the suite finds.',
    init: 'Write a configuration file.',
    completion: 'Print a completion script for your shell.',
  },
} as const;

type Groups = typeof commandGroups;

export type CommandName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];

/** The name and sentence of each command, in the order of the help. */
export function listCommands(): readonly (readonly [name: string, sentence: string])[] {
  return Object.values(commandGroups).flatMap((group) => Object.entries(group));
}
