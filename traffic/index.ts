export { type AttachedBodies, loadAttachedBodies, readHar, readHarValue } from './har.ts';
export {
  TrafficJudge,
  type TrafficFailure,
  type TrafficJudgeOptions,
  type TrafficSum,
} from './judge.ts';
export { composeTrafficReport } from './report.ts';
export { inferAnyBaseUrl, inferBaseUrl, relativeTarget } from './base-url.ts';
export type {
  RecordedBody,
  RecordedExchange,
  RecordedHeaders,
  RecordedRequest,
  RecordedResponse,
} from './recorded.ts';
export { isSecretName, showsCredentials } from './secrets.ts';
export { type ProxyOptions, startProxy, type TrafficProxy } from './proxy.ts';
