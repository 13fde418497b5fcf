import type { Mock, Stub, StubRule } from '../../mock/control/client.ts';
import { type Field, choice, more, number } from '../form/field.ts';
import { operationOptions } from './fault.ts';
import type { RuleKind } from './rule-panel.ts';

export const stubKind: RuleKind<StubRule, Stub> = {
  noun: 'stub',
  title: 'Stubs',
  none: 'No stubs. A stub answers matching requests with the response that you write.',
  fields: listStubFields,
  rest: 'Other members of the stub, as JSON',
  ruleOf: ({ id: _id, origin: _origin, applied: _applied, warnings: _warnings, ...rule }) => rule,
  uses: 'times',
  notes: ({ origin, warnings }) => [
    ...(origin === 'file' ? ['From the file of --stubs.'] : []),
    ...warnings.map(({ message }) => `Breaks the contract: ${message}`),
  ],
  list: ({ call }) => call('listStubs'),
  add: ({ call }, rule) => call('addStub', { body: checkResponse(rule) }),
  edit: ({ call }, stub, rule) => call('editStub', { stub, body: checkResponse(rule) }),
  remove: ({ call }, stub) => call('removeStub', { stub }),
  clear: ({ call }) => call('clearStubs'),
};

/** Throws if a stub has no response. */
function checkResponse(rule: StubRule): StubRule {
  if (rule.response === undefined && rule.responses === undefined)
    throw new Error('Enter a status, a delay or a body.');
  return rule;
}

function listStubFields({ operations }: Pick<Mock, 'operations'>): readonly Field[] {
  const json = { kind: 'json', rows: 2 } as const;
  const headers = { kind: 'headers', rows: 2 } as const;
  return [
    choice('/request/operation', 'Operation', operationOptions(operations)),
    {
      name: '/request/path',
      label: 'Path',
      placeholder: 'any',
      hint: 'Such as /pets/7. {name} matches any text between slashes.',
      pattern: [/^\/[^?#]*$/, 'Start the path with a slash. The query has its own field.'],
    },
    {
      name: '/request/query',
      label: 'Query',
      kind: 'query',
      placeholder: 'any',
      hint: 'Such as limit=5.',
    },
    number('/response/status', 'Status', 'as usual'),
    number('/times', 'Number of requests', 'all'),
    number('/response/delay', 'Delay in ms', 'none'),
    {
      name: '/response/body',
      label: 'Response body, as JSON',
      kind: 'json',
      rows: 4,
      hint: 'If empty, the body comes from the document. For a body that is not JSON, see More options.',
    },
    ...more(
      { name: '/name', label: 'Name of the stub' },
      {
        name: '/request/method',
        label: 'Method',
        placeholder: 'any',
        pattern: [/^[A-Z][A-Z-]*$/, 'Write the method in capitals, such as GET.'],
      },
      number('/priority', 'Priority', '0', 'Higher ones are tried first.'),
      { name: '/response/example', label: 'Example of the document', hint: 'Its name.' },
      { name: '/request/headers', label: 'Request headers', ...headers, hint: 'One per line.' },
      { name: '/request/body/contains', label: 'Request body contains, as JSON', ...json },
      {
        name: '/response/headers',
        label: 'Response headers',
        ...headers,
        hint: 'One per line. A name alone removes the header.',
      },
      { name: '/response/text', label: 'Response body, as text', kind: 'lines', rows: 2 },
    ),
  ];
}
