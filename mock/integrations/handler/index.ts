export { createFetch, type FetchOptions, type MockFetch } from '../fetch/fetch.ts';
export { createFetchHandler, type FetchHandler, type HandlerOptions } from './handler.ts';
