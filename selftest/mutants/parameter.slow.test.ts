import { testMutants } from '../testing/mutant-tests.ts';

testMutants('parameter');
