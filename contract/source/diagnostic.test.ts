import { expect, test } from 'vitest';
import { ContractError } from './diagnostic.ts';

test('a ContractError names file, pointer and reason of each issue', () => {
  const issues = [
    { source: 'a.yaml', pointer: '#/paths', reason: 'is empty' },
    { source: 'a.yaml', pointer: '#', reason: 'has no title' },
  ];
  const error = new ContractError(issues);
  expect(error.message).toBe('a.yaml#/paths: is empty\na.yaml: has no title');
  expect(error.issues).toEqual(issues);
  expect(error.name).toBe('ContractError');
});
