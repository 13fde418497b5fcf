// Generated from the flags of the commands by `npm run record`; not written by hand.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Configuration of petstore-contract
         * @description petstore.config.json, or what petstore.config.ts exports. Flags and the environment win.
         */
        readonly Config: {
            readonly $schema?: string | undefined;
            /** @description OpenAPI document. Default: the bundled openapi.yaml. */
            readonly contract?: string | undefined;
            /** @description Refuse a document that has an error. Default: leave out the parts with errors; the lint command lists them. */
            readonly strict?: boolean | undefined;
            /** @description Also follow references into this folder. Default: only the folder of the document. Can be repeated. */
            readonly allowFolder?: readonly string[] | undefined;
            /** @description Apply this OpenAPI Overlay to the document first. Can be repeated. */
            readonly overlay?: readonly string[] | undefined;
            /** @description Fetch references to http: and https: addresses. */
            readonly allowNetwork?: boolean | undefined;
            /** @description Starts a mock server for an OpenAPI document. It stores items, checks API keys, enforces rate limits and returns the errors of the document. Ctrl-C stops it. */
            readonly mock?: {
                /**
                 * @description Listen on this port, 0 for any free one. Default: 4010.
                 * @default 4010
                 */
                readonly port?: number | undefined;
                /**
                 * @description Listen on this address. Default: 127.0.0.1.
                 * @default 127.0.0.1
                 */
                readonly host?: string | undefined;
                /** @description OpenAPI document. Default: the bundled openapi.yaml. */
                readonly contract?: string | undefined;
                /** @description Refuse a document that has an error. Default: leave out the parts with errors; the lint command lists them. */
                readonly strict?: boolean | undefined;
                /** @description Also follow references into this folder. Default: only the folder of the document. Can be repeated. */
                readonly allowFolder?: readonly string[] | undefined;
                /** @description Apply this OpenAPI Overlay to the document first. Can be repeated. */
                readonly overlay?: readonly string[] | undefined;
                /** @description Fetch references to http: and https: addresses. */
                readonly allowNetwork?: boolean | undefined;
                /** @description JSON file of items to start with, by path of the collection. Default: the bundled items, or for another document the examples of its lists. */
                readonly seed?: string | undefined;
                /** @description Take the first items from recorded traffic (HAR), from the report.json of conform, or from the lists of a running server. */
                readonly seedFrom?: string | undefined;
                /** @description API key for the server of --seed-from. Default: PETSTORE_API_KEY. */
                readonly apiKey?: {
                    readonly env: string;
                } | string | undefined;
                /** @description Read --api-key from a file of one line, so that it is not visible in the process list; - is standard input. Default: PETSTORE_API_KEY_FILE. */
                readonly apiKeyFile?: string | undefined;
                /** @description JSON or YAML file of stubs: fixed responses to certain requests. Read again when it changes. */
                readonly stubs?: string | undefined;
                /** @description Choose a behaviour that the document leaves open. The questions and choices are in the document, under x-unspecified. Can be repeated. */
                readonly choice?: {
                    readonly [key: string]: string | number;
                } | readonly string[] | undefined;
                /** @description Behave as the server in this report.json of conform did where the document leaves it open. --choice takes precedence. */
                readonly like?: string | undefined;
                /** @description Keep at most this many sandboxes, besides that of the keys shown at the start. Default: 1000. */
                readonly sandboxes?: number | undefined;
                /** @description Memory for all sandboxes in MiB; one sandbox gets at most a quarter. Default: 512, less in a small process. */
                readonly maxMemory?: number | undefined;
                /** @description Accept only this key, such as business_shard-1, and the keys shown at the start. Can be repeated. Default: any key that names a sandbox. */
                readonly key?: readonly string[] | undefined;
                /** @description Keep the data in a folder (file:./petstore-state) or on a server (valkey://127.0.0.1:6379), so that it outlives the mock and several mocks can share it. Default: in memory. */
                readonly state?: string | undefined;
                /** @description Requests per window, such as enterprise.minute=5000. The plan anonymous is for callers without a valid key. Can be repeated. */
                readonly limit?: {
                    readonly [key: string]: string | number;
                } | readonly string[] | undefined;
                /** @description Ban a key after this many requests during the wait of a 429. Default: 10. */
                readonly banAfter?: number | undefined;
                /** @description Length of a ban; 0 for none. Default: what the document says, else 60. */
                readonly banSeconds?: number | undefined;
                /** @description Serve HTTPS with a generated, self-signed certificate. */
                readonly tls?: boolean | undefined;
                /** @description Serve HTTPS with this private key (PEM). */
                readonly tlsKey?: string | undefined;
                /** @description The certificate of --tls-key (PEM). */
                readonly tlsCert?: string | undefined;
                /** @description Let other machines use the control interface at /_mock/ with this bearer token. Default: PETSTORE_MOCK_CONTROL_TOKEN. */
                readonly controlToken?: {
                    readonly env: string;
                } | string | undefined;
                /** @description Read --control-token from a file of one line, so that it is not visible in the process list; - is standard input. Default: PETSTORE_MOCK_CONTROL_TOKEN_FILE. */
                readonly controlTokenFile?: string | undefined;
                /** @description Let web pages of this origin use the control interface. */
                readonly controlCors?: string | undefined;
                /** @description Let webhooks and callbacks go to this host too. Can be repeated. Default: only this machine. */
                readonly webhookHost?: readonly string[] | undefined;
                /** @description Do not reload the document and the stubs when they change. */
                readonly noWatch?: boolean | undefined;
                /**
                 * @description Print text, or JSON with one object per line. Default: text.
                 * @default text
                 * @enum {string}
                 */
                readonly log?: "text" | "json" | undefined;
                /** @description Do not print a line for each request. */
                readonly quiet?: boolean | undefined;
            };
            /** @description Tests a server against the OpenAPI document: statuses, bodies, headers, authentication and rate limits. Without a base URL it starts the mock and tests that. --certify also sends requests until the rate limit is reached, unless --read-only is given. */
            readonly conform?: {
                /** @description Address of the server, with its version segment. Default: PETSTORE_BASE_URL; without one, the mock is started and tested. */
                readonly baseUrl?: string | undefined;
                /** @description API key to send. Default: PETSTORE_API_KEY. */
                readonly apiKey?: {
                    readonly env: string;
                } | string | undefined;
                /** @description Read --api-key from a file of one line, so that it is not visible in the process list; - is standard input. Default: PETSTORE_API_KEY_FILE. */
                readonly apiKeyFile?: string | undefined;
                /** @description Plan of the key, such as Free. Its limits are then compared with the rate-limit headers. */
                readonly plan?: string | undefined;
                /** @description Send at most this many requests. Default: 60, or 2 for each operation if that is more; with --plan, what the plan allows in its shortest window, at most 240. */
                readonly requests?: number | undefined;
                /**
                 * @description The same seed sends the same requests. Default: 1.
                 * @default 1
                 */
                readonly seed?: number | undefined;
                /** @description Also send requests until the rate limit is reached, on top of --requests. Always on for the mock. */
                readonly exhaust?: boolean | undefined;
                /** @description Send no request that could add or change items. */
                readonly readOnly?: boolean | undefined;
                /** @description Test only this requirement, family or operation. Can be repeated. */
                readonly only?: readonly string[] | undefined;
                /** @description Leave out this requirement, family or operation. Can be repeated. */
                readonly skip?: readonly string[] | undefined;
                /** @description A category that exists. Default: one from the list of the target. */
                readonly categoryId?: string | number | undefined;
                /** @description An id that exists, named by path parameter or collection: --id petId=7. Can be repeated. */
                readonly id?: {
                    readonly [key: string]: string | number;
                } | readonly string[] | undefined;
                /** @description The target has no valuable data: items that the suite did not add can be changed and removed. Always on for the mock. */
                readonly disposable?: boolean | undefined;
                /** @description Nobody else uses the target during the run. Unexplained items then count as failures. Always on for the mock. */
                readonly exclusive?: boolean | undefined;
                /** @description If less than this percentage of the planned requests is tested, the run is inconclusive. Default: 90. */
                readonly requireTested?: number | undefined;
                /** @description Stop sending after this time; the rest is not tested. Default: the time that the requests and waits need, plus a margin. */
                readonly timeLimit?: number | undefined;
                /**
                 * @description Wait this long for a response. Default: 10.
                 * @default 10
                 */
                readonly timeout?: number | undefined;
                /** @description Read at most this many bytes of a response. Above 8 MiB, the bounds on values and on the log grow too. Default: 8388608. */
                readonly maxResponseBytes?: number | undefined;
                /** @description Do not verify the TLS certificate of the target. */
                readonly insecure?: boolean | undefined;
                /**
                 * @description Send this many extra requests with generated values and sequences. Default: 0.
                 * @default 0
                 */
                readonly fuzz?: number | undefined;
                /** @description Send the planned requests and only part i of n of --fuzz. The merge command combines the reports. */
                readonly shard?: string | undefined;
                /** @description If something fails, send at most this many more requests to find a smaller failing example. Default: a tenth of --requests, at least 5. */
                readonly shrink?: number | undefined;
                /** @description Repeat the failing examples in this folder first, and add new ones to it. */
                readonly save?: string | undefined;
                /** @description Repeat one failure and nothing else: its id, or report.json#<id>. Exit code 0 if it is gone, 1 if it is still there, 2 if the responses do not show it. */
                readonly replay?: string | number | undefined;
                /** @description JSON file of known failures, each with requirement, reason, owner and expiry date. An expired waiver, or one whose requirement passes, fails the run. */
                readonly waivers?: string | undefined;
                /** @description Write certificate.json, certificate.html and badge.svg into the --report folder, or into the current folder. The exit code is 0 only if the certificate says "conforms". */
                readonly certify?: boolean | undefined;
                /** @description Name of the server or client on the certificate. Required with --certify. */
                readonly targetName?: string | undefined;
                /** @description Version of the server or client on the certificate. Required with --certify. */
                readonly targetVersion?: string | undefined;
                /** @description Sign the certificate with this private key (the keygen command makes one). Default: not signed. */
                readonly sign?: string | undefined;
                /** @description OpenAPI document. Default: the bundled openapi.yaml. */
                readonly contract?: string | undefined;
                /** @description Refuse a document that has an error. Default: leave out the parts with errors; the lint command lists them. */
                readonly strict?: boolean | undefined;
                /** @description Also follow references into this folder. Default: only the folder of the document. Can be repeated. */
                readonly allowFolder?: readonly string[] | undefined;
                /** @description Apply this OpenAPI Overlay to the document first. Can be repeated. */
                readonly overlay?: readonly string[] | undefined;
                /** @description Fetch references to http: and https: addresses. */
                readonly allowNetwork?: boolean | undefined;
                /** @description Write report.json, report.html, junit.xml, summary.md and exchanges.har into this folder. Replaces an earlier report of the same kind and nothing else. */
                readonly report?: string | undefined;
                /** @description Replace any file that has the name of an output file, certificates included. */
                readonly force?: boolean | undefined;
                /** @description Print only the verdict and the failures. */
                readonly quiet?: boolean | undefined;
            };
            /** @description Lists the problems of OpenAPI documents, 2.0 to 3.2, with file, line, column, level, JSON pointer, reason and remedy. A part with an error is left out by the mock and the suite; a part with a warning is read as it was probably meant; a hint changes nothing. */
            readonly lint?: {
                /** @description Also follow references into this folder. Default: only the folder of the document. Can be repeated. */
                readonly allowFolder?: readonly string[] | undefined;
                /** @description Fetch references to http: and https: addresses. */
                readonly allowNetwork?: boolean | undefined;
                /** @description Apply this OpenAPI Overlay to the document first. Can be repeated. */
                readonly overlay?: readonly string[] | undefined;
                /** @description Print the list as JSON. */
                readonly json?: boolean | undefined;
            };
            /** @description Sends the same requests to two servers, one after the other, and reports what differs: requirements that only one fails or that both fail differently, and different behaviour where the document leaves it open. */
            readonly diff?: {
                /** @description API key for both servers. Default: PETSTORE_API_KEY. */
                readonly apiKey?: {
                    readonly env: string;
                } | string | undefined;
                /** @description Read --api-key from a file of one line, so that it is not visible in the process list; - is standard input. Default: PETSTORE_API_KEY_FILE. */
                readonly apiKeyFile?: string | undefined;
                /** @description API key for the first server. */
                readonly apiKeyA?: {
                    readonly env: string;
                } | string | undefined;
                /** @description Read --api-key-a from a file of one line, so that it is not visible in the process list; - is standard input. */
                readonly apiKeyAFile?: string | undefined;
                /** @description API key for the second server. */
                readonly apiKeyB?: {
                    readonly env: string;
                } | string | undefined;
                /** @description Read --api-key-b from a file of one line, so that it is not visible in the process list; - is standard input. */
                readonly apiKeyBFile?: string | undefined;
                /** @description Plan of both keys, such as Free. Its limits are then compared with the rate-limit headers. */
                readonly plan?: string | undefined;
                /** @description Plan of the key for the first server. */
                readonly planA?: string | undefined;
                /** @description Plan of the key for the second server. */
                readonly planB?: string | undefined;
                /** @description Send at most this many requests. Default: 60, or 2 for each operation if that is more; with --plan, what the plan allows in its shortest window, at most 240. */
                readonly requests?: number | undefined;
                /**
                 * @description The same seed sends the same requests. Default: 1.
                 * @default 1
                 */
                readonly seed?: number | undefined;
                /** @description Also send requests until the rate limit is reached, on top of --requests. Always on for the mock. */
                readonly exhaust?: boolean | undefined;
                /** @description Send no request that could add or change items. */
                readonly readOnly?: boolean | undefined;
                /** @description Test only this requirement, family or operation. Can be repeated. */
                readonly only?: readonly string[] | undefined;
                /** @description Leave out this requirement, family or operation. Can be repeated. */
                readonly skip?: readonly string[] | undefined;
                /** @description A category that exists. Default: one from the list of the target. */
                readonly categoryId?: string | number | undefined;
                /** @description An id that exists, named by path parameter or collection: --id petId=7. Can be repeated. */
                readonly id?: {
                    readonly [key: string]: string | number;
                } | readonly string[] | undefined;
                /** @description The target has no valuable data: items that the suite did not add can be changed and removed. Always on for the mock. */
                readonly disposable?: boolean | undefined;
                /** @description Nobody else uses the target during the run. Unexplained items then count as failures. Always on for the mock. */
                readonly exclusive?: boolean | undefined;
                /** @description If less than this percentage of the planned requests is tested, the run is inconclusive. Default: 90. */
                readonly requireTested?: number | undefined;
                /** @description Stop sending after this time; the rest is not tested. Default: the time that the requests and waits need, plus a margin. */
                readonly timeLimit?: number | undefined;
                /**
                 * @description Wait this long for a response. Default: 10.
                 * @default 10
                 */
                readonly timeout?: number | undefined;
                /** @description Read at most this many bytes of a response. Above 8 MiB, the bounds on values and on the log grow too. Default: 8388608. */
                readonly maxResponseBytes?: number | undefined;
                /** @description Do not verify the TLS certificate of the target. */
                readonly insecure?: boolean | undefined;
                /** @description OpenAPI document. Default: the bundled openapi.yaml. */
                readonly contract?: string | undefined;
                /** @description Refuse a document that has an error. Default: leave out the parts with errors; the lint command lists them. */
                readonly strict?: boolean | undefined;
                /** @description Also follow references into this folder. Default: only the folder of the document. Can be repeated. */
                readonly allowFolder?: readonly string[] | undefined;
                /** @description Apply this OpenAPI Overlay to the document first. Can be repeated. */
                readonly overlay?: readonly string[] | undefined;
                /** @description Fetch references to http: and https: addresses. */
                readonly allowNetwork?: boolean | undefined;
                /** @description Print the comparison as JSON (docs/diff.schema.json). */
                readonly json?: boolean | undefined;
                /** @description Print only the differences. */
                readonly quiet?: boolean | undefined;
            };
            /** @description Runs a client once per scenario against the mock and checks the requests that it sends. The command runs without a shell, with these environment variables: */
            readonly "certify-client"?: {
                /** @description Run only this scenario. Can be repeated. Default: all. */
                readonly scenario?: readonly (string | number)[] | undefined;
                /** @description List the scenarios and run nothing. */
                readonly list?: boolean | undefined;
                /** @description Run this many scenarios at the same time. Default: 6, or 1 with --port. */
                readonly jobs?: number | undefined;
                /**
                 * @description Stop the command of a scenario after this time. Default: 30.
                 * @default 30
                 */
                readonly timeout?: number | undefined;
                /** @description Port of the mock. Scenarios then run one after another. Default: a free port for each. */
                readonly port?: number | undefined;
                /** @description Plan of the keys. Default: the first plan of the document. */
                readonly plan?: string | undefined;
                /** @description Print the last lines of output of every scenario. Default: only where something went wrong. */
                readonly showOutput?: boolean | undefined;
                /** @description Write certificate.json, certificate.html and badge.svg into the --report folder, or into the current folder. The exit code is 0 only if the certificate says "conforms". */
                readonly certify?: boolean | undefined;
                /** @description Name of the server or client on the certificate. Required with --certify. */
                readonly targetName?: string | undefined;
                /** @description Version of the server or client on the certificate. Required with --certify. */
                readonly targetVersion?: string | undefined;
                /** @description Sign the certificate with this private key (the keygen command makes one). Default: not signed. */
                readonly sign?: string | undefined;
                /** @description OpenAPI document. Default: the bundled openapi.yaml. */
                readonly contract?: string | undefined;
                /** @description Refuse a document that has an error. Default: leave out the parts with errors; the lint command lists them. */
                readonly strict?: boolean | undefined;
                /** @description Also follow references into this folder. Default: only the folder of the document. Can be repeated. */
                readonly allowFolder?: readonly string[] | undefined;
                /** @description Apply this OpenAPI Overlay to the document first. Can be repeated. */
                readonly overlay?: readonly string[] | undefined;
                /** @description Fetch references to http: and https: addresses. */
                readonly allowNetwork?: boolean | undefined;
                /** @description Write report.json, report.html, junit.xml, summary.md and exchanges.har into this folder. Replaces an earlier report of the same kind and nothing else. */
                readonly report?: string | undefined;
                /** @description Replace any file that has the name of an output file, certificates included. */
                readonly force?: boolean | undefined;
                /** @description Print only the verdict and the failures. */
                readonly quiet?: boolean | undefined;
            };
            /** @description Checks the requests that a client sent to a running mock. It reads them from the journal of the sandbox, which keeps the latest requests. */
            readonly "judge-journal"?: {
                /** @description Address of the mock. Default: http://127.0.0.1:4010. */
                readonly mock?: string | undefined;
                /** @description Sandbox of the client, such as alice, or one key, such as free_alice. Default: main, the sandbox of the demo keys, together with no-key, the sandbox of requests without a valid key. */
                readonly sandbox?: string | undefined;
                /** @description Token of the control interface of the mock, if it has one. */
                readonly token?: {
                    readonly env: string;
                } | string | undefined;
                /** @description Read --token from a file of one line, so that it is not visible in the process list; - is standard input. */
                readonly tokenFile?: string | undefined;
                /** @description Read a saved journal instead: the response of GET /_mock/sandboxes/{sandbox}/journal. */
                readonly journal?: string | undefined;
                /** @description OpenAPI document. Default: the bundled openapi.yaml. */
                readonly contract?: string | undefined;
                /** @description Refuse a document that has an error. Default: leave out the parts with errors; the lint command lists them. */
                readonly strict?: boolean | undefined;
                /** @description Also follow references into this folder. Default: only the folder of the document. Can be repeated. */
                readonly allowFolder?: readonly string[] | undefined;
                /** @description Apply this OpenAPI Overlay to the document first. Can be repeated. */
                readonly overlay?: readonly string[] | undefined;
                /** @description Fetch references to http: and https: addresses. */
                readonly allowNetwork?: boolean | undefined;
                /** @description Write report.json, report.html, junit.xml, summary.md and exchanges.har into this folder. Replaces an earlier report of the same kind and nothing else. */
                readonly report?: string | undefined;
                /** @description Replace any file that has the name of an output file, certificates included. */
                readonly force?: boolean | undefined;
                /** @description Print only the verdict and the failures. */
                readonly quiet?: boolean | undefined;
            };
            /** @description Forwards requests to a server unchanged and checks every exchange. Prints each requirement when it first fails, and the whole report when stopped (Ctrl-C). */
            readonly proxy?: {
                /** @description Base URL of the server, with its version segment. Required. */
                readonly target?: string | undefined;
                /**
                 * @description Listen on this port, 0 for any free one. Default: 4020.
                 * @default 4020
                 */
                readonly port?: number | undefined;
                /**
                 * @description Listen on this address. Default: 127.0.0.1.
                 * @default 127.0.0.1
                 */
                readonly host?: string | undefined;
                /** @description Return 502 with the findings instead of a response that breaks the contract. JSON responses are then held back until they are complete. */
                readonly errors?: boolean | undefined;
                /** @description Do not verify the TLS certificate of the target. */
                readonly insecure?: boolean | undefined;
                /** @description JSON file of known failures, each with requirement, reason, owner and expiry date. */
                readonly waivers?: string | undefined;
                /** @description Traffic is inconclusive if less than this percentage of its exchanges, or of its successful ones, could be checked in full. Default: 90. */
                readonly requireTested?: number | undefined;
                /** @description OpenAPI document. Default: the bundled openapi.yaml. */
                readonly contract?: string | undefined;
                /** @description Refuse a document that has an error. Default: leave out the parts with errors; the lint command lists them. */
                readonly strict?: boolean | undefined;
                /** @description Also follow references into this folder. Default: only the folder of the document. Can be repeated. */
                readonly allowFolder?: readonly string[] | undefined;
                /** @description Apply this OpenAPI Overlay to the document first. Can be repeated. */
                readonly overlay?: readonly string[] | undefined;
                /** @description Fetch references to http: and https: addresses. */
                readonly allowNetwork?: boolean | undefined;
                /** @description Write report.json, report.html, junit.xml, summary.md and exchanges.har into this folder. Replaces an earlier report of the same kind and nothing else. */
                readonly report?: string | undefined;
                /** @description Replace any file that has the name of an output file, certificates included. */
                readonly force?: boolean | undefined;
                /** @description Print only the verdict and the failures. */
                readonly quiet?: boolean | undefined;
            };
            /** @description Checks recorded traffic against the document: an HTTP Archive (HAR) from a browser, Playwright, k6, mitmproxy or conform --report. A journal of the mock is checked as judge-journal does: the client, by the requests it sent. */
            readonly judge?: {
                /** @description Base URL of the service in the recording; only requests below it are checked. Default: a server of the document, else the address with the most requests that the document describes. */
                readonly target?: string | undefined;
                /** @description JSON file of known failures, each with requirement, reason, owner and expiry date. */
                readonly waivers?: string | undefined;
                /** @description Traffic is inconclusive if less than this percentage of its exchanges, or of its successful ones, could be checked in full. Default: 90. */
                readonly requireTested?: number | undefined;
                /** @description OpenAPI document. Default: the bundled openapi.yaml. */
                readonly contract?: string | undefined;
                /** @description Refuse a document that has an error. Default: leave out the parts with errors; the lint command lists them. */
                readonly strict?: boolean | undefined;
                /** @description Also follow references into this folder. Default: only the folder of the document. Can be repeated. */
                readonly allowFolder?: readonly string[] | undefined;
                /** @description Apply this OpenAPI Overlay to the document first. Can be repeated. */
                readonly overlay?: readonly string[] | undefined;
                /** @description Fetch references to http: and https: addresses. */
                readonly allowNetwork?: boolean | undefined;
                /** @description Write report.json, report.html, junit.xml, summary.md and exchanges.har into this folder. Replaces an earlier report of the same kind and nothing else. */
                readonly report?: string | undefined;
                /** @description Replace any file that has the name of an output file, certificates included. */
                readonly force?: boolean | undefined;
                /** @description Print only the verdict and the failures. */
                readonly quiet?: boolean | undefined;
            };
            /** @description Makes a key pair to sign certificates with (Ed25519, PEM). */
            readonly keygen?: {
                /**
                 * @description Write <name>.pem, the private key (mode 0600), and <name>.pub.pem, the public key for whoever verifies. Existing files are not overwritten. Default: certificate-key.
                 * @default certificate-key
                 */
                readonly out?: string | undefined;
            };
            /** @description Verifies a certificate offline. It checks the signatures, judges the recorded log again, and compares the report with the one in the certificate. The first difference is shown. The log of a client is replayed to the mock. */
            readonly verify?: {
                /** @description A public key (PEM) that must have signed. Can be repeated. Without one, the certificate is not authenticated: nothing shows who made it, and the exit code is never 0. */
                readonly publicKey?: readonly string[] | undefined;
                /** @description OpenAPI document that the certificate must be about. Default: the bundled openapi.yaml. */
                readonly contract?: string | undefined;
                /** @description Apply this OpenAPI Overlay to the document first. Can be repeated. */
                readonly overlay?: readonly string[] | undefined;
            };
            /** @description Combines the reports of conform --shard into one. Give report.json files, folders that contain one, or folders of such folders. Every log is checked again: a requirement fails if any shard fails it, and passes if a shard shows it and none contradicts it. */
            readonly merge?: {
                /** @description Do not make the report inconclusive if a shard is missing. The report still says so. */
                readonly allowMissing?: boolean | undefined;
                /** @description OpenAPI document. Default: the bundled openapi.yaml. */
                readonly contract?: string | undefined;
                /** @description Refuse a document that has an error. Default: leave out the parts with errors; the lint command lists them. */
                readonly strict?: boolean | undefined;
                /** @description Also follow references into this folder. Default: only the folder of the document. Can be repeated. */
                readonly allowFolder?: readonly string[] | undefined;
                /** @description Apply this OpenAPI Overlay to the document first. Can be repeated. */
                readonly overlay?: readonly string[] | undefined;
                /** @description Fetch references to http: and https: addresses. */
                readonly allowNetwork?: boolean | undefined;
                /** @description Write report.json, report.html, junit.xml, summary.md and exchanges.har into this folder. Replaces an earlier report of the same kind and nothing else. */
                readonly report?: string | undefined;
                /** @description Replace any file that has the name of an output file, certificates included. */
                readonly force?: boolean | undefined;
                /** @description Print only the verdict and the failures. */
                readonly quiet?: boolean | undefined;
            };
            /** @description Shows which collections of items the mock finds in an OpenAPI document: the role of each operation and the evidence for it, where items and ids are in responses, and which operations have no role and why. x-resource in the document takes precedence. */
            readonly resources?: {
                /** @description OpenAPI document. Default: the bundled openapi.yaml. */
                readonly contract?: string | undefined;
                /** @description Refuse a document that has an error. Default: leave out the parts with errors; the lint command lists them. */
                readonly strict?: boolean | undefined;
                /** @description Also follow references into this folder. Default: only the folder of the document. Can be repeated. */
                readonly allowFolder?: readonly string[] | undefined;
                /** @description Apply this OpenAPI Overlay to the document first. Can be repeated. */
                readonly overlay?: readonly string[] | undefined;
                /** @description Fetch references to http: and https: addresses. */
                readonly allowNetwork?: boolean | undefined;
                /** @description Print JSON. */
                readonly json?: boolean | undefined;
            };
            /** @description Measures how many faulty servers of your document the suite finds. From each requirement it makes servers that break it (mutants): the mock with a value beyond a limit, a missing member or header, another status, an invalid request that is accepted, an item that is not stored. It runs the suite against each of them in this process, and lists those that were missed with the reason. Requirements that no mutant can be made from count as missed. */
            readonly selftest?: {
                /**
                 * @description Exit with 1 if a smaller percentage of the mutants is found. Default: 0.
                 * @default 0
                 */
                readonly floor?: number | undefined;
                /** @description OpenAPI document. Default: the bundled openapi.yaml. */
                readonly contract?: string | undefined;
                /** @description Refuse a document that has an error. Default: leave out the parts with errors; the lint command lists them. */
                readonly strict?: boolean | undefined;
                /** @description Also follow references into this folder. Default: only the folder of the document. Can be repeated. */
                readonly allowFolder?: readonly string[] | undefined;
                /** @description Apply this OpenAPI Overlay to the document first. Can be repeated. */
                readonly overlay?: readonly string[] | undefined;
                /** @description Fetch references to http: and https: addresses. */
                readonly allowNetwork?: boolean | undefined;
                /** @description Requests of each run. Default: those of a usual run, more where the document needs them to have everything tested. */
                readonly requests?: number | undefined;
                /** @description Try only mutants of requirements with this text in their id. */
                readonly only?: string | undefined;
                /**
                 * @description The same seed sends the same requests. Default: 1.
                 * @default 1
                 */
                readonly seed?: number | undefined;
                /** @description Print JSON. */
                readonly json?: boolean | undefined;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Config = components['schemas']['Config'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

/** Returns its argument, for editors that complete by the type of an argument. */
export declare function defineConfig(config: Config): Config;
