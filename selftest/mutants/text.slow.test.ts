import { testMutants } from '../../test/selftest/mutant-tests.ts';

testMutants('text');
