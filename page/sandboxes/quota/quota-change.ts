import type { ControlArguments } from '../../../mock/control/client.ts';

/** A change of what a plan may send, or has sent. */
export type QuotaChange = ControlArguments<'setQuota'>['body'];
