export { type AttachedBodies, loadAttachedBodies } from './har/attached.ts';
export { readHar, readHarValue } from './har/har.ts';
export {
  createTrafficJudge,
  type TrafficFailure,
  type TrafficJudge,
  type TrafficJudgeOptions,
  type TrafficSum,
} from './judge/traffic-judge.ts';
export { composeTrafficReport } from './judge/report.ts';
export { inferAnyBaseUrl, inferBaseUrl } from './request/base-url.ts';
export type {
  RecordedBody,
  RecordedExchange,
  RecordedHeaders,
  RecordedRequest,
  RecordedResponse,
} from './recorded/recorded.ts';
export { isSecretName, showsCredentials } from './request/credential.ts';
export { type ProxyOptions, startProxy, type TrafficProxy } from './proxy/proxy.ts';
