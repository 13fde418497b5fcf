import { testVariants } from '../../test/selftest/variant-tests.ts';

testVariants('body-rule');
