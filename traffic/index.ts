export { readHar, readHarValue } from './har/har.ts';
export type {
  RecordedBody,
  RecordedExchange,
  RecordedHeaders,
  RecordedRequest,
  RecordedResponse,
} from './recorded/recorded.ts';
