import { testMutants } from '../testing/mutant-tests.ts';

testMutants('one-operation');
