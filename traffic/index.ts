export { loadAttachedBodies, readHarValue } from './har.ts';
export { TrafficJudge, type TrafficFailure } from './judge.ts';
export { composeTrafficReport } from './report.ts';
export { inferAnyBaseUrl, inferBaseUrl, relativeTarget } from './base-url.ts';
export type { RecordedBody, RecordedExchange } from './recorded.ts';
export { isSecretName, showsCredentials } from './secrets.ts';
export { startProxy } from './proxy.ts';
