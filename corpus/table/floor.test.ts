import { expect, test } from 'vitest';
import { listFallen, raiseFloor } from './floor.ts';

const floor = { loads: 0.5, answered: 0.9, conforms: 0.2 };

test('a rate below its floor is told; one that was not measured is not', () => {
  const rates = new Map([
    ['loads', 0.49],
    ['answered', 0.9],
  ] as const);
  expect(listFallen(floor, rates)).toEqual(['loads fell below its floor: 0.4900 instead of 0.5.']);
});

test('a floor rises to what was measured, rounded down, and never falls', () => {
  const rates = new Map([
    ['loads', 0.66666],
    ['answered', 0.1],
    ['pairs', 1],
  ] as const);
  expect(raiseFloor(floor, rates)).toEqual({
    loads: 0.666,
    answered: 0.9,
    conforms: 0.2,
    pairs: 1,
  });
});

test('a raised floor holds at once', () => {
  const rates = new Map([['loads', 2 / 3]] as const);
  expect(listFallen(raiseFloor({}, rates), rates)).toEqual([]);
});
