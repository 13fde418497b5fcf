import { testVariants } from '../testing/variant-tests.ts';

testVariants('request-rule');
